"""Rewards with the law of a table of quantiles, or of a sample of past rewards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import is_list
from driftbandit.core.domain import Checked, Flag
from driftbandit.core.errors import as_float, require
from driftbandit.environments.laws.law import Law


def sorted_table(name: str, value: Any) -> tuple[float, ...]:
    """Return `value` as sorted numbers in [0, 1] that a mean can be squeezed out of, or raise.

    >>> sorted_table("table", [0.5, 0])
    (0.0, 0.5)
    """
    numbers = sorted(as_float(x) for x in value) if is_list(value) else []
    fits = len(numbers) >= 2 and all(0.0 <= x <= 1.0 for x in numbers)
    require(fits, name, value, "hold at least two numbers in [0, 1]")
    require(numbers[0] < 1.0 and numbers[-1] > 0.0, name, value, "not be all 0 nor all 1")
    return tuple(numbers)


@dataclass(frozen=True)
class Quantile(Law):
    """The law of a table of numbers, squeezed towards 0 or 1 to have a certain mean.

    With q the quantile function of the table and m its mean, the reward is

        q(u) · mean / m                      if mean ≤ m,
        1 − (1 − q(u)) (1 − mean) / (1 − m)  otherwise,

    which stays in [0, 1] and has exactly the expectation `mean`.

    Parameters: `table`, at least two numbers in [0, 1], not all 0 nor all 1; it is stored sorted.
    With `linear` the numbers are the quantiles at 0, 1/(n−1), …, 1 and q is a straight line between
    them; without it all numbers are equally likely, as in a sample of past rewards.

    >>> sample = Quantile(table=(0.0, 0.2, 0.4, 1.0), linear=False)  # its mean is 0.4
    >>> [round(sample.reward(u, 0.4), 9) for u in (0.2, 0.4, 0.6, 0.8)]
    [0.0, 0.2, 0.4, 1.0]
    >>> [round(sample.reward(u, 0.2), 9) for u in (0.2, 0.4, 0.6, 0.8)]
    [0.0, 0.1, 0.2, 0.5]
    """

    table: Annotated[Sequence[float], Checked(sorted_table)]
    linear: Annotated[bool, Flag()] = True

    name: ClassVar[str] = "quantile"

    def parameters(self) -> NDArray[np.float64]:
        """Return the mean of the table, 1 if it is linear and else 0, and the table."""
        table = np.array(self.table)
        mean = (table[1:] + table[:-1]).mean() / 2.0 if self.linear else table.mean()
        return np.concatenate([[mean, float(self.linear)], table])

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return the squeezed table quantile of u."""
        centre: float = parameters[0]
        size = parameters.size - 2
        if parameters[1] > 0.0:
            place = u * (size - 1)
            index = min(int(place), size - 2)
            left, right = parameters[2 + index], parameters[3 + index]
            x: float = left + (right - left) * (place - index)
        else:
            x = parameters[2 + min(int(u * size), size - 1)]
        if mean <= centre:
            return x * (mean / centre)
        return 1.0 - (1.0 - x) * ((1.0 - mean) / (1.0 - centre))
