"""The value of now, and of the next days: a level that walks, with the seasons that the log shows.

Reference for the question: Thomas, Theocharous, Ghavamzadeh, Durugkar & Brunskill, *Predictive
off-policy policy evaluation for nonstationary decision problems*, AAAI 2017. The model is Harvey's
(`trend.level`).
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import NamedTuple

import numpy as np

from driftbandit.core.numerics import normal_cdf
from driftbandit.logs.estimates.sums import Sums
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.intervals.blocks import Estimate, standard_error
from driftbandit.logs.rows import Floats
from driftbandit.logs.trend.level import JUMP, SWINGS, Filtered, Series, filtered, jumps_at

DAY, WEEK = 86_400.0, 604_800.0

MOST_POINTS = 400
"""Points of a series; a season needs points enough within its period."""

PER_PERIOD = 4
PERIODS = 2.0
"""Points per period, and periods in the log, that a season needs to be looked for."""

HARMONICS = 2


class Forecast(NamedTuple):
    """The value of a stretch of time at or after the end of the log."""

    value: float
    low: float
    high: float
    drifts: float
    """How likely it is that the level walks or has a season, given the log."""


class Component(NamedTuple):
    """One normal law of a mixture, and its weight as a logarithm."""

    weight: float
    mean: float
    spread: float
    drifts: bool


def forecast(
    estimate: Estimate,
    sums: Sums,
    evidence: Evidence,
    ahead: float,
    level: float,
    changes: Floats,
    least_error: float = 0.0,
) -> Forecast:
    """Return the mean value over `ahead` seconds from the end of the log; of the end itself for 0.

    Every pace of the walk, every set of seasons and every size of them is a law of its own, with
    and without jumps at the times of `changes`; the answer is their mixture, weighed by how likely
    they make the log. Where a change is was looked for everywhere: each costs the logarithm of the
    number of places. `least_error` is that of the mean over the log, where rows show too little of
    their noise.
    """
    span = max(evidence.end - evidence.start, 1e-9)
    parts: list[Component] = []
    for periods in _candidates(evidence, len(sums.above)):
        series = _series(estimate, sums, evidence, periods, least_error)
        for swing, jumps in itertools.product(SWINGS if periods else (0.0,), (False, True)):
            if jumps and not len(changes):
                continue
            gained = _jumps(series, changes, evidence) if jumps else None
            result = filtered(dataclasses.replace(series, swing=swing, jumps=gained))
            number = len(changes) if jumps else 0
            parts += _components(series, result, ahead / span, periods, evidence, number)
    top = max(part.weight for part in parts)
    weights = np.exp(np.array([part.weight - top for part in parts]))
    weights /= weights.sum()
    value = float(sum(w * part.mean for w, part in zip(weights, parts, strict=True)))
    ends = [_quantile(weights, parts, p) for p in (0.5 - 0.5 * level, 0.5 + 0.5 * level)]
    drifts = float(sum(w for w, part in zip(weights, parts, strict=True) if part.drifts))
    low, high = (min(max(end, 0.0), evidence.bound) for end in ends)
    return Forecast(min(max(value, 0.0), evidence.bound), low, high, drifts)


def _jumps(series: Series, changes: Floats, evidence: Evidence) -> Floats:
    """Return the variance that the level gains by jumps before each mean."""
    share = (changes - evidence.start) / max(evidence.end - evidence.start, 1e-9)
    return jumps_at(share, series.time, series.bound)


def _candidates(evidence: Evidence, blocks: int) -> list[tuple[float, ...]]:
    """Return the sets of seasons that the log is long and dense enough to show."""
    span, points = evidence.end - evidence.start, min(blocks, MOST_POINTS)
    seen = [
        period
        for period in (DAY, WEEK)
        if span >= PERIODS * period and points * period / span >= PER_PERIOD
    ]
    sets: list[tuple[float, ...]] = [()]
    for period in seen:
        sets += [(*each, period) for each in sets]
    return sets


def _series(
    estimate: Estimate,
    sums: Sums,
    evidence: Evidence,
    periods: tuple[float, ...],
    least_error: float,
) -> Series:
    """Return the blocks of time as a series of at most `MOST_POINTS` means."""
    blocks = len(sums.above)
    points = min(blocks, MOST_POINTS)
    place = np.arange(blocks) * points // blocks
    below = np.bincount(place, sums.below, points)
    # above = influence · Σ below + value · below
    above = np.bincount(place, estimate.influence * sums.below.sum(), points)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(below > 0.0, estimate.value + above / below, estimate.value)
        error = max(standard_error(estimate.influence), least_error)
        per_row = error**2 * sums.below.sum()
        variance = np.where(below > 0.0, np.maximum(per_row, 1e-12) / below, math.inf)
    time = evidence.times[place_of_points(points, evidence)]
    share = (time - evidence.start) / max(evidence.end - evidence.start, 1e-9)
    return Series(share, value, variance, _harmonics(time, periods), evidence.bound)


def place_of_points(points: int, evidence: Evidence) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the blocks in the middle of each point."""
    middles = (np.arange(points) + 0.5) * len(evidence.times) / points
    return middles.astype(np.int64)


def _harmonics(time: Floats, periods: tuple[float, ...]) -> Floats:
    turns = [2.0 * math.pi * k * time / period for period in periods for k in _orders()]
    columns = [wave(turn) for turn in turns for wave in (np.cos, np.sin)]
    return np.column_stack(columns) if columns else np.empty((len(time), 0))


def _orders() -> range:
    return range(1, HARMONICS + 1)


def _components(
    series: Series,
    result: Filtered,
    ahead: float,
    periods: tuple[float, ...],
    evidence: Evidence,
    changes: int,
) -> list[Component]:
    """Return the law of what comes, for every pace.

    Each of the `changes` at which the level jumps has a cost. As many come ahead as came in the log
    in as much time: the mean over that time gains a third of the variance of one.
    """
    span = evidence.end - evidence.start
    steps = evidence.end + np.linspace(0.0, ahead * span, 200 if ahead > 0.0 else 1)
    look = np.concatenate([[1.0], _harmonics(steps, periods).mean(axis=0)])
    means = result.means[-1] @ look
    gap = max(1.0 - float(series.time[-1]), 0.0)
    moved = result.walk * (gap + ahead / 3.0)  # the variance of the mean of a walk is a third
    spread = np.sqrt(np.einsum("i,pij,j->p", look, result.covariances[-1], look) + moved)
    cost, none = changes * math.log(len(series.time)), changes * ahead
    laws = [(-cost - none, 0.0)]
    if none > 0.0:
        laws.append((math.log(-math.expm1(-none)) - cost, JUMP * series.bound**2 / 3.0))
    return [
        Component(
            float(weight) + more, float(mean), math.hypot(sd, math.sqrt(jump)),
            bool(periods or pace or changes),
        )
        for pace, (weight, mean, sd) in enumerate(zip(result.weight, means, spread, strict=True))
        for more, jump in laws
    ]  # fmt: skip


def _quantile(weights: Floats, parts: list[Component], p: float) -> float:
    """Return a quantile of a mixture of normal laws, by bisection."""
    live = [(float(w), part) for w, part in zip(weights, parts, strict=True) if w > 1e-9]
    low = min(part.mean - 10.0 * part.spread for _, part in live)
    high = max(part.mean + 10.0 * part.spread for _, part in live)
    total = sum(w for w, _ in live)
    for _ in range(60):
        middle = 0.5 * (low + high)
        below = sum(
            w * normal_cdf((middle - part.mean) / max(part.spread, 1e-12)) for w, part in live
        )
        low, high = (middle, high) if below < p * total else (low, middle)
    return 0.5 * (low + high)
