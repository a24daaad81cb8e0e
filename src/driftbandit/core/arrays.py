"""Lists and arrays of numbers as users give them."""

from __future__ import annotations

from collections.abc import MappingView, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import InputError, as_float, is_several, require, shown


def same_values(one: Any, other: Any) -> bool:
    """Say whether values are equal, arrays and dicts of arrays number by number.

    >>> same_values({"a": np.array([1.0, 2.0])}, {"a": np.array([1.0, 2.0])})
    True
    """
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_values(one[k], other[k]) for k in one)
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return bool(one == other)


def is_list(value: Any) -> bool:
    """Say whether `value` is a list, a tuple or a plain array with at least one axis.

    >>> is_list([1]), is_list(np.array([1])), is_list(np.array(1)), is_list("1")
    (True, True, False, False)
    """
    if isinstance(value, np.ndarray):
        return value.ndim > 0 and not isinstance(value, np.ma.MaskedArray)
    return isinstance(value, tuple | list)


def listed(name: str, value: Any, allowed: str) -> list[Any]:
    """Return the items of `value`, or raise if it has none, or no order: a set changes its own.

    >>> listed("titles", ("one", "two"), "be a list of texts")
    ['one', 'two']
    >>> listed("titles", "one", "be a list of texts")
    Traceback (most recent call last):
    driftbandit.InputError: titles must be a list of texts, got 'one'
    """
    require(is_several(value), name, value, allowed)
    ordered = not isinstance(value, Set) or isinstance(value, MappingView)  # the keys of a dict
    require(ordered, name, value, "have an order, which a set has not: give a list")
    try:
        return list(value)
    except Exception as error:  # an object of a user may do anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"{name} cannot be gone through: {shown(reason)}") from error


def real_array(value: Any) -> NDArray[np.float64] | None:
    """Return real numbers, or clicks, as a new array of floats; None if there is anything else.

    What a conversion would drop or guess is refused: masks, imaginary parts, dates, texts.

    >>> real_array([[1, 2.5]])
    array([[1. , 2.5]])
    >>> real_array([1j]), real_array(["1"]), real_array([[1], [2, 3]]), real_array([10**400])
    (None, None, None, None)
    """
    rows = value if isinstance(value, tuple | list) else (value,)
    if any(isinstance(row, np.ma.MaskedArray) for row in rows):
        return None
    try:
        array = np.array(value)
        if array.dtype.kind == "O":  # fractions, decimals, and whole numbers beyond 64 bits
            array = np.vectorize(as_float, otypes=[np.float64])(array)
            return array if np.isfinite(array).all() else None
    except (OverflowError, TypeError, ValueError):
        return None
    return array.astype(np.float64, copy=False) if array.dtype.kind in "biuf" else None
