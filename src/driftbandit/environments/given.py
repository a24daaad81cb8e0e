"""Means and breakpoints a user gives: read as the tuple given, called as the world's method.

`Piecewise(breakpoints, means)` names its parameters like the methods that every world has. So
`world.means` is the tuple it was made with, and `world.means(first, last)` the means of those
rounds; `world.breakpoints` and `world.breakpoints(horizon)` likewise.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.errors import InputError, is_number, real, require, whole

Row = tuple[float, ...]


class Means(tuple[Any, ...]):
    """Means as given: one row for all rounds, or rows, row j holding from round `starts[j]` on.

    With a `last` round it is an error to ask for a later one.

    >>> means = Means([(0.1, 0.9), (0.9, 0.1)], starts=(1, 3))
    >>> means
    ((0.1, 0.9), (0.9, 0.1))
    >>> means(2, 3).tolist()
    [[0.1, 0.9], [0.9, 0.1]]
    """

    starts: NDArray[np.int64]
    rows: NDArray[np.float64]
    last: int | None

    def __new__(
        cls,
        given: Sequence[Any],
        starts: Sequence[int] | NDArray[np.int64],
        last: int | None = None,
    ) -> Self:
        """Store what was given, and as arrays what a call needs."""
        self = super().__new__(cls, given)
        self.starts = np.array(starts, dtype=np.int64)
        self.rows = np.atleast_2d(np.array(given, dtype=np.float64))
        self.last = last
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by what makes it."""
        return type(self), (tuple(self), self.starts, self.last)

    def __call__(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row a round."""
        rounds = rounds_of(first, last, self.last)
        return self.rows[np.searchsorted(self.starts, rounds, side="right") - 1]


class Breakpoints(tuple[int, ...]):
    """Rounds from which new means hold; called, those up to a horizon at which something changes.

    >>> rounds = Breakpoints((3, 5, 9), changes=(3, 9))
    >>> rounds, rounds(8), rounds(9)
    ((3, 5, 9), [3], [3, 9])
    """

    changes: tuple[int, ...]

    def __new__(cls, rounds: Sequence[int], changes: Sequence[int]) -> Self:
        """Store the rounds, and which of them change the means."""
        self = super().__new__(cls, rounds)
        self.changes = tuple(changes)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by what makes it."""
        return type(self), (tuple(self), self.changes)

    def __call__(self, horizon: int | None = None, seed: int = 0, run: int = 0) -> list[int]:
        """Return the rounds t ≥ 2 up to the horizon whose means differ from round t − 1."""
        last = np.inf if horizon is None else whole("horizon", horizon)
        return [t for t in self.changes if t <= last]


def rounds_of(first: int, last: int, horizon: int | None) -> NDArray[np.int64]:
    """Return the rounds `first` to `last`, or raise if a world of this horizon has them not.

    >>> rounds_of(2, 4, horizon=4).tolist()
    [2, 3, 4]
    """
    require(first >= 1, "first", first, "be at least 1")
    require(horizon is None or last <= horizon, "last", last, f"be at most {horizon}")
    return np.arange(first, last + 1, dtype=np.int64)


def increasing(name: str, given: Any) -> tuple[int, ...]:
    """Return `given` as strictly increasing rounds of at least 2, or raise.

    >>> increasing("breakpoints", [3000, 5e3])
    (3000, 5000)
    """
    listed = isinstance(given, tuple | list | np.ndarray)
    require(listed, name, given, "be a list of rounds")
    rounds = tuple(whole(f"{name}[{j}]", b, least=2) for j, b in enumerate(given))
    rising = all(a < b for a, b in pairwise(rounds))
    require(rising, name, list(rounds), "be strictly increasing")
    return rounds


def row_of(name: str, given: Any, bound: float) -> Row:
    """Return `given` as one row of numbers in [0, bound], one for each arm, or raise.

    >>> row_of("means", [0, 0.5], 1.0)
    (0.0, 0.5)
    """
    listed = isinstance(given, tuple | list | np.ndarray) and np.size(given) > 0
    require(listed, name, given, "be a row of means, one an arm")
    return tuple(real(f"{name}[{arm}]", mean, f"[0, {bound:g}]") for arm, mean in enumerate(given))


def range_of(name: str, given: Any, high: float) -> tuple[float, float]:
    """Return `given` as a pair (least, most) with 0 ≤ least ≤ most ≤ `high`, or raise.

    >>> range_of("gap", (0.1, 1), 1.0)
    (0.1, 1.0)
    """
    fits = isinstance(given, tuple | list) and len(given) == 2 and all(map(is_number, given))
    fits = fits and 0.0 <= given[0] <= given[1] <= high
    require(fits, name, given, f"be two numbers (least, most) in [0, {high:g}]")
    return float(given[0]), float(given[1])


def rows_of(name: str, given: ArrayLike, bound: float) -> tuple[Row, ...]:
    """Return `given` as rows of numbers in [0, bound], or raise.

    >>> rows_of("means", [[0, 1], [0.5, 0.5]], 1.0)
    ((0.0, 1.0), (0.5, 0.5))
    """
    try:
        rows = np.array(given, dtype=np.float64)
    except (ValueError, TypeError):
        raise InputError(_why_no_table(name, given)) from None
    if rows.ndim != 2 or rows.size == 0:
        raise InputError(f"{name} must be rows of means, one an arm, got the shape {rows.shape}")
    wrong = np.argwhere(~((rows >= 0.0) & (rows <= bound)))  # so that NaN is wrong too
    if wrong.size:
        row, arm = wrong[0]
        value = float(rows[row, arm])
        require(False, f"{name}[{row}][{arm}]", value, f"lie in [0, {bound:g}]")
    return tuple(tuple(row) for row in rows.tolist())


def _why_no_table(name: str, given: Any) -> str:
    """Say which row is ragged or holds something that is not a number."""
    for j, row in enumerate(given if isinstance(given, tuple | list) else ()):
        try:
            size = np.array(row, dtype=np.float64).size
        except (ValueError, TypeError):
            return f"{name}[{j}] must be a row of numbers, got {row!r}"
        if size != np.size(given[0]):
            return f"{name}[{j}] must hold {np.size(given[0])} means, got {row!r}"
    return f"{name} must be rows of means, one an arm, got {given!r}"
