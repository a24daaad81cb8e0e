"""What a series of noisy means says of now, of what comes next, and of everything before."""
