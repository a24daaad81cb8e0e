"""Anytime-valid confidence sequences: look at a growing log as often as you like."""

from __future__ import annotations

import math

from driftbandit.logs.estimates.sums import Sums
from driftbandit.logs.intervals.bernstein import variation

STITCH, POWER, ZETA = 2.0, 1.4, 3.105547
"""η, s, and ζ(s)."""


def sequence(sums: Sums, width: float, level: float) -> float:
    """Return half the width at the end of a confidence sequence for the running mean of μ_t.

    With probability `level` it holds at all times at once, so one may look after every row and stop
    when one likes. Means may drift in any way. The boundary is stitched, with η = 2 and s = 1.4:
    S(V) = √(k₁² V ℓ + k₂² c² ℓ²) + k₂ c ℓ,
    ℓ = 1.4 log(log₂(V/c²) + 1) + log(2 ζ(1.4) / (1 − level)),
    c being the width of the range of a term.

    Reference: Howard, Ramdas, McAuliffe & Sekhon, *Time-uniform, nonparametric, nonasymptotic
    confidence sequences*, Annals of Statistics 49, 2021, theorems 1 and 4; for logged bandits with
    drift, Waudby-Smith, Wu, Ramdas, Karampatziakis & Mineiro, *Anytime-valid off-policy inference
    for contextual bandits*, 2022.
    """
    least = width**2
    spent = max(variation(sums), least)
    rate = POWER * math.log(math.log(spent / least, STITCH) + 1.0)
    rate += math.log(2.0 * ZETA / (1.0 - level))
    first = (STITCH**0.25 + STITCH**-0.25) / math.sqrt(2.0)
    second = (math.sqrt(STITCH) + 1.0) / 2.0 * width
    boundary = math.sqrt(first**2 * spent * rate + (second * rate) ** 2) + second * rate
    return boundary / float(sums.rows.sum())
