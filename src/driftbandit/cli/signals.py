"""Signals that ask a command to end: it tidies up, says so in one line, and leaves."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

STOPPED, INTERRUPTED = "interrupted, nothing written", 130
TERMINATED = "terminated, nothing written"

SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

SOON = 0.01
"""Seconds after which a signal is raised again: a finaliser is over by then."""


class Terminated(SystemExit):
    """A signal asked the command to end; `code` is the exit code that shells give it."""

    code: int


def _terminate(number: int, _: FrameType | None) -> NoReturn:
    raise Terminated(128 + number)


@contextlib.contextmanager
def heeded() -> Iterator[None]:
    """Raise `Terminated` where a signal would end the process at once, files half-written.

    A signal that is ignored, as below `nohup`, stays ignored. One that comes while Python runs a
    finaliser, from which nothing can be raised, is raised a moment later.
    """
    signals = [number for number in SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in signals:
        signal.signal(number, _terminate)
    usual = sys.unraisablehook

    def again(lost: sys.UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, Terminated | KeyboardInterrupt):
            code = getattr(lost.exc_value, "code", 128 + signal.SIGINT)
            threading.Timer(SOON, os.kill, [os.getpid(), code - 128]).start()
        else:
            usual(lost)

    sys.unraisablehook = again
    try:
        yield
    finally:
        sys.unraisablehook = usual
        for number in signals:
            signal.signal(number, signal.SIG_DFL)
