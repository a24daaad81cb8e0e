"""Checks of a world's parameters: rounds, ranges, and rows of means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.arrays import is_list, real_array
from driftbandit.core.errors import InputError, as_float, plain, real, require, shown, whole

Row = tuple[float, ...]


def rounds_between(first: int, last: int, horizon: int | None) -> NDArray[np.int64]:
    """Return the rounds `first` to `last`, or raise unless a world of this horizon has them.

    >>> rounds_between(2, 4, horizon=4).tolist()
    [2, 3, 4]
    """
    first, last = whole("first", first), whole("last", last)
    require(last >= first, "last", last, f"be at least first, {first}")
    require(horizon is None or last <= (horizon or 0), "last", last, f"be at most {horizon}")
    try:
        return np.arange(first, last + 1, dtype=np.int64)
    except MemoryError:
        message = f"last must be smaller: {last - first + 1} rounds do not fit into memory"
        raise InputError(message) from None


def interval(name: str, value: Any, high: float) -> tuple[float, float]:
    """Return `value` as a pair (least, most) with 0 ≤ least ≤ most ≤ `high`, or raise.

    >>> interval("gap", (0.1, 1), 1.0)
    (0.1, 1.0)
    """
    ends = [as_float(end) for end in value] if is_list(value) else []
    fits = len(ends) == 2 and 0.0 <= ends[0] <= ends[1] <= high
    require(fits, name, value, f"be two numbers (least, most) in [0, {plain(high)}]")
    return ends[0], ends[1]


def one_row(name: str, value: Any, bound: float) -> Row:
    """Return `value` as one row of numbers in [0, bound], one per arm, or raise.

    >>> one_row("means", [0, 0.5], 1.0)
    (0.0, 0.5)
    """
    check_plain(name, value)
    numbers = real_array(value)
    means = value if numbers is None else numbers.tolist()  # of a data frame's column, too
    require(is_list(means) and len(means) > 0, name, value, "be a row of means, one per arm")
    allowed = f"[0, {plain(bound)}]"
    return tuple(real(f"{name}[{arm}]", mean, allowed) for arm, mean in enumerate(means))


def check_plain(name: str, value: Any) -> None:
    """Raise if an array has more to it than real numbers, which a conversion would drop.

    >>> check_plain("means", np.array([1 + 2j]))
    Traceback (most recent call last):
    driftbandit.InputError: means must be real numbers, got complex ones
    """
    if isinstance(value, np.ma.MaskedArray):
        raise InputError(f"{name} must be a plain array, got a masked one")
    if isinstance(value, np.ndarray) and value.dtype.kind == "c":
        raise InputError(f"{name} must be real numbers, got complex ones")


def all_rows(name: str, value: ArrayLike, bound: float) -> tuple[Row, ...]:
    """Return `value` as rows of numbers in [0, bound], all of one length, or raise.

    >>> all_rows("means", [[0, 1], [0.5, 0.5]], 1.0)
    ((0.0, 1.0), (0.5, 0.5))
    """
    check_plain(name, value)
    rows = real_array(value)
    if rows is None:
        raise InputError(_why_no_table(name, value))
    if rows.ndim != 2 or rows.size == 0:
        raise InputError(f"{name} must be rows of means, one per arm, got the shape {rows.shape}")
    wrong = np.argwhere(~((rows >= 0.0) & (rows <= bound)))  # so that NaN is wrong too
    if wrong.size:
        row, arm = wrong[0]
        mean = float(rows[row, arm])
        require(False, f"{name}[{row}][{arm}]", mean, f"lie in [0, {plain(bound)}]")
    return tuple(tuple(row) for row in rows.tolist())


def _why_no_table(name: str, value: Any) -> str:
    """Say which row is ragged or holds something that is not a number."""
    for j, row in enumerate(value if isinstance(value, tuple | list) else ()):
        numbers = real_array(row)
        if numbers is None:
            return f"{name}[{j}] must be a row of numbers, got {shown(row)}"
        if numbers.size != np.size(value[0]):
            return f"{name}[{j}] must hold {np.size(value[0])} means, got {shown(row)}"
    return f"{name} must be rows of means, one per arm, got {shown(value)}"
