"""Exponential weights live, one step at a time."""
