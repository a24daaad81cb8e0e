"""The levels of a rate: constant between changes, as few changes as the rewards insist on."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from driftbandit.logs.rows import Floats

Borders = NDArray[np.int64]


def penalty(miss: float, cells: int) -> float:
    """Return what a change costs, in units of twice a log-likelihood: 2 log(1/α) + 1.1 log m − 0.9.

    So much must the likelihood gain per change. With m cells of rewards that all have one mean,
    `steps` finds changes with probability α at most (`miss`). Not proved: fitted to the quantiles
    of simulated logs with 10 to 300 cells, and checked in tests/logs/drift/test_steps.py.
    """
    return max(2.0 * math.log(1.0 / miss) + 1.1 * math.log(max(cells, 2)) - 0.9, 1.0)


def steps(counts: Floats, sums: Floats, dispersion: float, cost: float) -> Borders:
    """Return the cells at which a new level begins, without the first: optimal partitioning.

    It maximises 2/φ Σ_j n_j (m_j log m_j + (1 − m_j) log(1 − m_j)) − `cost` · (levels − 1) over all
    ways to cut the cells into levels j with n_j rewards and the mean m_j; φ is the `dispersion`,
    how many times the variance is that of coins. Exact, in O(m²).

    Reference: Jackson et al. 2005, *An algorithm for optimal partitioning of data on an interval*.

    >>> steps(np.full(6, 50.0), np.array([10.0, 11.0, 9.0, 30.0, 31.0, 29.0]), 1.0, 10.0).tolist()
    [3]
    """
    n = np.concatenate([[0.0], np.cumsum(counts)])
    s = np.concatenate([[0.0], np.cumsum(sums)])
    best = np.zeros(len(n))
    before = np.zeros(len(n), dtype=np.int64)
    best[0] = cost  # the first level costs nothing
    for end in range(1, len(n)):
        total = best[:end] - cost + 2.0 / dispersion * gain(n[end] - n[:end], s[end] - s[:end])
        before[end] = int(total.argmax())
        best[end] = total[before[end]]
    borders, place = [], int(before[-1])
    while place > 0:
        borders.append(place)
        place = int(before[place])
    return np.array(borders[::-1], dtype=np.int64)


def gain(n: Floats, s: Floats) -> Floats:
    """Return the log-likelihood of coins with the mean s/n: s log(s/n) + (n − s) log(1 − s/n)."""
    rest = n - s
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.where(s > 0.0, s * np.log(s / n), 0.0)
        down = np.where(rest > 0.0, rest * np.log(rest / n), 0.0)
    value: Floats = up + down
    return value


def levels(counts: Floats, sums: Floats, borders: Borders) -> tuple[Floats, Floats]:
    """Return how many rewards each level has, and their mean."""
    starts = np.concatenate([[0], borders])
    n = np.add.reduceat(counts, starts)
    return n, np.add.reduceat(sums, starts) / n
