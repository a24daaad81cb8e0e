"""The report of a log: what to do, why, and how certain it is, as a page that stands alone."""
