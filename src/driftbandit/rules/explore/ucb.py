"""Upper confidence bounds."""

from __future__ import annotations

import dataclasses
import math

from driftbandit.core.errors import real
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

    xi: float = 0.5
    bound: float = 1.0
    padding: float = 1.0

    def __post_init__(self) -> None:
        """Check ξ, B and the padding's factor."""
        self._set(
            bound=real("bound", self.bound, "(0, inf)"),
            xi=real("xi", self.xi, "[0, inf)"),
            padding=real("padding", self.padding, "[0, inf)"),
        )

    @staticmethod
    @compilable
    def width(clock: float, xi: float, bound: float, padding: float) -> float:
        """Return padding · B · √(ξ log clock)."""
        return padding * bound * math.sqrt(xi * math.log(clock))
