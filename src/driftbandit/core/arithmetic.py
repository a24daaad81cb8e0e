"""A user's own rule in plain Python, with the arithmetic of compiled code.

In compiled code 1/0 is ∞, log 0 is −∞ and √−1 is NaN. Plain Python raises, or returns a complex
number. A live agent must play as a simulation does, so where plain Python gives up, the rule is
computed once more, with NumPy's numbers and functions.
"""

from __future__ import annotations

import functools
import math
import traceback
from collections.abc import Callable
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from driftbandit.core.errors import InputError, is_flag, is_number, shown
from driftbandit.core.handlers import from_a_handler

Function = Callable[..., Any]


def value_of(function: Function, *arguments: Any) -> float:
    """Return what a rule's function of numbers returns in compiled code, or raise `InputError`.

    >>> value_of(lambda mean, count: mean + 1.0 / math.sqrt(count), 0.5, 0.0)
    inf
    """
    try:
        number = function(*arguments)
    except (ArithmeticError, ValueError):
        number = None
    except Exception as error:
        _blame(function, arguments, error)
    if number is None or isinstance(number, complex):
        number = _compiled_value(function, arguments)
    if not (is_number(number) or is_flag(number)) or isinstance(number, np.ndarray):
        name = function.__qualname__
        raise InputError(f"what {name} returns must be a number, got {shown(number)}")
    try:
        return float(number)
    except OverflowError:  # a whole number beyond those of compiled code
        raise InputError(
            f"what {function.__qualname__} returns must be a number, got {shown(number)}"
        ) from None


def called(function: Function, *arguments: Any) -> Any:
    """Return what a rule's function that changes a state returns, or raise `InputError`."""
    try:
        return function(*arguments)
    except Exception as error:
        _blame(function, arguments, error)


def _compiled_value(function: Function, arguments: tuple[Any, ...]) -> Any:
    """Return what a function returns where every number is one of NumPy's."""
    numbers = [np.array(each) if isinstance(each, list) else np.float64(each) for each in arguments]
    try:
        with np.errstate(all="ignore"):
            return with_numpy(function)(*numbers)
    except Exception as error:
        _blame(function, arguments, error)


def _blame(function: Function, arguments: tuple[Any, ...], error: Exception) -> NoReturn:
    """Raise what names the function that failed, or what the handler of a signal raised in it."""
    if from_a_handler(error):
        raise error
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    file = function.__code__.co_filename
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file]
    where = f" (line {lines[-1]} of {Path(file).name})" if lines else ""
    name = function.__qualname__
    raise InputError(f"{name} fails for {shown(arguments)}: {reason}{where}") from error


@functools.lru_cache(maxsize=64)
def with_numpy(function: Any) -> Function:
    """Return the same function, with NumPy in place of `math`, in the functions it calls too."""
    names = function.__code__.co_names
    replaced = {
        name: _counterpart(value) for name, value in function.__globals__.items() if name in names
    }
    scope = {**function.__globals__, **replaced}
    code, cells = function.__code__, function.__closure__
    return FunctionType(code, scope, function.__name__, function.__defaults__, cells)


_MATH = SimpleNamespace(**{name: getattr(np, name, each) for name, each in vars(math).items()})
"""What stands in for `math`: NumPy's functions, and its own where NumPy has none."""


def _counterpart(value: Any) -> Any:
    """Return what stands in for a global of a rule."""
    if value is math:
        return _MATH
    if isinstance(value, BuiltinFunctionType) and value.__module__ == "math":
        return getattr(np, value.__name__, value)
    return with_numpy(value) if "compilable" in getattr(value, "__dict__", ()) else value
