"""The command line: one file per command, thin over the package and quick to start.

A command's options are read at once; what it needs loads when it runs.
"""

from driftbandit.cli.app import main

__all__ = ["main"]
