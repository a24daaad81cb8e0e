"""Sums over the last rounds, for every round at once."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

FORGOTTEN = 2.0**-60
"""Old rounds may be left out once their weights add up to this: rounding changes a sum as much."""


def trailing_sums(values: NDArray[np.float64], discount: float, length: int) -> NDArray[np.float64]:
    """Return Σ_{k < length} γ^k values[t − k] for every row t; rows before the first count as 0.

    By doubling: the sum over 2m rows is the sum over m rows plus γ^m times the sum m rows earlier.
    Nothing is subtracted, so sums of numbers ≥ 0 are exact up to a few roundings.

    >>> trailing_sums(np.array([1.0, 0.0, 0.0, 2.0]), 0.5, 4)
    array([1.   , 0.5  , 0.25 , 2.125])
    >>> trailing_sums(np.array([1.0, 2.0, 3.0, 4.0]), 1.0, 3)
    array([1., 3., 6., 9.])
    """
    rows = len(values)
    length = min(length, rows, _memory(discount))
    if length == rows or discount < 1.0:
        length = 1 << (length - 1).bit_length()  # a power of two needs fewer sums, and adds nothing
    total, sums = np.zeros_like(values), values.copy()
    taken, size = 0, 1
    while True:
        if length & size:
            total[taken:] += discount**taken * sums[: rows - taken]
            taken += size
        if taken == length:
            return total
        sums[size:] += discount**size * sums[:-size]
        size *= 2


def _memory(discount: float) -> int:
    """Return the number of rounds after which the rest is `FORGOTTEN`: γ^k / (1 − γ) ≤ 2^(−60)."""
    if discount == 1.0:
        return 2**53
    if discount < FORGOTTEN:
        return 1
    return max(1, math.ceil(math.log(FORGOTTEN * (1.0 - discount)) / math.log(discount)))
