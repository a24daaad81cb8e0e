"""The command line: one file per command, thin over the package and quick to start.

A command's options are read at once; what it needs loads when it runs.
"""

import sys
from collections.abc import Sequence
from typing import NoReturn

from driftbandit.cli.signals import INTERRUPTED, STOPPED, TERMINATED, Terminated, heeded

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code; a signal is heeded from here on."""
    try:
        with heeded():
            from driftbandit.cli import app  # noqa: PLC0415  # half a second, which may be stopped

            app.main(arguments)
    except KeyboardInterrupt:
        message, code = STOPPED, INTERRUPTED
    except Terminated as error:
        message, code = TERMINATED, error.code
    if sys.stderr is not None:
        print(f"driftbandit: {message}", file=sys.stderr)
    sys.exit(code)
