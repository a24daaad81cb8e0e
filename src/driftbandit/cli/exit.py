"""How a command ends: with its exit code, and in trouble with one line on stderr."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import typer

from driftbandit.core.errors import InputError, LostWorkersError

FAILED = 1
BAD_USAGE = 2
INTERRUPTED = 130


class Interrupted(Exception):  # noqa: N818  # not an error: the user pressed Ctrl-C
    """Ctrl-C in work that can be continued; the message says how."""


STOPPED = "interrupted, nothing written"

CODES: dict[type[BaseException], int] = {
    InputError: BAD_USAGE,
    LostWorkersError: FAILED,
    Interrupted: INTERRUPTED,
}
"""Exit codes of the exceptions that end a command with one line."""


def run(app: typer.Typer, name: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command line and leave with its exit code; bad input is one line and code 2."""
    if sys.stderr is None:  # closed: what would be said there goes nowhere, and not to stdout
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # open until the program ends
    with _one_line_warnings(name):
        sys.exit(_code(app, name, arguments))


@contextlib.contextmanager
def _one_line_warnings(name: str) -> Iterator[None]:
    """Say warnings, such as that of a letter that no font has, without the code they come from."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        _complain(name, str(message), 0)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _code(app: typer.Typer, name: str, arguments: Sequence[str] | None) -> int:
    if sys.stdout is None:
        return _complain(name, "nothing can be printed: stdout is closed", FAILED)
    _replace_unknown_letters()
    try:
        code = app(args=arguments, prog_name=name, standalone_mode=False)
        sys.stdout.flush()  # here, where a full disk can be told
    except (Exception, KeyboardInterrupt) as error:
        if isinstance(error, OSError):
            _discard_output()
        return _complain(name, *_trouble(error))
    if code == INTERRUPTED:
        return _complain(name, STOPPED, INTERRUPTED)
    return code if isinstance(code, int) else 0


def _trouble(error: BaseException) -> tuple[str, int]:
    """Return what to say of an exception, and the exit code; one of our own making is raised."""
    if type(error) in CODES:
        return str(error), CODES[type(error)]
    if isinstance(error.__cause__, EOFError):  # typer takes it for an abort
        return f"some input ended too early: {error.__cause__}", FAILED
    if isinstance(error, typer.Abort | KeyboardInterrupt):
        return STOPPED, INTERRUPTED
    if isinstance(error, OSError):
        return f"cannot write: {error.strerror or error}", FAILED
    if isinstance(error, MemoryError | ArithmeticError):
        return f"too large to compute: {error}", FAILED
    # typer's usage errors share no public class over its versions, but all have this method
    if not hasattr(error, "format_message"):
        raise error
    return error.format_message(), BAD_USAGE


def _discard_output() -> None:
    """Let what is left to print go nowhere: Python would try again, and fail, when it ends."""
    with contextlib.suppress(OSError, ValueError):  # a stream of a test has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_unknown_letters() -> None:
    """Print ? for a letter that the terminal or file cannot show, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(name: str, message: str, code: int) -> int:
    line = " ".join(message.split())
    with contextlib.suppress(OSError, ValueError):  # nobody listens
        print(f"{name}: {line}", file=sys.stderr)
    return code
