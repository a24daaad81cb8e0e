"""How fast, how soon and in how much memory: `python -m benchmarks speed`.

Nothing is imported here: `first` runs as a process of its own, whose start is measured.
"""
