"""Upper confidence bounds."""

from __future__ import annotations

import dataclasses
import math

from driftbandit.core.domain import NonNegative, Positive
from driftbandit.core.marking import compilable
from driftbandit.rules.explore.rule import Explore


@dataclasses.dataclass(frozen=True)
class UCB(Explore):
    """Mean plus padding: X̄(i) + padding · B · √(ξ log clock / N(i)).

    With the full history and padding 1 this is UCB-1, with a window SW-UCB, with a discount and
    padding 2 D-UCB. Auer's √(2 log t / N) is ξ = 2.

    Reference: Auer, Cesa-Bianchi & Fischer 2002; Garivier & Moulines 2008, section 1.

    >>> rule = UCB(xi=0.5)
    >>> round(rule.width(100.0, *rule.numbers()), 4)
    1.5174
    """

    xi: NonNegative = 0.5
    bound: Positive = 1.0
    padding: NonNegative = 1.0

    @staticmethod
    @compilable
    def width(clock: float, xi: float, bound: float, padding: float) -> float:
        """Return padding · B · √(ξ log clock)."""
        return padding * bound * math.sqrt(xi * math.log(clock))
