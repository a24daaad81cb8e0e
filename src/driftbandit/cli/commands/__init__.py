"""The commands: options and help; what they do is loaded when one of them runs.

`--help` must answer at once, so these modules load nothing heavy.
"""
