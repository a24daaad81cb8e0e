"""Two checkouts of the package, timed by turns in one run."""
