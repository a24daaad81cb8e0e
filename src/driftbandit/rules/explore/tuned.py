"""UCB with the variance in place of its bound."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

from driftbandit.core.domain import Positive
from driftbandit.core.marking import compilable
from driftbandit.rules.explore.rule import Explore


@dataclasses.dataclass(frozen=True)
class UCBTuned(Explore):
    """UCB-tuned: X̄ + B √((log clock / N) · min(1/4, V/B² + √(2 log clock / N))).

    V is the rewards' variance and 1/4 the most it can be for B = 1: the padding is at most that of
    UCB with ξ = 1/4. Good in practice; nothing is proved of it.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, section 4.

    >>> rule = UCBTuned()
    >>> round(rule.index(0.5, 100.0, 1000.0, 0.01, *rule.numbers()), 4)
    0.6314
    """

    variance: ClassVar[bool] = True

    bound: Positive = 1.0

    @staticmethod
    @compilable
    def index(mean: float, count: float, clock: float, variance: float, bound: float) -> float:
        """Return the index of UCB-tuned."""
        share = math.log(clock) / count
        spread = min(0.25, variance / (bound * bound) + math.sqrt(2.0 * share))
        return mean + bound * math.sqrt(share * spread)
