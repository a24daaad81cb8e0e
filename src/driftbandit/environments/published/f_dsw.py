"""The synthetic test of Cavenaghi, Sottocornola, Stella & Zanker.

Reference: *Non stationary multi-armed bandit: empirical evaluation of a new concept drift-aware
algorithm*, Entropy 23(3), 2021.
"""

from __future__ import annotations

from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.piecewise import Piecewise


def f_dsw_1(*, law: Law = COIN) -> Piecewise:
    """Test 1 of the f-dsw paper: four arms, 1,000 rounds; the best arm falls to 0 twice.

    The means change after rounds 251 and 501.

    >>> f_dsw_1().breakpoints, f_dsw_1().horizon
    ((252, 502), 1000)
    """
    rows = ((0.9, 0.7, 0.1, 0.3), (0.0, 0.7, 0.1, 0.3), (0.0, 0.0, 0.1, 0.3))
    return Piecewise((252, 502), rows, horizon=1_000, law=law)
