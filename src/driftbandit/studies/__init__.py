"""Studies: the paper's experiments, the arena, and tuning by simulation."""
