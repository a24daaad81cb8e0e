"""Floors and ceilings of products and quotients that rounding may push over a whole number."""

from __future__ import annotations

import math

from driftbandit.core.marking import compilable

CLOSE = 1e-9
"""A number this close to a whole one, relative to it, is meant to be that one."""


@compilable
def floor_of(x: float) -> float:
    """Return ⌊x⌋ of a number that may be off by rounding.

    >>> 7 / 0.07, floor_of(7 / 0.07), floor_of(99.9)
    (99.99999999999999, 100.0, 99.0)
    """
    nearest = math.floor(x + 0.5)
    return float(nearest if abs(x - nearest) <= CLOSE * abs(x) else math.floor(x))


@compilable
def ceiling_of(x: float) -> float:
    """Return ⌈x⌉ of a number that may be off by rounding.

    >>> 10**6 * (1 - 0.999), ceiling_of(10**6 * (1 - 0.999)), ceiling_of(0.1)
    (1000.0000000000009, 1000.0, 1.0)
    """
    nearest = math.floor(x + 0.5)
    return float(nearest if abs(x - nearest) <= CLOSE * abs(x) else math.ceil(x))
