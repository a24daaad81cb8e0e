"""Tables for the clipped Gaussian law: normal quantiles, and the location by the mean."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.numerics import cell_value, cells_of, normal_quantile
from driftbandit.environments.laws.lookup import REACH, Lookup, Quantiles, grid, shares

Array = NDArray[np.float64]

MEAN_REACH = 24.0
"""The log odds of means that a table covers: from 4e-11 to 1 − 4e-11."""
CELLS, MEAN_CELLS = 16, 32
"""Cells per unit of the log odds of the luck, and of the mean."""
NORMAL = 1
"""Where the normal quantiles begin, behind σ."""
LOCATION = NORMAL + 6 * round(2 * REACH * CELLS)
"""Where the locations begin."""


@dataclasses.dataclass(frozen=True)
class NormalRow(Lookup):
    """Clipped normal quantiles, to 1e-11 + 6e-11 σ."""

    location: Callable[[float, float], float]
    """Return ℓ by a mean up to ½, and σ."""

    by_odds: ClassVar[bool] = True

    @staticmethod
    def look_up(odds: float, mean_odds: float, mean: float, parameters: Array) -> float:
        """Return the location of the mean, with the noise of the luck, clipped."""
        place, mean_place = (odds + REACH) * CELLS, (mean_odds + MEAN_REACH) * MEAN_CELLS
        lucky = 0.0 <= place < 2.0 * REACH * CELLS
        usual = 0.0 <= mean_place < 2.0 * MEAN_REACH * MEAN_CELLS
        if not lucky or not usual or parameters.size == 1:
            return math.nan
        noise: float = parameters[0] * cell_value(parameters, NORMAL, place)
        location = cell_value(parameters, LOCATION, mean_place)
        return min(1.0, max(0.0, location + noise))

    def nothing(self) -> Array:
        """Return σ alone."""
        return self.law.parameters()

    def table(self, quantiles: Quantiles) -> Array:
        """Return normal quantiles and locations; these are symmetric about ½."""
        (sigma,) = self.law.parameters().tolist()
        noise = [normal_quantile(float(u)) for u in shares(grid(REACH, CELLS, 2))]
        means = shares([odds for odds in grid(MEAN_REACH, MEAN_CELLS, 2) if odds <= 0.0])
        below = np.array([self.location(float(mean), sigma) for mean in means])
        locations = np.concatenate([below, 1.0 - below[-2::-1]])
        return np.concatenate(
            [[sigma], cells_of(np.array(noise)).ravel(), cells_of(locations).ravel()]
        )
