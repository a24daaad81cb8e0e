"""Rewards with Gaussian noise, clipped to [0, 1] without moving the mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Real
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import normal_cdf, normal_quantile
from driftbandit.environments.laws.law import Law
from driftbandit.environments.laws.lookup import Lookup
from driftbandit.environments.laws.normal_row import NormalRow


@dataclass(frozen=True)
class ClippedGaussian(Law):
    """X = min(1, max(0, ℓ + σ Z)) with Z standard normal and ℓ such that E X is exactly `mean`.

    Clipping N(mean, σ²) itself would move the mean towards ½; here the location ℓ solves

        E X = σ [H(ℓ/σ) − H((ℓ−1)/σ)] = mean,  H(z) = z Φ(z) + φ(z).

    E X is log-concave in ℓ, so Newton's method on its logarithm always converges. At mean 0 or 1
    the reward is 0 or 1. `simulate` looks rewards up, which moves them by at most 1e-11 + 6e-11 σ.

    Parameters: `sigma` σ in (0, 10], the noise before clipping.

    >>> law = ClippedGaussian(sigma=0.1)
    >>> [round(law.reward(u, 0.5), 4) for u in (1e-9, 0.1, 0.5, 0.9)]
    [0.0, 0.3718, 0.5, 0.6282]
    """

    sigma: Annotated[float, Real("(0, 10]")] = 0.1

    name: ClassVar[str] = "gaussian"

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return the clipped normal quantile of u."""
        if mean <= 0.0:
            return 0.0
        if mean >= 1.0:
            return 1.0
        sigma: float = parameters[0]
        location = _location(min(mean, 1.0 - mean), sigma)
        if mean > 0.5:
            location = 1.0 - location
        return min(1.0, max(0.0, location + sigma * normal_quantile(u)))

    def lookup(self, means: Sequence[float] | None) -> Lookup:
        """Return normal quantiles and locations of all means."""
        return NormalRow(self, _location)


@compilable
def _location(mean: float, sigma: float) -> float:
    """Return ℓ for a mean of at most ½ (the law is symmetric about ½)."""
    # Left of −37σ the clipped mean is 0 to all digits.
    lowest, location = -37.0 * sigma, mean
    for _ in range(100):
        z, w = location / sigma, (location - 1.0) / sigma
        clipped = sigma * (_hinge(z) - _hinge(w))
        if clipped <= 0.0:
            break
        slope = (normal_cdf(z) - normal_cdf(w)) / clipped
        following = max(lowest, location - math.log(clipped / mean) / slope)
        if abs(following - location) <= 1e-15 * (sigma + abs(location)):
            break
        location = following
    return location


@compilable
def _hinge(z: float) -> float:
    """Return E max(0, z + Z) = z Φ(z) + φ(z)."""
    return z * normal_cdf(z) + 0.3989422804014327 * math.exp(-0.5 * z * z)
