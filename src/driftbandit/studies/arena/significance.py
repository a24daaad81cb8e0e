"""Whether two policies differ: a paired t test, adjusted for the number of tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.numerics import beta_cdf
from driftbandit.core.statistics import standard_error


def student(differences: NDArray[np.float64]) -> float:
    """Return the two-sided p value of Student's t test that paired differences have mean 0.

    With t = mean / standard error and ν = n − 1, p = I_{ν/(ν+t²)}(ν/2, 1/2).

    >>> round(student(np.array([1.0, 2.0, 3.0])), 4)
    0.0742
    """
    mean, error = float(differences.mean()), standard_error(differences)
    if error == 0.0:
        return 1.0 if mean == 0.0 else 0.0
    freedom, t = len(differences) - 1.0, mean / error
    return float(beta_cdf(freedom / (freedom + t * t), 0.5 * freedom, 0.5))


def holm(values: Sequence[float]) -> list[float]:
    """Return p values adjusted by Holm's method: any of them is wrongly below α with chance ≤ α.

    The k-th smallest of m is multiplied by m + 1 − k, and none is smaller than the one before it.

    Reference: Holm, *A simple sequentially rejective multiple test procedure*, 1979.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, least = [0.0] * len(values), 0.0
    for place, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        least = max(least, min(1.0, (len(values) - place) * values[index]))
        adjusted[index] = least
    return adjusted
