"""The command line: thin commands over the package, quick to start."""

from driftbandit.cli.app import main

__all__ = ["main"]
