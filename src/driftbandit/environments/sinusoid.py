"""A world whose best arm moves from the first arm to the last and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Count, NonNegative
from driftbandit.environments.parameters import rounds_between
from driftbandit.environments.world import World


@dataclass(frozen=True)
class Sinusoid(World):
    """A peak that slides over the arms: μ_t(i) = B ((K − 1)/K − |w(t) − i|/K), arms i = 1, …, K.

    The peak is at w(t) = 1 + (K − 1)(1 + sin(σt))/2. The best arm is the one nearest to it; its
    lead is small when the peak is half-way between two arms.

    Parameters: `sigma`, σ, in radians per round; `arms`, K; `horizon`, the last round.

    Reference: Combes & Proutière, *Unimodal bandits: regret lower bounds and optimal algorithms*,
    2014; Trovò, Paladino, Restelli & Gatti, *Sliding-window Thompson sampling for non-stationary
    settings*, 2020.

    >>> world = Sinusoid()
    >>> world.mean_rewards(1571, 1571).round(3).tolist()
    [[0.0, 0.2, 0.4, 0.6, 0.8]]
    """

    sigma: NonNegative = 0.001
    arms: Count = 5
    horizon: Count = 10_000

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        rounds = rounds_between(first, last, self.horizon)
        peak = 1.0 + (self.arms - 1) * (1.0 + np.sin(self.sigma * rounds)) / 2.0
        lag = np.abs(peak[:, None] - np.arange(1, self.arms + 1))
        # The farthest arm has the mean 0, and rounding may go below it.
        means: NDArray[np.float64] = self.bound * np.maximum(self.arms - 1 - lag, 0.0) / self.arms
        return means
