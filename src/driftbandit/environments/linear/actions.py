"""The actions of a linear world: the options of a round, as vectors of features."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import real_array
from driftbandit.core.domain import Count
from driftbandit.core.errors import InputError, require, shown, whole
from driftbandit.core.marking import compilable
from driftbandit.core.random import normal, uniform_series
from driftbandit.core.value import Value
from driftbandit.environments.parameters import check_plain

Array = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Actions(Value):
    """Base of action sets that are drawn anew in every round, the same for all policies.

    Your own set has a `number` K of actions, says how long they may be, and draws them in a static
    `fill(actions, rng)`. `actions` has one column per action, shape (d, K). `rng` is the run's own
    stream; draw from it with the functions of `driftbandit.core.random`. The engine compiles this
    function.

    >>> from driftbandit.core.random import uniform
    >>> @dataclasses.dataclass(frozen=True)
    ... class Corners(Actions):
    ...     @staticmethod
    ...     def fill(actions, rng):
    ...         for k in range(actions.shape[1]):
    ...             for i in range(actions.shape[0]):
    ...                 actions[i, k] = 1.0 if uniform(rng) < 0.5 else -1.0
    ...
    ...     def length(self, dimension):
    ...         return math.sqrt(dimension)
    >>> Corners(number=8).length(4)
    2.0
    """

    drawn: ClassVar[bool] = True
    """Whether the actions differ from round to round."""

    number: Count = 50

    @property
    def dimension(self) -> int | None:
        """The only dimension d that fits; None if any fits."""
        return None

    @staticmethod
    def fill(actions: Array, rng: NDArray[np.uint64]) -> None:
        """Draw the actions of one round of one run."""
        raise NotImplementedError

    def length(self, dimension: int) -> float:
        """Return L, the largest norm of an action."""
        return 1.0


@dataclasses.dataclass(frozen=True)
class Ball(Actions):
    """Actions uniform on the cube [−1, 1]^d; those outside the unit ball are moved to its surface.

    Reference: the experiments of Russac, Vernade & Cappé 2019, as in their program.

    >>> Ball(number=50).length(2)
    1.0
    """

    @staticmethod
    def fill(actions: Array, rng: NDArray[np.uint64]) -> None:
        """Draw every coordinate, and scale longer actions to norm 1."""
        for i in range(actions.shape[0]):
            uniform_series(rng, actions[i])
            for k in range(actions.shape[1]):
                actions[i, k] = 2.0 * actions[i, k] - 1.0
        shorten(actions, 1.0)


@dataclasses.dataclass(frozen=True)
class Sphere(Actions):
    """Unit vectors, uniform over all directions.

    >>> Sphere(number=10).number
    10
    """

    @staticmethod
    def fill(actions: Array, rng: NDArray[np.uint64]) -> None:
        """Draw normal numbers, and divide each action by its norm."""
        for i in range(actions.shape[0]):
            for k in range(actions.shape[1]):
                actions[i, k] = normal(rng)
        shorten(actions, 0.0)


@dataclasses.dataclass(frozen=True)
class Cube(Actions):
    """Actions uniform on [0, 1]^d: if θ ≥ 0 sums to at most 1, all means lie in [0, 1].

    >>> Cube(number=10).length(4)
    2.0
    """

    @staticmethod
    def fill(actions: Array, rng: NDArray[np.uint64]) -> None:
        """Draw every coordinate."""
        for i in range(actions.shape[0]):
            uniform_series(rng, actions[i])

    def length(self, dimension: int) -> float:
        """Return √d."""
        return math.sqrt(dimension)


@compilable
def shorten(actions: Array, least: float) -> None:
    """Scale every action with a norm above √least to norm 1; the inner loops are vector code."""
    size, number = actions.shape
    scale = np.zeros(number)
    for i in range(size):
        for k in range(number):
            scale[k] += actions[i, k] * actions[i, k]
    for k in range(number):
        scale[k] = 1.0 / math.sqrt(scale[k] if scale[k] > least else 1.0)
    for i in range(size):
        for k in range(number):
            actions[i, k] *= scale[k]


@dataclasses.dataclass(frozen=True, init=False)
class Fixed(Actions):
    """The same actions in every round. `Fixed.one_hot(d)` is a bandit with d arms: θ is its means.

    Parameters: `rows`, the features of each action.

    >>> Fixed.one_hot(2).rows
    ((1.0, 0.0), (0.0, 1.0))
    >>> Fixed([[3.0, 4.0]]).length(2)
    5.0
    """

    rows: Sequence[Sequence[float]] = ()
    number: int = dataclasses.field(default=0, repr=False)

    drawn: ClassVar[bool] = False

    def __init__(self, rows: Any, number: int | None = None) -> None:
        """Check and store the rows; `number` is read back from JSON and follows from them."""
        table = finite_rows("rows", rows)
        fits = number is None or whole("number", number) == len(table)
        require(fits, "number", number, f"be that of the rows, {len(table)}")
        self._set(rows=tuple(map(tuple, table.tolist())), number=len(table))

    @classmethod
    def one_hot(cls, dimension: int) -> Self:
        """Return the unit vectors of d coordinates."""
        return cls(np.eye(whole("dimension", dimension)))

    @property
    def dimension(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    def length(self, dimension: int) -> float:
        """Return the norm of the longest row."""
        return float(np.sqrt(np.square(np.array(self.rows)).sum(axis=1)).max())


def finite_rows(name: str, value: Any) -> Array:
    """Return `value` as rows of finite numbers, or raise.

    >>> finite_rows("thetas", [[1, 0], [0, 1]]).shape
    (2, 2)
    """
    check_plain(name, value)
    table = real_array(value)
    if table is None:
        allowed = "be rows of numbers, all of one length"
        raise InputError(f"{name} must {allowed}, got {shown(value)}")
    if table.ndim != 2 or table.size == 0:
        raise InputError(f"{name} must be rows of numbers, got the shape {table.shape}")
    for row, column in np.argwhere(~np.isfinite(table)):
        number = float(table[row, column])
        raise InputError(f"{name}[{row}][{column}] must be a finite number, got {number!r}")
    return table
