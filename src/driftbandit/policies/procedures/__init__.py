"""Procedures: policies that are small programs with a state of their own."""
