"""The synthetic tests of Cavenaghi, Sottocornola, Stella & Zanker: four arms, 1,000 rounds.

Reference: *Non stationary multi-armed bandit: empirical evaluation of a new concept drift-aware
algorithm*, Entropy 23(3), 2021. The authors' program names rounds 250 and 500, counted from 0; in
its results the means change one round later, after 251 and 501 rounds.
"""

from __future__ import annotations

from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.piecewise import Piecewise

CHANGES, HORIZON = (252, 502), 1_000


def f_dsw_1(*, law: Law = COIN) -> Piecewise:
    """Test 1 of the f-dsw paper: four arms, 1,000 rounds; the best arm falls to 0 twice.

    The means change after rounds 251 and 501.

    >>> f_dsw_1().breakpoints, f_dsw_1().horizon
    ((252, 502), 1000)
    """
    rows = ((0.9, 0.7, 0.1, 0.3), (0.0, 0.7, 0.1, 0.3), (0.0, 0.0, 0.1, 0.3))
    return Piecewise(CHANGES, rows, horizon=HORIZON, law=law)


def f_dsw_2(*, law: Law = COIN) -> Piecewise:
    """Test 2 of the f-dsw paper: an arm without any reward becomes the best, twice.

    >>> f_dsw_2().best_arm()[[0, 251, 501]].tolist()
    [3, 0, 1]
    """
    rows = ((0.0, 0.0, 0.1, 0.3), (0.7, 0.0, 0.1, 0.3), (0.7, 0.9, 0.1, 0.3))
    return Piecewise(CHANGES, rows, horizon=HORIZON, law=law)


def f_dsw_3(*, law: Law = COIN) -> Piecewise:
    """Test 3 of the f-dsw paper: nothing changes.

    >>> f_dsw_3().means, f_dsw_3().find_breakpoints()
    (((0.2, 0.3, 0.4, 0.5),), [])
    """
    return Piecewise((), ((0.2, 0.3, 0.4, 0.5),), horizon=HORIZON, law=law)
