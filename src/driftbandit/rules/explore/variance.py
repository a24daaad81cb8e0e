"""Upper confidence bounds that know the variance."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

from driftbandit.core.domain import NonNegative, Positive
from driftbandit.rules.explore.rule import Explore


@dataclasses.dataclass(frozen=True)
class UCBV(Explore):
    """UCB-V: X̄ + √(2 V E / N) + 3 c B E / N with E = ζ log clock and V the rewards' variance.

    A small variance makes the padding small. ζ = 1.2, c = 1 in theory; ζ = 1 in practice.

    Reference: Audibert, Munos & Szepesvári 2007.

    >>> rule = UCBV()
    >>> round(rule.index(0.5, 10.0, 100.0, 0.25, *rule.numbers()), 4)
    2.6835
    """

    variance: ClassVar[bool] = True

    zeta: NonNegative = 1.2
    c: NonNegative = 1.0
    bound: Positive = 1.0

    @staticmethod
    def index(
        mean: float,
        count: float,
        clock: float,
        variance: float,
        zeta: float,
        c: float,
        bound: float,
    ) -> float:
        """Return the index of UCB-V."""
        share = zeta * math.log(clock) / count
        return mean + math.sqrt(2.0 * variance * share) + 3.0 * c * bound * share
