"""Exponential weights: arms are drawn by weights, as in EXP3 and its relatives."""
