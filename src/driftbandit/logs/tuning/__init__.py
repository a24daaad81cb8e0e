"""Which policy, and which memory, would have served this log best."""
