"""Empirical Bernstein: an interval for the end of the log that holds for any number of rows."""

from __future__ import annotations

import math

import numpy as np

from driftbandit.logs.estimates.sums import Sums

GRID = 2.0 ** -np.arange(1.0, 17.0)
"""Values of λ in units of 1/width that are tried; the chance of error is shared among them."""


def variation(sums: Sums) -> float:
    """Return V = Σ_t (x_t − x̂_t)², x̂_t being the mean of the terms of all earlier blocks."""
    total, rows = np.cumsum(sums.above), np.cumsum(sums.rows)
    before = np.concatenate([[0.0], total[:-1] / rows[:-1]])
    spread = sums.squares - 2.0 * before * sums.above + before**2 * sums.rows
    return float(np.maximum(spread, 0.0).sum())


def bernstein(sums: Sums, width: float, level: float) -> float:
    """Return half the width of an interval for the mean of x_t, each in a range of this width.

    For any λ in (0, 1/width), Σ (x_t − μ_t) ≥ (log(1/δ) + ψ(λ) V) / λ has probability at most δ,
    with ψ(λ) = (−log(1 − λ width) − λ width) / width², μ_t the mean of x_t given all before it. So
    means may drift in any way, and a policy may learn. λ is the best of 16.

    Reference: Howard, Ramdas, McAuliffe & Sekhon, *Time-uniform, nonparametric, nonasymptotic
    confidence sequences*, Annals of Statistics 49, 2021, theorem 4, at one time.
    """
    rate = math.log(2.0 * len(GRID) / (1.0 - level))
    steps = GRID / width
    growth = (-np.log1p(-GRID) - GRID) / width**2
    return float(((rate + growth * variation(sums)) / steps).min() / sums.rows.sum())
