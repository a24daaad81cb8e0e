"""In how many rounds an index misleads: the sums at the end of both theorems' proofs.

In round t the clock is n. The probability that the mean of an arm is off by its padding is at most
D exp(−2ξ log n / cosh²(L / 4D)). Here L is the logarithm of the ratio of the largest to the least
possible number of plays, and D is the number of slices of this range, chosen to minimise the bound.
(With 1 + η = e^(L/D), this is the paper's inequality in its sharp form.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SINGLE = 256
"""Rounds that are summed one by one; later ones are summed by stretches."""
STRETCH = 1.01
"""Ratio of the end of a stretch to its start."""
SLICES = np.arange(1.0, 97.0)
"""Numbers of slices to try; for 10¹² rounds about 40 are best."""


def failures(
    first: int,
    last: int,
    clock: Callable[[Array], Array],
    ranges: Callable[[Array, Array], tuple[Array, Array]],
    xi: float,
) -> float:
    """Bound Σ_{t=first}^{last} P(the arm is overrated or the best one underrated in round t).

    `clock(t)` is the clock in round t and never decreases. `ranges(start, end)` returns, for each
    event, an upper bound on the logarithm of the range of plays within a stretch, or −∞ where the
    event cannot happen.

    >>> alone = failures(3, 1000, lambda t: t - 1, lambda a, b: (np.log(b), np.log(b)), xi=0.6)
    >>> 10 < alone < 100
    True
    """
    if first > last:
        return 0.0
    start, end = _stretches(first, last)
    log_n = np.log(clock(start))
    chance = sum(tail(xi * log_n, width) for width in ranges(start, end))
    return float(((end - start + 1.0) * np.minimum(chance, 1.0)).sum())


def tail(exponent: Array, log_range: Array) -> Array:
    """Return min(1, min_D D exp(−2 exponent / cosh²(log_range / 4D))); 0 where the range is empty.

    >>> tail(np.array([3.0, 3.0]), np.array([0.0, -np.inf])).round(6).tolist()
    [0.002479, 0.0]
    """
    width = np.maximum(log_range, 0.0)[:, None]
    each = SLICES * np.exp(-2.0 * exponent[:, None] / np.cosh(width / (4.0 * SLICES)) ** 2)
    chance: Array = np.minimum(each.min(axis=1), 1.0)
    return np.where(log_range == -np.inf, 0.0, chance)


def _stretches(first: int, last: int) -> tuple[Array, Array]:
    """Cut the rounds into stretches, single rounds first; return their first and last rounds.

    >>> start, end = _stretches(3, 1000)
    >>> start[0], end[-1], bool((start[1:] == end[:-1] + 1).all())
    (np.float64(3.0), np.float64(1000.0), True)
    """
    single = np.arange(first, min(first + SINGLE, last + 1), dtype=np.float64)
    count = max(1, int(np.ceil(np.log(last / single[-1]) / np.log(STRETCH))) + 1)
    later = np.unique(np.floor(np.geomspace(single[-1], last, count)))[1:]
    end = np.unique(np.concatenate([single, later, [float(last)]]))
    start = np.concatenate([[float(first)], end[:-1] + 1.0])
    return start, end
