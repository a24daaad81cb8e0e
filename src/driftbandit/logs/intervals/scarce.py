"""Intervals where nearly all rewards of a policy's rows are alike, so that they show no noise."""

from __future__ import annotations

import math

from driftbandit.core.numerics import beta_quantile

LEAST_EACH = 10.0
"""With fewer successes or failures than this, the noise among them says too little."""


def is_scarce(share: float, effective: float) -> bool:
    """Say whether so many effective rows with this share of successes have too few of a kind.

    >>> is_scarce(0.01, 500), is_scarce(0.03, 500), is_scarce(1.0, 500)
    (True, False, True)
    """
    return effective * min(share, 1.0 - share) < LEAST_EACH


def binomial_interval(share: float, effective: float, level: float) -> tuple[float, float]:
    """Return the interval of a share of so many effective rows, as if they had equal weights.

    Reference: Clopper & Pearson, *The use of confidence or fiducial limits illustrated in the case
    of the binomial*, Biometrika 26, 1934; here with numbers that need not be whole.

    >>> low, high = binomial_interval(0.0, 122.0, 0.95)
    >>> low, round(high, 4)
    (0.0, 0.0298)
    """
    share = min(max(share, 0.0), 1.0)
    hits, misses, tail = effective * share, effective * (1.0 - share), 0.5 - 0.5 * level
    low = beta_quantile(tail, hits, misses + 1.0) if hits > 0.0 else 0.0
    high = beta_quantile(1.0 - tail, hits + 1.0, misses) if misses > 0.0 else 1.0
    return low, high


def least_error(share: float, effective: float) -> float:
    """Return a standard error of such a share, with one more success and one more failure.

    >>> round(least_error(0.0, 98.0), 5)
    0.01005
    """
    share = min(max(share, 0.0), 1.0)
    middle = (effective * share + 1.0) / (effective + 2.0)
    return math.sqrt(middle * (1.0 - middle) / effective)
