"""The smoothly changing problems of the sliding-window Thompson sampling papers.

Reference: Combes & Proutière, *Unimodal bandits: regret lower bounds and optimal algorithms*, 2014;
Trovò, Paladino, Restelli & Gatti, *Sliding-window Thompson sampling for non-stationary settings*,
2020.
"""

from __future__ import annotations

from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.sinusoid import Sinusoid


def sinusoid_fast(horizon: int = 10_000, *, law: Law = COIN) -> Sinusoid:
    """Five arms under a peak that moves with σ = 0.001: 1.6 cycles in 10,000 rounds.

    >>> sinusoid_fast().sigma
    0.001
    """
    return Sinusoid(0.001, horizon=horizon, law=law)


def sinusoid_slow(horizon: int = 10_000, *, law: Law = COIN) -> Sinusoid:
    """Five arms under a peak that moves with σ = 0.0001: from arm 3 to arm 5 in 10,000 rounds.

    >>> (sinusoid_slow().best_arm()[[0, -1]] + 1).tolist()
    [3, 5]
    """
    return Sinusoid(0.0001, horizon=horizon, law=law)
