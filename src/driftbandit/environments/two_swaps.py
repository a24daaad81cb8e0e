"""The paper's first example: the best arm changes twice."""

from __future__ import annotations

from driftbandit.core.errors import whole
from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.piecewise import Piecewise


def two_swaps(horizon: int = 10_000, *, law: Law = COIN) -> Piecewise:
    """Return the paper's world of three arms, in which the last arm is best for a while.

    With T = 10,000 the means are 0.5, 0.3 and 0.4; in rounds 3000 ≤ t < 5000 the last arm has 0.9.
    With another horizon the breakpoints move in proportion.

    Reference: Garivier & Moulines, *On upper-confidence bound policies for non-stationary bandit
    problems*, 2008, section 5.

    >>> two_swaps().breakpoints
    (3000, 5000)
    >>> two_swaps(horizon=500).breakpoints
    (150, 250)
    """
    rounds = whole("horizon", horizon, least=10)
    first, second = round(0.3 * rounds), round(0.5 * rounds)
    usual, better = (0.5, 0.3, 0.4), (0.5, 0.3, 0.9)
    return Piecewise((first, second), (usual, better, usual), horizon=rounds, law=law)
