"""Rewards with Gaussian noise around any mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import NonNegative
from driftbandit.core.numerics import normal_quantile
from driftbandit.environments.laws.noise import Noise


@dataclass(frozen=True)
class GaussianNoise(Noise):
    """X = mean + σ Z with Z standard normal.

    Parameters: `sigma` σ, 0 or more.

    >>> GaussianNoise(0.5).reward(0.5, -0.25)
    -0.25
    """

    sigma: NonNegative = 1.0

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return the normal quantile of u, scaled and shifted."""
        return mean + parameters[0] * normal_quantile(u)  # type: ignore[no-any-return]  # a float
