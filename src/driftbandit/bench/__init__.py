"""How fast, how soon and in how much memory: what `driftbandit bench` measures.

Nothing is imported here: `first` runs as a process of its own, whose start is measured.
"""
