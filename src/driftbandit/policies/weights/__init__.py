"""The family of exponential weights, one rule a file."""
