"""Functions whose numbers are the same at every call."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any


def filled(function: Callable[..., Any], numbers: tuple[float, ...]) -> Callable[[float], Any]:
    """Return a function of the first argument alone: the numbers that follow are given here.

    A plain function gets them as defaults. That is quicker than handing them over at every call, or
    than `functools.partial`.

    >>> def line(x, slope, start):
    ...     return start + slope * x
    >>> filled(line, (2.0, 1.0))(5.0)
    11.0
    """
    if isinstance(function, FunctionType) and function.__code__.co_argcount == 1 + len(numbers):
        code, names = function.__code__, function.__globals__
        return FunctionType(code, names, function.__name__, numbers, function.__closure__)
    return lambda first: function(first, *numbers)
