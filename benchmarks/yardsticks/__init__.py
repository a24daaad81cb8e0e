"""Other programs that play the same policies: plain Python, NumPy, C++, and other libraries."""
