"""Handlers of signals, and what they raise in whatever code they interrupt."""

from __future__ import annotations

import functools
import signal
import traceback
from types import CodeType
from typing import Any


def from_a_handler(error: BaseException) -> bool:
    """Say whether a handler of a signal raised an exception, so that the code is not to blame.

    >>> import signal
    >>> def stop(number, frame):
    ...     raise TimeoutError
    >>> before = signal.signal(signal.SIGUSR1, stop)
    >>> try:
    ...     signal.raise_signal(signal.SIGUSR1)
    ... except TimeoutError as error:
    ...     print(from_a_handler(error))
    True
    >>> handler = signal.signal(signal.SIGUSR1, before)
    """
    codes = {_code(signal.getsignal(each)) for each in signal.valid_signals()} - {None}
    return any(frame.f_code in codes for frame, _ in traceback.walk_tb(error.__traceback__))


def _code(handler: Any) -> CodeType | None:
    """Return the code of a handler, which may be a method or an object; None if it has none."""
    while isinstance(handler, functools.partial):
        handler = handler.func
    function = handler if hasattr(handler, "__code__") else type(handler).__call__
    return getattr(function, "__code__", None)
