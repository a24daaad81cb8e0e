"""Presets: the named policies of the literature."""
