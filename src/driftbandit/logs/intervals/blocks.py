"""Intervals from blocks of time: neighbouring blocks say how noisy the log is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from driftbandit.core.statistics import student_quantile
from driftbandit.logs.estimates.sums import Sums
from driftbandit.logs.rows import Floats
from driftbandit.logs.streams import generator

LEAST_BLOCKS = 10
"""From fewer blocks nobody can know the noise."""

DRAWS = 2_000
"""Draws of the bootstrap."""


class Estimate(NamedTuple):
    """An estimate, and what each block of time adds to its error."""

    value: float
    influence: Floats
    """ψ_b = (above_b − value · below_b) / Σ below, which sums to 0."""
    blocks: float
    """How many blocks of equal weight would count as much."""


def estimate_of(sums: Sums) -> Estimate:
    """Return Σ above / Σ below; with a control, what remains after regression on it."""
    above = sums.above
    if sums.control.any():
        above = above + _slope(sums) * sums.control
    total = float(sums.below.sum())
    if total <= 0.0:
        return Estimate(math.nan, np.full(len(above), math.nan), 0.0)
    value, squares = float(above.sum()) / total, sums.below**2
    blocks = float(squares.sum()) ** 2 / float((squares**2).sum())
    return Estimate(value, (above - value * sums.below) / total, blocks)


def _slope(sums: Sums) -> float:
    """Return the β of least variance, from the changes between neighbouring blocks."""
    control, above = np.diff(sums.control), np.diff(sums.above)
    spread = float(control @ control)
    return -float(above @ control) / spread if spread > 0.0 else 0.0


def standard_error(influence: Floats) -> float:
    """Return the standard error of an estimate from what its blocks add to it.

    s² = B / (2 (B − 1)) Σ_b (ψ_{b+1} − ψ_b)² over B blocks. What the mean reward does over days
    or weeks cancels between neighbours, where a bootstrap of all blocks would take it for noise: a
    log of a world that drifts is no noisier than one of a world that stands still. A jump counts
    once.

    Reference: von Neumann, Kent, Bellinson & Hart, *The mean square successive difference*, Annals
    of Mathematical Statistics 12, 1941.

    >>> round(standard_error(np.array([1.0, -1.0] * 50)), 6)
    14.142136
    """
    blocks = len(influence)
    changes = np.diff(influence)
    return math.sqrt(blocks / (2.0 * (blocks - 1)) * float(changes @ changes))


def half_width(estimate: Estimate, level: float) -> float:
    """Return half the width of Student's interval; NaN where blocks are too few."""
    if estimate.blocks < LEAST_BLOCKS:
        return math.nan
    return student_quantile(level, _freedom(estimate)) * standard_error(estimate.influence)


def joint_quantile(influences: Sequence[Floats], level: float, seed: int) -> float:
    """Return q such that all paired differences are within q standard errors at once.

    A bootstrap in blocks of time: neighbouring blocks make a pair, whose difference is multiplied
    by a normal number that all policies share; q is the quantile of the largest of all differences
    between policies, each in units of its own spread.

    Reference: Chernozhukov, Chetverikov & Kato, *Gaussian approximations and multiplier bootstrap
    for maxima of sums of high-dimensional random vectors*, Annals of Statistics 41, 2013.
    """
    changes = np.array([each[1::2] - each[: len(each) // 2 * 2 : 2] for each in influences])
    rng = generator(seed, "bootstrap")
    shaken = rng.standard_normal((DRAWS, changes.shape[1])) @ changes.T
    largest = np.zeros(DRAWS)
    for first in range(len(influences)):
        apart = shaken[:, first + 1 :] - shaken[:, [first]]
        spread = np.sqrt(np.square(changes[first + 1 :] - changes[first]).sum(axis=1))
        live = spread > 0.0
        if live.any():
            np.maximum(largest, (np.abs(apart[:, live]) / spread[live]).max(axis=1), out=largest)
    return float(np.quantile(largest, level))


def bonferroni_quantile(policies: int, level: float, estimate: Estimate) -> float:
    """Return q such that all differences between so many policies are within q standard errors.

    The level of an interval is divided among all pairs: wider than `joint_quantile`, at no cost.
    """
    pairs = 0.5 * policies * (policies - 1.0)
    return student_quantile(1.0 - (1.0 - level) / pairs, _freedom(estimate))


def _freedom(estimate: Estimate) -> int:
    """Return two thirds of the blocks that count: the squares of neighbouring changes overlap."""
    return int(2.0 * (estimate.blocks - 1.0) / 3.0)
