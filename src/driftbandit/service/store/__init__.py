"""Where the log is kept: one protocol, and a file or a database behind it."""
