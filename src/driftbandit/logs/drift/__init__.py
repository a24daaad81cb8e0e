"""Does the log drift: rates over time, changes, seasons, and the memory that follows."""
