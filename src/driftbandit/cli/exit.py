"""How a command ends: with its exit code, and in trouble with one line on stderr."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer

from driftbandit.core.errors import InputError, LostWorkersError

FAILED = 1
BAD_USAGE = 2
INTERRUPTED = 130


class Interrupted(Exception):  # noqa: N818  # not an error: the user pressed Ctrl-C
    """Ctrl-C in work that can be continued; the message says how."""


CODES = {InputError: BAD_USAGE, LostWorkersError: FAILED, Interrupted: INTERRUPTED}
"""Exit codes of the exceptions that end a command with one line."""


def run(app: typer.Typer, name: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command line and leave with its exit code; bad input is one line and code 2."""
    sys.exit(_code(app, name, arguments))


def _code(app: typer.Typer, name: str, arguments: Sequence[str] | None) -> int:
    _replace_unknown_letters()
    try:
        code = app(args=arguments, prog_name=name, standalone_mode=False)
    except tuple(CODES) as error:
        return _complain(name, str(error), CODES[type(error)])
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except (MemoryError, ArithmeticError) as error:
        return _complain(name, f"too large to compute: {error}", FAILED)
    except Exception as error:
        # typer's usage errors share no public class over its versions, but all have this method
        if not hasattr(error, "format_message"):
            raise
        return _complain(name, error.format_message(), BAD_USAGE)
    if code == INTERRUPTED:
        return _complain(name, "interrupted, nothing written", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _replace_unknown_letters() -> None:
    """Print ? for a letter that the terminal or file cannot show, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(name: str, message: str, code: int) -> int:
    line = " ".join(message.split())
    print(f"{name}: {line}", file=sys.stderr)
    return code
