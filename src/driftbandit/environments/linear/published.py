"""The two linear worlds on which D-LinUCB was published.

Reference: Russac, Vernade & Cappé, *Weighted linear bandits for non-stationary environments*, 2019.
"""

from __future__ import annotations

from driftbandit.environments.laws import GaussianNoise
from driftbandit.environments.linear.actions import Ball
from driftbandit.environments.linear.piecewise import PiecewiseLinear
from driftbandit.environments.linear.rotating import Rotating


def abrupt(number: int = 50, sigma: float = 1.0) -> PiecewiseLinear:
    """θ = (1, 0), then (−1, 0), (0, 1) and (0, −1): 1,000 rounds each, the last up to round 6,000.

    K = `number` actions of the ball, d = 2, Gaussian noise of σ = `sigma`.

    Reference: Russac, Vernade & Cappé 2019, the first experiment.

    >>> round(abrupt().variation(), 3)
    5.414
    """
    thetas = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
    actions, law = Ball(number), GaussianNoise(sigma)
    return PiecewiseLinear((1_001, 2_001, 3_001), thetas, 6_000, actions=actions, law=law)


def slow(number: int = 50, sigma: float = 1.0) -> Rotating:
    """θ turns from (1, 0) to (0, 1) in 3,000 rounds and stays there up to round 6,000.

    K = `number` actions of the ball, d = 2, Gaussian noise of σ = `sigma`.

    Reference: Russac, Vernade & Cappé 2019, the second experiment.

    >>> round(slow().variation(), 3)
    1.571
    """
    return Rotating(horizon=6_000, actions=Ball(number), law=GaussianNoise(sigma))
