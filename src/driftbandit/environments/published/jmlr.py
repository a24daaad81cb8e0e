"""The problems of Besson, Kaufmann, Maillard & Seznec in the Journal of Machine Learning Research.

Reference: Besson, Kaufmann, Maillard & Seznec, *Efficient change-point detection for tackling
piecewise-stationary bandits*, JMLR 23(77), 2022. The means of problems 3 and 4 are those of the
authors' data files, to six digits.
"""

from __future__ import annotations

from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.piecewise import Piecewise
from driftbandit.environments.published.besson import ONE, TWO
from driftbandit.environments.published.segments import Rows, in_segments
from driftbandit.environments.random_piecewise import RandomPiecewise

WORSE_BECOMES_GOOD = (
    (0.276867, 0.181718, 0.566672, 0.013009, 0.593762),
    (0.507014, 0.181718, 0.566672, 0.281319, 0.710719),
    (0.507014, 0.181718, 0.566672, 0.163093, 0.357508),
    (0.168061, 0.181718, 0.411226, 0.163093, 0.357508),
    (0.168061, 0.181718, 0.411226, 0.163093, 0.025987),
    (0.436395, 0.406233, 0.473397, 0.558705, 0.025987),
)
ONE_CHANGE_MATTERS = (
    (0.243444, 0.515031, 0.196162, 0.948859, 0.568944),
    (0.366386, 0.515031, 0.196162, 0.881139, 0.836464),
    (0.302970, 0.163457, 0.291963, 0.653988, 0.836464),
    (0.251340, 0.533687, 0.291963, 0.653988, 0.836464),
    (0.251340, 0.533687, 0.291963, 0.580132, 0.836464),
    (0.251340, 0.533687, 0.291963, 0.580132, 0.997898),
)
HORIZON = 20_000


def _reversed_arms(rows: Rows) -> Rows:
    return [tuple(reversed(row)) for row in rows]


def jmlr_1(horizon: int = HORIZON, *, law: Law = COIN) -> Piecewise:
    """Problem 1 of the JMLR paper: Besson's problem 1, its arms in reverse order.

    >>> jmlr_1().breakpoints, jmlr_1().means[0]
    ((4001, 8001, 12001, 16001), (0.9, 0.5, 0.3))
    """
    return in_segments(_reversed_arms(ONE), horizon, law)


def jmlr_2(horizon: int = HORIZON, *, law: Law = COIN) -> Piecewise:
    """Problem 2 of the JMLR paper: Besson's problem 2, its arms in reverse order.

    >>> jmlr_2().means[4]
    (0.1, 0.1, 0.8)
    """
    return in_segments(_reversed_arms(TWO), horizon, law)


def jmlr_3(*, law: Law = COIN) -> Piecewise:
    """Problem 3 of the JMLR paper: five arms; the worst arm ends as the best.

    >>> jmlr_3().best_arm()[[0, -1]].tolist()
    [4, 3]
    """
    rounds = (6947, 9400, 10887, 13633, 16254)
    return Piecewise(rounds, WORSE_BECOMES_GOOD, horizon=HORIZON, law=law)


def jmlr_4(*, law: Law = COIN) -> Piecewise:
    """Problem 4 of the JMLR paper: five arms, five breakpoints; the best arm changes once.

    >>> best = jmlr_4().best_arm()
    >>> int((best[1:] != best[:-1]).sum())
    1
    """
    rounds = (7388, 8403, 11866, 15716, 18183)
    return Piecewise(rounds, ONE_CHANGE_MATTERS, horizon=HORIZON, law=law)


def jmlr_random(horizon: int = HORIZON, *, law: Law = COIN) -> RandomPiecewise:
    """Random problems of the JMLR paper: five arms, six breakpoints, a new problem per run.

    At a breakpoint each arm moves with probability 1/2 by ±U[0.05, 0.3]; breakpoints are at least
    T/20 apart. Here all choices of breakpoints are equally likely. The authors' program draws eight
    rounds and leaves out the first and the last, which makes the two outer segments longer.

    >>> jmlr_random().spacing
    1000
    """
    return RandomPiecewise(horizon=horizon, law=law)
