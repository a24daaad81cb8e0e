"""Bands around rates in stretches of time, by bets on sums: no row is looked at again."""

from __future__ import annotations

import math

import numpy as np

from driftbandit.logs.evidence import Evidence, Tally
from driftbandit.logs.rows import Floats

MOST_WINDOWS = 60
PER_WINDOW = 200
"""Rows per window and arm, on average."""

FACTORS = np.array([0.25, 0.5, 1.0, 2.0, 4.0])
MASSES = np.array([0.05, 0.2, 0.5, 0.2, 0.05])
"""Stakes, as multiples of the one that would be best if nothing changed, and their masses."""

LARGEST = 6.0
STEEPEST = 0.9
"""The largest stakes of the bets for coins, and of those that know the spread."""


def windows_of(evidence: Evidence) -> Tally:
    """Return rewards over the bound, in windows of equally many rows."""
    wanted = evidence.size // (PER_WINDOW * evidence.arms)
    windows = min(max(wanted, 1), MOST_WINDOWS, evidence.blocks)
    starts = -(-np.arange(windows) * evidence.blocks // windows)
    tally, bound = evidence.by_block, evidence.bound
    counts, sums, squares = (
        np.add.reduceat(each, starts) for each in (tally.counts, tally.sums, tally.squares)
    )
    return Tally(counts, sums / bound, squares / bound**2)


def band(tally: Tally, coins: bool, miss: float) -> tuple[Floats, Floats]:
    """Return the ends of a band around the mean of each window and arm, all of them at once.

    It is around the average μ̄ of the true means over the plays in the window, and holds however
    plays were chosen by what came before, and however the means move. For a stake λ > 0 that is
    fixed before the window, with N plays, rewards X in [0, 1] and their sum S,

        exp(λS − N log(1 + (e^λ − 1) μ̄))        and        exp(λ (S − Nμ̄) − ψ(λ) Σ (X − g)²)

    are at most a supermartingale from 1: the first since a reward in [0, 1] is spread no wider than
    a coin, and the logarithm is concave; the second for 0 < λ < 1 and a guess g that is fixed
    before the window, with ψ(λ) = −log(1 − λ) − λ. What makes one of them, times its mass, exceed
    1/α is rejected. Stakes and guess come from the window before. Upper ends are those of 1 − X.
    `miss` is divided among windows, arms and ends.

    References: Hoeffding 1963 for the first; Howard, Ramdas, McAuliffe & Sekhon 2021 for the
    second, as in `intervals.bernstein`.
    """
    share = 0.5 * miss / tally.counts.size
    mean, count = _before(tally)
    low = _lower(tally, mean, count, coins, share)
    turned = Tally(
        tally.counts, tally.counts - tally.sums,
        tally.counts - 2.0 * tally.sums + tally.squares,
    )  # fmt: skip
    return low, 1.0 - _lower(turned, 1.0 - mean, count, coins, share)


def least_distance(low: Floats, high: Floats) -> float:
    """Return the least that a mean has travelled that is within these ends, window after window.

    Means that stay within [low, high] move only as far as the next window makes them: the places
    that the shortest way may have reached are an interval, which is cut by the next one, or left
    behind. What a mean does within a window, and back again within the band, is not counted.

    >>> least_distance(np.array([0.1, 0.5, 0.2]), np.array([0.3, 0.6, 0.9]))
    0.2
    >>> round(least_distance(np.array([0.1, 0.5, 0.2]), np.array([0.3, 0.6, 0.4])), 9)
    0.3
    """
    total, bottom, top = 0.0, -math.inf, math.inf
    for lower, upper in zip(low.tolist(), high.tolist(), strict=True):
        if lower > top:
            total, bottom, top = total + lower - top, lower, lower
        elif upper < bottom:
            total, bottom, top = total + bottom - upper, upper, upper
        else:
            bottom, top = max(bottom, lower), min(top, upper)
    return total


def _before(tally: Tally) -> tuple[Floats, Floats]:
    """Return guesses of means and plays from the window before, and half a play of either kind."""
    first = np.full((1, tally.counts.shape[1]), 0.5)
    mean = (tally.sums + 0.5) / (tally.counts + 1.0)
    rows = tally.counts.sum(axis=1, keepdims=True)
    share = (tally.counts + 1.0) / (rows + tally.counts.shape[1])
    even = np.full_like(first, 1.0 / tally.counts.shape[1])
    before = np.vstack([first, mean[:-1]]), np.vstack([even, share[:-1]])
    return before[0], np.maximum(before[1] * rows, 1.0)


def _lower(tally: Tally, guess: Floats, count: Floats, coins: bool, share: float) -> Floats:
    """Return the lower ends: the largest mean that any of the bets rejects."""
    n, s = tally.counts, tally.sums
    variance = guess * (1.0 - guess)
    best = np.sqrt(2.0 * math.log(1.0 / share) / (count * variance))
    around = tally.squares - 2.0 * guess * s + guess**2 * n
    low = np.zeros_like(s)
    families = 1.0 if coins else 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for factor, mass in zip(FACTORS, MASSES, strict=True):
            price = math.log(families / (share * mass))
            stake = np.minimum(factor * best, LARGEST)
            ends = [np.expm1((stake * s - price) / n) / np.expm1(stake)]
            if not coins:
                stake = np.minimum(factor * best, STEEPEST)
                ends.append((s - (price + (-np.log1p(-stake) - stake) * around) / stake) / n)
            for end in ends:
                low = np.fmax(low, np.where(n > 0.0, end, 0.0))
    return np.minimum(low, 1.0)
