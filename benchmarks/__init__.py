"""Yardsticks: the same policies as plain Python classes, as NumPy programs, and in C++."""
