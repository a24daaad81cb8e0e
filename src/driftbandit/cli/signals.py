"""Signals that ask a command to end: it tidies up, says so in one line, and leaves."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

STOPPED, INTERRUPTED = "interrupted, nothing written", 130
TERMINATED = "terminated, nothing written"

SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Terminated(SystemExit):
    """A signal asked the command to end; `code` is the exit code that shells give it."""

    code: int


def _terminate(number: int, _: FrameType | None) -> NoReturn:
    raise Terminated(128 + number)


@contextlib.contextmanager
def heeded() -> Iterator[None]:
    """Raise `Terminated` where a signal would end the process at once, files half-written.

    A signal that is ignored, as below `nohup`, stays ignored.
    """
    signals = [number for number in SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in signals:
        signal.signal(number, _terminate)
    try:
        yield
    finally:
        for number in signals:
            signal.signal(number, signal.SIG_DFL)
