"""The slow, obvious truth about drift: all ways to cut, every bet on its own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def worth(
    counts: Sequence[float], sums: Sequence[float], borders: Sequence[int], dispersion: float
) -> float:
    """Return twice the log-likelihood of coins with one mean per level, over the dispersion."""
    ends = [0, *borders, len(counts)]
    total = 0.0
    for first, last in itertools.pairwise(ends):
        n, s = sum(counts[first:last]), sum(sums[first:last])
        for part in (s, n - s):
            if part > 0.0:
                total += part * math.log(part / n)
    return 2.0 * total / dispersion


def best_cut(
    counts: Sequence[float], sums: Sequence[float], dispersion: float, cost: float
) -> float:
    """Return the largest worth minus the costs of changes, over all ways to cut."""
    cells = range(1, len(counts))
    return max(
        worth(counts, sums, borders, dispersion) - cost * size
        for size in range(len(counts))
        for borders in itertools.combinations(cells, size)
    )


def coin_bet(rewards: Sequence[float], mean: float, stake: float) -> float:
    """Return the logarithm of what a bet against a mean has won, reward by reward."""
    return sum(stake * x - math.log(1.0 + math.expm1(stake) * mean) for x in rewards)


def spread_bet(rewards: Sequence[float], mean: float, stake: float, guess: float) -> float:
    """Return the same for a bet that knows how rewards spread around a guess."""
    price = -math.log(1.0 - stake) - stake
    return sum(stake * (x - mean) - price * (x - guess) ** 2 for x in rewards)


def fitted_line_gain(y: Floats, variance: Floats, columns: Floats, slow: Floats) -> float:
    """Return by how much the weighted sum of squares falls if columns join the slow ones."""
    left = []
    for design in (slow, np.column_stack([slow, columns])):
        scaled = design / np.sqrt(variance)[:, None]
        answer = np.linalg.lstsq(scaled, y / np.sqrt(variance), rcond=None)[0]
        left.append(float(((y / np.sqrt(variance) - scaled @ answer) ** 2).sum()))
    return left[0] - left[1]


def least_distance(low: Sequence[float], high: Sequence[float]) -> float:
    """Return the shortest way through all intervals, whose turns are at their ends."""
    ends = sorted({*low, *high})
    costs = {end: 0.0 if low[0] <= end <= high[0] else math.inf for end in ends}
    for lower, upper in zip(low[1:], high[1:], strict=True):
        costs = {
            end: min(cost + abs(end - other) for other, cost in costs.items())
            if lower <= end <= upper
            else math.inf
            for end in ends
        }
    return min(costs.values())
