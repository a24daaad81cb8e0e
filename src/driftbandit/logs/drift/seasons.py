"""Seasons: does a day or a week stand out from the frequencies beside it, and what does it add?

All sums over blocks of time are `einsum`, and no product or decomposition of matrices: those wake
the threads of a BLAS library, which wait for each other in loops, and take 20 times as long where
other programs need the processors.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from driftbandit.core.numerics.beta import beta_cdf
from driftbandit.logs.drift.column import Column
from driftbandit.logs.rows import Floats

PERIODS = {"day": 86_400.0, "week": 604_800.0}

MONDAY = 4.0 * PERIODS["day"]
"""1970 began with a Thursday."""

POINTS = 28
"""Points of a profile."""

LEAST_PERIODS = 4.0
PER_PERIOD = 5.0
"""Periods in a log, and blocks in a period, that a season needs to be seen."""

HARMONICS = 2
"""Harmonics that the test looks at; a season that is found may have up to `MOST_HARMONICS`."""

MOST_HARMONICS = 12
GAIN = 9.2
"""What a harmonic above the second must gain: the 99 % quantile of χ² with two degrees."""

MOST_TRENDS = 60
BESIDE = 4
"""Frequencies on either side that a line is compared with."""


class Fit(NamedTuple):
    """What seasons add to a mean: their harmonics, the coefficients, and their covariance."""

    frequencies: Floats
    coefficients: Floats
    covariance: Floats

    def at(self, time: Floats) -> Floats:
        """Return what the seasons add at these times."""
        return np.asarray(np.einsum("ij,j->i", waves(time, self.frequencies), self.coefficients))

    def part(self, name: str) -> Fit:
        """Return the season of this name alone; what a day explains is no part of the week."""
        per_day = self.frequencies * PERIODS["day"]
        daily = np.abs(per_day - np.round(per_day)) < 1e-9
        mine = daily if name == "day" else ~daily
        both = np.tile(mine, 2)
        return Fit(self.frequencies[mine], self.coefficients[both], self.covariance[both][:, both])

    def profile(self, name: str) -> Floats:
        """Return what a season adds, at even times of its period from midnight UTC, or Monday's."""
        start = MONDAY if name == "week" else 0.0
        return self.at(start + PERIODS[name] * np.arange(POINTS) / POINTS)


NO_SEASON = Fit(np.empty(0), np.empty(0), np.empty((0, 0)))


def visible(column: Column, span: float, period: float) -> bool:
    """Say whether the log is long and dense enough for a season of this period to be seen."""
    return span >= LEAST_PERIODS * period and len(column.time) * period >= PER_PERIOD * span


def p_value(column: Column, span: float, period: float, variance: float) -> float:
    """Return how likely it is that a log without this season shows as much of it.

    F = (G / 2H) / (1 ∨ mean of G_f / 2) for the gain G of the first H = 2 harmonics, in units of
    the noise, against the gains G_f at up to 8 frequencies beside each; slower waves are taken off
    first. Drift and rewards in clumps raise the neighbours as well, so they make no season. Under
    a spectrum that is flat there, F has Fisher's law with 2H and 2 Σ 1 degrees of freedom.

    Reference: Thomson, *Spectrum estimation and harmonic analysis*, Proceedings of the IEEE 1982,
    for the comparison of a line with its neighbours.
    """
    weight = np.sqrt(column.counts / variance)
    trends = min(int(span / period), MOST_TRENDS)
    basis = _basis(_slow(column.time, span, trends) * weight[:, None])
    y = _apart(weight * (column.sums / column.counts), basis)
    lines = np.arange(1.0, HARMONICS + 1.0) / period
    beside = _beside(lines, span, trends)
    if not len(beside):
        return math.nan
    gains = [_gain(y, _apart(waves(column.time, np.array([f])) * weight[:, None], basis))
             for f in beside]  # fmt: skip
    line = _gain(y, _apart(waves(column.time, lines) * weight[:, None], basis))
    above, below = 2.0 * HARMONICS, 2.0 * len(beside)
    ratio = line / above / max(sum(gains) / below, 1.0)
    return beta_cdf(below / (below + above * ratio), 0.5 * below, 0.5 * above)


def fit(column: Column, span: float, periods: list[float], levels: Floats, variance: float) -> Fit:
    """Fit seasons beside levels: `levels` has a column per level, 1 in its blocks.

    The first harmonics of each period are in; each of the next as long as it gains enough.
    """
    if not periods:
        return NO_SEASON
    weight = np.sqrt(column.counts / variance)
    nuisance = _basis(levels * weight[:, None])
    y = _apart(weight * (column.sums / column.counts), nuisance)
    chosen: list[float] = []
    for period in sorted(periods, reverse=True):
        most = min(MOST_HARMONICS, int(0.5 * len(column.time) * period / span))
        for order in range(1, most + 1):
            more = np.array([*chosen, order / period])
            if order <= HARMONICS or _adds(column.time, more, weight, nuisance, y):
                chosen.append(order / period)
    frequencies = np.unique(chosen)
    design = _apart(waves(column.time, frequencies) * weight[:, None], nuisance)
    _, mixes = _orthonormal(design)
    if _are_apart(design, mixes):
        covariance = np.einsum("ji,jk->ik", mixes, mixes)
    else:
        covariance = np.asarray(np.linalg.pinv(np.einsum("ji,jk->ik", design, design)))
    return Fit(frequencies, np.einsum("ij,kj,k->i", covariance, design, y), covariance)


def waves(time: Floats, frequencies: Floats) -> Floats:
    """Return cosines and sines, a row per time."""
    turns = 2.0 * math.pi * time[:, None] * frequencies
    return np.concatenate([np.cos(turns), np.sin(turns)], axis=1)


def _adds(time: Floats, more: Floats, weight: Floats, nuisance: Floats, y: Floats) -> bool:
    """Say whether the last of these frequencies gains enough beside the others."""
    known = _apart(waves(time, more[:-1]) * weight[:, None], nuisance)
    basis = np.concatenate([nuisance, _basis(known)], axis=1)
    return _gain(y, _apart(waves(time, more[-1:]) * weight[:, None], basis)) > GAIN


def _beside(lines: Floats, span: float, trends: int) -> Floats:
    """Return frequencies beside the lines, faster than what was taken off."""
    offsets = np.concatenate([-np.arange(1.0, BESIDE + 1.0), np.arange(1.0, BESIDE + 1.0)]) / span
    beside = np.unique((lines[:, None] + offsets).round(12))
    apart = np.abs(beside[:, None] - lines).min(axis=1) > 0.75 / span
    kept: Floats = beside[apart & (beside > 0.5 * (trends + 1.0) / span)]
    return kept


def _slow(time: Floats, span: float, trends: int) -> Floats:
    """Return a constant and cosines of up to so many half turns over the log."""
    share = (time - time[0]) / span
    return np.asarray(np.cos(math.pi * share[:, None] * np.arange(trends + 1.0)))


def _orthonormal(columns: Floats) -> tuple[Floats, Floats]:
    """Return orthonormal rows, and which mix of the columns each is.

    By Gram and Schmidt, twice for each column; what is a mix of earlier ones is left out.
    """
    rows = np.ascontiguousarray(columns.T)
    basis, mixes, size = np.empty_like(rows), np.eye(len(rows)), 0
    for place, column in enumerate(rows):
        rest, mix, least = column, np.eye(len(rows))[place], 1e-14 * _length(column)
        for _ in range(2):
            part = np.einsum("ij,j->i", basis[:size], rest)
            rest = rest - np.einsum("i,ij->j", part, basis[:size])
            mix = mix - np.einsum("i,ij->j", part, mixes[:size])
        length = _length(rest)
        if length > least:
            basis[size], mixes[size] = rest / length, mix / length
            size += 1
    return basis[:size], mixes[:size]


def _are_apart(columns: Floats, mixes: Floats) -> bool:
    """Say whether columns are far from dependent: their singular values differ by 1e9 at most.

    The largest is no more than the length of all, the smallest no less than that of the inverse.
    """
    return mixes.shape[0] == columns.shape[1] and _length(columns) * _length(mixes) < 1e9


def _basis(columns: Floats) -> Floats:
    """Return orthonormal columns that span the same, up to directions that are hardly in it."""
    basis, mixes = _orthonormal(columns)
    if _are_apart(columns, mixes):
        return basis.T
    # cosines over a log with a long gap: what columns have of each other is a small matrix
    left, sizes, _ = np.linalg.svd(np.einsum("ij,jk->ik", basis, columns), full_matrices=False)
    kept = left[:, sizes > 1e-9 * max(float(sizes.max(initial=0.0)), 1e-300)]
    return np.asarray(np.einsum("ji,jk->ik", kept, basis).T)


def _length(values: Floats) -> float:
    """Return the root of the sum of squares."""
    return math.sqrt(float((values**2).sum()))


def _apart(columns: Floats, basis: Floats) -> Floats:
    """Return what is left of columns, or of one, apart from a basis."""
    if columns.ndim == 2:
        rest = np.empty_like(columns.T)
        for place, column in enumerate(np.ascontiguousarray(columns.T)):
            rest[place] = _apart(column, basis)
        return rest.T
    part = np.einsum("ji,j->i", basis, columns)
    return np.asarray(columns - np.einsum("ji,i->j", basis, part))


def _gain(y: Floats, columns: Floats) -> float:
    """Return the square of the part of y that columns explain."""
    part = np.einsum("ji,j->i", _basis(columns), y)
    return float((part**2).sum())
