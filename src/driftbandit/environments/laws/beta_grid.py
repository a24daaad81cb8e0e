"""A table of beta quantiles for means that move: a spline in the log odds of luck and mean."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.numerics import spline_error, spline_of, spline_value
from driftbandit.environments.laws.lookup import Lookup, Quantiles, grid, shares

Array = NDArray[np.float64]

LUCK_REACH, MEAN_REACH = 9.0, 8.0
"""The log odds of luck and of means that a grid covers."""
NODES, MARGIN = 16, 8
"""Nodes per unit of the log odds, and those beyond the reach at each end."""
WIDTH = 2 * (round(LUCK_REACH) * NODES + MARGIN) + 1
"""Nodes per row of the grid."""
ERROR = 2.1e-6
"""How far a reward is from the quantile, at most."""
LEAST_CONCENTRATION = 1.0
"""Below, the quantile changes too fast with the mean for a grid of this size."""


@dataclasses.dataclass(frozen=True)
class BetaGrid(Lookup):
    """Beta quantiles of any mean, to 2e-6, and to 7e-7 for a concentration from 2 on."""

    by_odds: ClassVar[bool] = True

    @staticmethod
    def look_up(odds: float, mean_odds: float, mean: float, parameters: Array) -> float:
        """Return the value of the spline."""
        known = abs(odds) < LUCK_REACH and abs(mean_odds) < MEAN_REACH and parameters.size > 1
        if not known:
            return math.nan
        place = (odds + LUCK_REACH) * NODES + MARGIN
        row = (mean_odds + MEAN_REACH) * NODES + MARGIN
        return min(1.0, max(0.0, spline_value(parameters, 1, WIDTH, place, row)))

    def nothing(self) -> Array:
        """Return the concentration alone."""
        return self.law.parameters()

    def table(self, quantiles: Quantiles) -> Array:
        """Return the spline, if it is exact enough; means above ½ mirror those below."""
        luck = shares(grid(LUCK_REACH, NODES, MARGIN))
        means = shares([odds for odds in grid(MEAN_REACH, NODES, MARGIN) if odds <= 0.0])
        every_luck, every_mean = np.tile(luck, means.size), np.repeat(means, luck.size)
        below = quantiles(every_luck, every_mean).reshape(means.size, luck.size)
        nodes = np.concatenate([below, 1.0 - below[-2::-1, ::-1]])
        if spline_error(nodes) > ERROR:
            return self.nothing()
        return np.concatenate([self.law.parameters(), spline_of(nodes).ravel()])
