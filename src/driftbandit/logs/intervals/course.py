"""What a policy earned in each stretch of a log: its value over time."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from driftbandit.core.statistics import student_quantile
from driftbandit.logs.estimates.sums import Sums
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.intervals.blocks import LEAST_BLOCKS, Estimate, standard_error
from driftbandit.logs.intervals.scarce import binomial_interval, is_scarce

PARTS = 24
"""Stretches of time, at most."""


class Course(NamedTuple):
    """The value of one policy by one method in neighbouring stretches of time.

    The interval of a stretch holds by itself, not together with the others.
    """

    policy: str
    method: str
    ends: list[float]
    """When each stretch ends, in seconds since 1970."""
    values: list[float]
    low: list[float]
    high: list[float]


def course_of(
    policy: str,
    method: str,
    estimate: Estimate,
    sums: Sums,
    effective: float,
    evidence: Evidence,
    level: float,
) -> Course | None:
    """Return the value of each stretch, or None where there are too few blocks for two.

    A stretch has at least 10 blocks; its interval is that of `half_width`, from its blocks alone;
    where rewards are coins of which nearly all are alike, it is that of their number.
    """
    blocks = len(sums.below)
    parts = min(PARTS, blocks // LEAST_BLOCKS)
    if parts < 2 or math.isnan(estimate.value):
        return None
    above = estimate.influence * sums.below.sum() + estimate.value * sums.below
    rows, ends = [], []
    for part in range(parts):
        span = slice(part * blocks // parts, (part + 1) * blocks // parts)
        value, low, high = _stretch(above[span], sums.below[span], evidence.bound, level)
        share = value / evidence.bound
        if evidence.coins and is_scarce(share, effective / parts):
            ends_of = binomial_interval(share, effective / parts, level)
            low, high = (
                min(low, evidence.bound * ends_of[0]),
                max(high, evidence.bound * ends_of[1]),
            )
        rows.append((value, low, high))
        last = (part + 1) * len(evidence.times) // parts - 1
        ends.append(float(evidence.times[last]) if part + 1 < parts else evidence.end)
    columns = (list(column) for column in zip(*rows, strict=True))
    return Course(policy, method, ends, *columns)


def _stretch(
    above: np.ndarray[tuple[int], np.dtype[np.float64]],
    below: np.ndarray[tuple[int], np.dtype[np.float64]],
    bound: float,
    level: float,
) -> tuple[float, float, float]:
    """Return a value with its interval; NaN where no row counts."""
    total = float(below.sum())
    if total <= 0.0:
        return math.nan, math.nan, math.nan
    value = float(above.sum()) / total
    error = standard_error((above - value * below) / total)
    half = student_quantile(level, max(int(2.0 * (len(above) - 1) / 3.0), 1)) * error
    return value, max(value - half, 0.0), min(value + half, bound)
