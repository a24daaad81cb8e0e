"""Means over runs with their 95 % intervals."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.numerics import NORMAL_95


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval; an exact value has an interval of no width."""

    mean: float
    low: float
    high: float

    @classmethod
    def exact(cls, value: float) -> Estimate:
        """Return a value that was not measured but computed.

        >>> f"{Estimate.exact(2):.0f}"
        '2'
        """
        return cls(float(value), float(value), float(value))

    @classmethod
    def around(cls, mean: float, error: float) -> Estimate:
        """Return the interval of a mean with a known standard error."""
        return cls(float(mean), float(mean - NORMAL_95 * error), float(mean + NORMAL_95 * error))

    def __format__(self, form: str) -> str:
        """Write the mean and its interval in the given form.

        >>> f"{Estimate.around(10, 1):.1f}"
        '10.0 [8.0, 12.0]'
        """
        if self.low == self.high:
            return _typeset(self.mean, form)
        mean, low, high = (_typeset(value, form) for value in (self.mean, self.low, self.high))
        return f"{mean} [{low}, {high}]"


def _typeset(value: float, form: str) -> str:
    return format(value, form).replace("%", " %").replace("-", "−")


def mean(values: NDArray[np.float64]) -> Estimate:
    """Estimate the mean of one value a run; for a paired comparison, of their differences.

    >>> f"{mean(np.array([1.0, 2.0, 3.0])):.2f}"
    '2.00 [0.87, 3.13]'
    """
    return Estimate.around(values.mean(), values.std(ddof=1) / np.sqrt(len(values)))


def excess(values: NDArray[np.float64], base: NDArray[np.float64]) -> Estimate:
    """Estimate by which part the mean of `values` exceeds that of `base`, run by run.

    The interval is that of the ratio of two paired means (delta method).

    >>> f"{excess(np.array([1.0, 3.0]), np.array([2.0, 6.0])):.0%}"
    '−50 %'
    """
    ratio = values.mean() / base.mean()
    scatter = (values - ratio * base).std(ddof=1) / np.sqrt(len(values))
    return Estimate.around(ratio - 1.0, scatter / base.mean())
