"""Intervals that cover under drift, one kind per file."""
