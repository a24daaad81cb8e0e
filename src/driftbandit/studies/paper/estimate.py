"""Means over runs with their 95 % intervals."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.statistics import bounds, half_width, standard_error


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval; an exact value has an interval of no width."""

    mean: float
    low: float
    high: float

    @classmethod
    def exact(cls, value: float) -> Estimate:
        """Return a value that is computed, not measured.

        >>> f"{Estimate.exact(2):.0f}"
        '2'
        """
        return cls(float(value), float(value), float(value))

    @classmethod
    def around(cls, mean: float, error: float, runs: int) -> Estimate:
        """Return Student's interval of a mean with this standard error."""
        half = half_width(error, runs)
        return cls(float(mean), float(mean - half), float(mean + half))

    def __format__(self, form: str) -> str:
        """Write the mean and its interval in this form.

        >>> f"{Estimate.around(10, 1, runs=100):.1f}", f"{Estimate.around(10, 1, runs=9):.1f}"
        ('10.0 [8.0, 12.0]', '10.0 [unknown]')
        """
        if math.isnan(self.low):
            return f"{_typeset(self.mean, form)} [unknown]"
        if self.low == self.high:
            return _typeset(self.mean, form)
        mean, low, high = (_typeset(value, form) for value in (self.mean, self.low, self.high))
        return f"{mean} [{low}, {high}]"


def _typeset(value: float, form: str) -> str:
    return format(value, form).replace("%", " %").replace("-", "−")


def mean(values: NDArray[np.float64]) -> Estimate:
    """Estimate a mean over runs; for a paired comparison, pass the differences run by run.

    >>> f"{mean(np.arange(10.0)):.2f}"
    '4.50 [2.33, 6.67]'
    """
    low, high = bounds(values)
    return Estimate(float(values.mean()), float(low), float(high))


def excess(values: NDArray[np.float64], base: NDArray[np.float64]) -> Estimate:
    """Estimate the share by which the mean of `values` exceeds that of `base`.

    The interval is that of a ratio of two paired means (delta method).

    >>> f"{excess(np.arange(10.0), 2.0 * np.arange(10.0)):.0%}"
    '−50 %'
    """
    ratio = values.mean() / base.mean()
    scatter = standard_error(values - ratio * base)
    return Estimate.around(ratio - 1.0, scatter / base.mean(), len(base))
