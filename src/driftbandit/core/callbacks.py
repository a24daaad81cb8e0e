"""Functions of a user, and whether they can be called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from driftbandit.core.errors import require


def require_function(name: str, value: Any, arguments: str) -> None:
    """Raise unless `value` is None or can be called with these arguments.

    >>> require_function("progress", 5, "done, total")
    Traceback (most recent call last):
    driftbandit.InputError: progress must be a function of (done, total), got 5
    """
    fits = value is None or (callable(value) and takes(value, arguments.count(",") + 1))
    require(fits, name, value, f"be a function of ({arguments})")


def takes(function: Callable[..., Any], number: int) -> bool:
    """Say whether a function can be called with so many arguments, as far as it says so."""
    try:
        inspect.signature(function).bind(*range(number))
    except TypeError:
        return False
    except ValueError:  # some built-in functions do not say; a class such as int is none
        return not isinstance(function, type)
    return True
