"""The family of exponential weights, one rule per file."""
