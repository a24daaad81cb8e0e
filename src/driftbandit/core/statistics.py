"""Means over runs: the standard error and the interval, for every table and picture.

Regrets are skewed: a few runs are unlucky, and most samples of a few runs hold none of them. So an
interval of a mean reaches farther to the side of the long tail than to the other.
"""

from __future__ import annotations

import functools
import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.numerics import beta_quantile

Array = NDArray[np.float64]

NORMAL_95 = 1.959963984540054
"""The 97.5 % quantile of the normal law."""

LEVEL = 0.95
"""How often an interval should hold the mean, unless another level is asked for."""

LEAST_RUNS = 10
"""From fewer runs, nobody can know how far a mean may be off: there is no interval."""

CHUNK = 1024
"""Runs whose powers are added at once; for all of them it would copy every curve."""

Errors = TypeVar("Errors", float, Array)


def standard_error(values: Array) -> float:
    """Return the standard error of the mean of one value per run; unknown (NaN) for one run.

    >>> standard_error(np.array([1.0, 3.0]))
    1.0
    """
    runs = len(values)
    return float(values.std(ddof=1)) / math.sqrt(runs) if runs > 1 else math.nan


def half_width(error: Errors, runs: int, level: float = LEVEL) -> Errors:
    """Return half the width of Student's interval of a mean with this standard error.

    It is unknown (NaN) for fewer than `LEAST_RUNS` runs.

    >>> round(half_width(1.0, runs=10), 6), round(half_width(1.0, runs=1_000), 6)
    (2.262157, 1.962341)
    """
    return (student_quantile(level, runs - 1) if runs >= LEAST_RUNS else math.nan) * error


@functools.cache
def student_quantile(level: float, freedom: int) -> float:
    """Return t such that Student's T with ν degrees of freedom has P(|T| ≤ t) = `level`.

    t² = ν (1 − x) / x, where x is the quantile of 1 − level of the beta law with shapes ν/2, 1/2.

    >>> round(student_quantile(0.95, 9), 6)
    2.262157
    """
    x = beta_quantile(1.0 - level, 0.5 * freedom, 0.5)
    return math.sqrt(freedom * (1.0 - x) / x)


def bounds(values: Array, level: float = LEVEL) -> tuple[Array, Array]:
    """Return the ends of the interval of the mean over the first axis, the runs.

    With the skewness γ of n values, Student's t at either end is replaced by

        3 √n / γ · ((1 + γ (t / √n − γ / (6n)))^(1/3) − 1),

    which makes up for γ to the first order.

    Reference: Hall, *On the removal of skewness by transformation*, 1992, with Student's quantiles
    in place of the normal law's.

    >>> low, high = bounds(np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0]))
    >>> round(float(low), 2), round(float(high), 2)  # the mean is 1.8
    (0.64, 7.52)
    """
    runs = len(values)
    mean, error, skewness = moments(values)
    if runs < LEAST_RUNS:
        unknown = np.full_like(mean, math.nan)
        return unknown, unknown
    t = student_quantile(level, runs - 1)
    return (
        mean - error * _without_skewness(t, skewness, runs),
        mean - error * _without_skewness(-t, skewness, runs),
    )


def moments(values: Array) -> tuple[Array, Array, Array]:
    """Return mean, standard error and skewness over the first axis, the runs.

    >>> [round(float(each), 6) for each in moments(np.array([0.0, 0.0, 3.0]))]
    [1.0, 1.0, 0.707107]
    """
    runs = len(values)
    mean = np.asarray(values.mean(axis=0))
    squares, cubes = np.zeros_like(mean), np.zeros_like(mean)
    for first in range(0, runs, CHUNK):
        apart = values[first : first + CHUNK] - mean
        squares += np.square(apart).sum(axis=0)
        cubes += (apart * np.square(apart)).sum(axis=0)
    spread = np.sqrt(squares / runs)
    skewness = np.divide(cubes / runs, spread**3, out=np.zeros_like(mean), where=spread > 0.0)
    return mean, np.sqrt(squares / max(runs - 1, 1) / runs), skewness


def _without_skewness(t: float, skewness: Array, runs: int) -> Array:
    """Return what takes the place of Student's t where values are skewed."""
    root = math.sqrt(runs)
    tilted = np.where(np.abs(skewness) > 1e-6, skewness, 1.0)
    change = tilted * (t / root - tilted / (6.0 * runs))
    return np.where(tilted == skewness, 3.0 * root / tilted * (np.cbrt(1.0 + change) - 1.0), t)


def interval(values: Array, level: float = LEVEL) -> dict[str, float]:
    """Return mean, standard error and interval of the mean of one value per run.

    The ends of the interval are unknown (NaN) for fewer than `LEAST_RUNS` runs.

    >>> list(interval(np.arange(10.0)))
    ['mean', 'standard_error', 'low', 'high']
    """
    low, high = bounds(values, level)
    mean, error = float(values.mean()), standard_error(values)
    return {"mean": mean, "standard_error": error, "low": float(low), "high": float(high)}


def few_runs(runs: int) -> str:
    """Return a sentence about intervals that are missing because there are too few runs, or "".

    >>> few_runs(9), few_runs(10)
    ('intervals need at least 10 runs', '')
    """
    return f"intervals need at least {LEAST_RUNS} runs" if runs < LEAST_RUNS else ""
