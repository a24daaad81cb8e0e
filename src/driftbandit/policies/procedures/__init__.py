"""The family of procedures: policies that are small programs, one per file."""
