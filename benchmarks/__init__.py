"""Yardsticks for `driftbandit bench`: NumPy programs, a C++ program, and other libraries."""
