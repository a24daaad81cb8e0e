"""Means over runs: the standard error and the 95 % interval, for every table and picture."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

NORMAL_95 = 1.959963984540054
"""The 97.5 % quantile of the normal law: half the width of a 95 % interval in standard errors."""

Errors = TypeVar("Errors", float, NDArray[np.float64])


def standard_error(values: NDArray[np.float64]) -> float:
    """Return the standard error of the mean of one value per run; unknown (NaN) for one run.

    >>> standard_error(np.array([1.0, 3.0]))
    1.0
    """
    runs = len(values)
    return float(values.std(ddof=1)) / math.sqrt(runs) if runs > 1 else math.nan


def half_width(error: Errors) -> Errors:
    """Return half the width of the 95 % interval of a mean with this standard error.

    >>> round(half_width(1.0), 6)
    1.959964
    """
    return NORMAL_95 * error


def interval(values: NDArray[np.float64]) -> dict[str, float]:
    """Return mean, standard error and 95 % interval of the mean; unknown (NaN) for one run.

    >>> list(interval(np.array([1.0, 3.0])))
    ['mean', 'standard_error', 'low', 'high']
    """
    mean, error = float(values.mean()), standard_error(values)
    half = half_width(error)
    return {"mean": mean, "standard_error": error, "low": mean - half, "high": mean + half}
