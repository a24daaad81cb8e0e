"""Yardsticks: the same policies as plain Python classes and as NumPy programs."""
