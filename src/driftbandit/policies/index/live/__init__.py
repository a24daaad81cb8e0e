"""Index policies live, one step at a time."""
