"""Forgetting by the clock: seconds in place of rounds."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

from driftbandit.core.duration import Duration, seconds_of
from driftbandit.core.numerics import ceiling_of
from driftbandit.rules.forget.discount import Discount
from driftbandit.rules.forget.rule import Forget
from driftbandit.rules.forget.window import Window

LEAST = 2.0**-300
"""What is left of the past after a long silence, at least: nothing that counts, but not zero."""


@dataclasses.dataclass(frozen=True)
class HalfLife(Forget):
    """Weigh a play by ½ for every h seconds since: a discount by the clock. h is `half_life`.

    N_t(i) = Σ_{s≤t} 2^(−(a_t − a_s) / h) 1{I_s = i}, a_s being the time of decision s; the clock is
    the weighted number of decisions, Σ_s 2^(−(a_t − a_s) / h). Where every round takes r seconds
    this is `Discount(2^(−r/h))`.

    The time is seconds, a `timedelta`, or a text such as "90s", "15m", "6h", "7d" or "2w".

    Reference: Garivier & Moulines 2008, section 1.2, for rounds.

    >>> HalfLife("6h")
    HalfLife(half_life=21600.0)
    >>> HalfLife(60).in_rounds(seconds=1.0)
    Discount(discount=0.9885140203528962)
    >>> HalfLife("soon")
    Traceback (most recent call last):
    driftbandit.InputError: half_life must be seconds, a timedelta or a text such as '90s', ...
    """

    by_clock: ClassVar[bool] = True

    half_life: Duration

    @staticmethod
    def factor(elapsed: float, half_life: float) -> float:
        """Return 2^(−elapsed/h)."""
        return max(math.pow(2.0, -elapsed / half_life), LEAST)

    def in_rounds(self, seconds: float) -> Discount:
        """Return the discount of a round."""
        return Discount(self.factor(seconds_of("seconds", seconds), *self.numbers()))


@dataclasses.dataclass(frozen=True)
class TimeWindow(Forget):
    """Remember the plays of the last w seconds with weight one, and no others. w is `window`.

    N_t(i) = Σ_{s≤t} 1{a_s > a_t − w} 1{I_s = i}, a_s being the time of decision s; the clock is the
    number of decisions remembered. Where every round takes r seconds this is `Window(⌈w/r⌉)`.

    The time is seconds, a `timedelta`, or a text such as "90s", "15m", "6h", "7d" or "2w".

    Reference: Garivier & Moulines 2008, section 1.2, for rounds.

    >>> TimeWindow("7d").in_rounds(seconds=3600.0)
    Window(window=168)
    """

    steady: ClassVar[bool] = True
    by_clock: ClassVar[bool] = True

    window: Duration

    @staticmethod
    def span(t: float, window: float) -> float:
        """Return w."""
        return window

    def in_rounds(self, seconds: float) -> Window:
        """Return the window of rounds."""
        rounds = self.numbers()[0] / seconds_of("seconds", seconds)
        return Window(max(int(ceiling_of(min(rounds, 2.0**53))), 1))

    def check(self) -> None:
        """Raise unless the fields are numbers: a span of seconds may be shorter than a round."""
        super(Forget, self).check()
