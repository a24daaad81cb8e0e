"""Exponential weights in lockstep over a block of runs."""
