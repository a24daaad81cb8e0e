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

from driftbandit.cli.signals import INTERRUPTED, STOPPED, TERMINATED, Terminated, heeded
from driftbandit.core.errors import InputError, LostWorkersError

FAILED = 1
BAD_USAGE = 2


class Interrupted(Exception):  # noqa: N818  # not an error: the user wanted it
    """Ctrl-C, or a signal, in work that can be continued; the message says how."""

    def __init__(self, message: str, code: int = INTERRUPTED) -> None:
        super().__init__(message)
        self.code = code


CODES: dict[type[BaseException], int] = {
    InputError: BAD_USAGE,
    LostWorkersError: FAILED,
}
"""Exit codes of the exceptions that end a command with one line."""


def run(app: typer.Typer, name: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command line and leave with its exit code; bad input is one line and code 2."""
    if sys.stderr is None:  # closed: what would be said there goes nowhere, and not to stdout
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # open until the program ends
    with _one_line_warnings(name), heeded():
        sys.exit(_code(app, name, arguments))


@contextlib.contextmanager
def _one_line_warnings(name: str) -> Iterator[None]:
    """Say warnings, such as that of a letter that no font has, without the code they come from."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text, traceback, lines = str(message).partition("Traceback")
        _complain(name, text + (lines.strip().splitlines()[-1] if traceback else ""), 0)

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
    except BaseException as error:
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
    if isinstance(error, Interrupted):
        return str(error), error.code
    if isinstance(error, Terminated):
        return TERMINATED, error.code
    if isinstance(error, typer.Abort | KeyboardInterrupt) and not _ended_early(error):
        return STOPPED, INTERRUPTED
    # typer's usage errors share no public class over its versions, but all have this method
    if hasattr(error, "format_message"):
        return error.format_message(), BAD_USAGE
    return _failure(error), FAILED


def _failure(error: BaseException) -> str:
    """Return what to say where the surroundings failed; raise what is a fault of ours."""
    if _ended_early(error):
        return f"some input ended too early: {error.__cause__}"
    if isinstance(error, OSError):  # one without a number is of a library that cannot be loaded
        return f"{'cannot write: ' if error.errno else ''}{error.strerror or error}"
    if isinstance(error, MemoryError | ArithmeticError):
        return f"too large to compute: {str(error) or 'there is not enough memory'}"
    if type(error).__name__ == "PanicException":  # of Polars, whose module hides it
        return f"Polars gave up: {error}"
    raise error


def _ended_early(error: BaseException) -> bool:
    """Say whether typer has taken an EOFError for an abort."""
    return isinstance(error.__cause__, EOFError)


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
