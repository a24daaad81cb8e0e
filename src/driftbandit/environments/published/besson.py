"""The piecewise-stationary problems of Lilian Besson's thesis and of the program behind it.

Reference: L. Besson, *Multi-players bandit algorithms for Internet of Things networks*, PhD thesis,
2019, chapter 6; Besson & Kaufmann, *The generalized likelihood ratio test meets klUCB*, 2019. The
means are those of the public program SMPyBandits, where they have other numbers: the thesis's
problem 3 is number 5 there, and number 3 there is in no table. The thesis's problem 5, a table of
82 rows, is left out.
"""

from __future__ import annotations

from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.piecewise import Piecewise
from driftbandit.environments.published.segments import in_segments

ONE = (
    (0.3, 0.5, 0.9),
    (0.3, 0.2, 0.9),
    (0.3, 0.2, 0.1),
    (0.7, 0.2, 0.1),
    (0.7, 0.5, 0.1),
)
TWO = (
    (0.4, 0.5, 0.9),
    (0.5, 0.4, 0.7),
    (0.6, 0.3, 0.5),
    (0.7, 0.2, 0.3),
    (0.8, 0.1, 0.1),
)
CLICKS = (
    (0.071, 0.041, 0.032, 0.030, 0.020, 0.011),
    (0.055, 0.053, 0.032, 0.030, 0.008, 0.011),
    (0.040, 0.063, 0.032, 0.030, 0.008, 0.011),
    (0.040, 0.042, 0.043, 0.030, 0.008, 0.011),
    (0.030, 0.032, 0.055, 0.030, 0.008, 0.011),
    (0.030, 0.032, 0.020, 0.030, 0.008, 0.021),
    (0.020, 0.022, 0.020, 0.045, 0.008, 0.021),
    (0.020, 0.022, 0.020, 0.057, 0.008, 0.011),
    (0.020, 0.022, 0.034, 0.057, 0.022, 0.011),
)
FOUR = (
    (0.1, 0.5, 0.9),
    (0.3, 0.4, 0.1),
    (0.5, 0.3, 0.2),
    (0.7, 0.4, 0.3),
    (0.1, 0.5, 0.2),
)
CONFIG_THREE = (
    (0.1, 0.2, 0.9),
    (0.4, 0.9, 0.1),
    (0.5, 0.1, 0.2),
    (0.2, 0.2, 0.3),
)


def besson_1(horizon: int = 5_000, *, law: Law = COIN) -> Piecewise:
    """Besson's problem 1: three arms, five equal segments, one arm changes at a time.

    Υ = 4 breakpoints, 4 changes of an arm; the best arm changes once.

    >>> besson_1().breakpoints
    (1001, 2001, 3001, 4001)
    """
    return in_segments(ONE, horizon, law)


def besson_2(horizon: int = 5_000, *, law: Law = COIN) -> Piecewise:
    """Besson's problem 2: three arms, five equal segments, all arms change together.

    Υ = 4 breakpoints, 12 changes of an arm; the best arm changes once.

    >>> besson_2().means[2]
    (0.6, 0.3, 0.5)
    """
    return in_segments(TWO, horizon, law)


def besson_3(horizon: int = 20_000, *, law: Law = COIN) -> Piecewise:
    """Besson's problem 3: click rates of six articles, nine equal segments.

    Υ = 8 breakpoints, 19 changes of an arm. The rates were read by Cao, Wen, Kveton & Xie (2019)
    from logs of the Yahoo! front page; the largest is 0.071, so a round tells little.

    >>> besson_3().breakpoints[:2], besson_3().arms
    ((2223, 4445), 6)
    """
    return in_segments(CLICKS, horizon, law)


def besson_4(horizon: int = 5_000, *, law: Law = COIN) -> Piecewise:
    """Besson's problem 4: three arms, a first segment of T/2 and four of T/8.

    >>> besson_4().breakpoints
    (2501, 3126, 3751, 4376)
    """
    return in_segments(FOUR, horizon, law, ends=(4, 5, 6, 7), parts=8)


def besson_config_3(horizon: int = 5_000, *, law: Law = COIN) -> Piecewise:
    """Configuration 3 of Besson's program, in none of his tables: three arms, four segments.

    >>> besson_config_3().breakpoints
    (1251, 2501, 3751)
    """
    return in_segments(CONFIG_THREE, horizon, law)
