"""A quicker way to the rewards of a law: a table made once, and looked up in every round."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import require
from driftbandit.core.numerics import log_odds
from driftbandit.core.value import Value

if TYPE_CHECKING:
    from driftbandit.environments.laws.law import Law

Array = NDArray[np.float64]
Quantiles = Callable[[Array, Array], Array]
"""The rewards of a law, by its `quantile`, for uniform numbers and means."""

REACH = 12.0
"""A table covers luck with log odds from −12 to 12: all but 1.2 in 100,000 numbers."""


@dataclasses.dataclass(frozen=True)
class Lookup:
    """How the rewards of a law are looked up, and what in.

    Machine code computes the log odds of the luck for all lanes at once, then calls `look_up` for
    each. Where this returns NaN, the reward is what the law's `quantile` says.
    """

    law: Law

    def __post_init__(self) -> None:
        """Check the law."""
        fits = isinstance(self.law, Value) and hasattr(self.law, "quantile")
        require(fits, "law", self.law, "be a law of rewards")

    by_odds: ClassVar[bool] = False
    """Whether `look_up` reads the log odds of the mean."""

    @staticmethod
    def look_up(odds: float, mean_odds: float, mean: float, parameters: Array) -> float:
        """Return the reward for luck with these log odds, or NaN where the table ends.

        Compiled like a law's `quantile`.
        """
        raise NotImplementedError

    def nothing(self) -> Array:
        """Return parameters with which `look_up` always returns NaN.

        They begin with the law's own, as those with a table do.
        """
        raise NotImplementedError

    def table(self, quantiles: Quantiles) -> Array:
        """Return parameters with a table, made of what `quantiles` returns."""
        raise NotImplementedError

    def reward(self, u: float, mean: float, parameters: Array) -> float:
        """Return what machine code pays for a uniform number, to the last bit."""
        reward = self.look_up(log_odds(u), log_odds(mean), mean, parameters)
        return self.law.quantile(u, mean, parameters) if math.isnan(reward) else reward


def grid(reach: float, per_unit: int, margin: int) -> list[float]:
    """Return the nodes from −reach to reach, and some more at both ends.

    >>> grid(1.0, 2, 1)
    [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5]
    """
    most = round(reach * per_unit) + margin
    return [node / per_unit for node in range(-most, most + 1)]


def shares(odds: list[float]) -> Array:
    """Return the numbers of (0, 1) with these log odds.

    >>> shares([0.0]).tolist()
    [0.5]
    """
    return np.array([1.0 / (1.0 + math.exp(-each)) for each in odds])
