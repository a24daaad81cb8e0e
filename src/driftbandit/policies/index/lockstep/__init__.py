"""Index policies in lockstep: how a block of runs chooses, remembers, forgets and restarts."""
