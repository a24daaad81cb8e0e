"""The axes of a policy: how it forgets, detects, explores and is forced to explore."""
