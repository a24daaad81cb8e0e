"""The axis of forgetting: how much of the past an average remembers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, ClassVar

from driftbandit.core.errors import require
from driftbandit.rules.rule import Rule


def unfaded(t: float, *numbers: Any) -> float:
    """Keep all weights as they are, whatever the round."""
    return 1.0


def unlimited(t: float, *numbers: Any) -> float:
    """Remember all rounds."""
    return math.inf


@dataclasses.dataclass(frozen=True)
class Forget(Rule):
    """How the past is forgotten, as two functions of the round t.

    - `factor(t, …)` in (0, 1]: by what everything older is multiplied when round t is learned;
    - `span(t, …)`: how many rounds, up to and including t, are remembered (it never shrinks).

    The play of round s has at the end of round t the weight Π_{s<u≤t} factor(u) if s > t − span(t)
    and none otherwise. An index is handed the weighted mean and count of an arm, and the clock
    n_t = min(factor(t) · n_{t−1} + 1, span(t)): t for the full history, n_t(γ) for a discount,
    min(t, τ) for a window. With the class attribute `ageing = True` it is not cut at the span: it
    is t for a window too.

    With the class attribute `by_arm = True` the span counts plays instead of rounds: every arm
    remembers its own last span(t) plays, all with weight one. The clock is how many plays are
    remembered, Σ_i N_t(i).

    With the class attribute `by_clock = True` time is measured in seconds: `factor` gets those
    since the decision before, and `span` returns seconds. A live agent knows the time of every
    decision; in a simulation a round takes as long as the world says, a second unless it says
    otherwise, and `in_rounds(seconds)` returns the rule that does the same by rounds.

    With the class attribute `steady = True` a rule promises that neither depends on the round: a
    live agent then asks once. A class with a function of its own makes this promise itself.

    A rule of your own overrides one of the two:

    >>> from dataclasses import dataclass
    >>> import driftbandit as db
    >>> @dataclass(frozen=True)
    ... class Polynomial(db.Forget):
    ...     power: float = 0.7
    ...
    ...     @staticmethod
    ...     def factor(t, power):
    ...         return 1.0 - 0.5 * t**-power
    >>> db.Policy(forget=Polynomial(0.5), explore=db.explore.UCB()).label
    'Polynomial(power=0.5) × UCB(xi=0.5, bound=1.0, padding=1.0)'
    """

    steady: ClassVar[bool] = False
    ageing: ClassVar[bool] = False
    by_arm: ClassVar[bool] = False
    by_clock: ClassVar[bool] = False
    factor: ClassVar[Callable[..., float]] = staticmethod(unfaded)
    span: ClassVar[Callable[..., float]] = staticmethod(unlimited)

    def __init_subclass__(cls) -> None:
        """Hold no class to a promise about functions it has replaced."""
        super().__init_subclass__()
        if not {"factor", "span"}.isdisjoint(vars(cls)) and "steady" not in vars(cls):
            cls.steady = False

    def in_rounds(self, seconds: float) -> Forget:
        """Return the rule that does the same where every round takes so many seconds."""
        return self

    def remembers(self) -> tuple[float, float]:
        """Return for how many seconds and for how many rounds a play is remembered.

        That is the span of a window, or the mean age of what a discount or half-life weighs.
        """
        numbers = self.numbers()
        span, factor = self.span(1e6, *numbers), self.factor(1.0, *numbers)
        most = min(span, 1.0 / (1.0 - factor) if factor < 1.0 else math.inf)
        return (most, math.inf) if self.by_clock else (math.inf, most)

    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Return the functions of the round."""
        return {"factor": ("t",), "span": ("t",)}

    def check(self) -> None:
        """Raise unless factors lie in (0, 1], spans never shrink from 1, and promises are kept."""
        super().check()
        name, before = type(self).__name__, 1.0
        plain = not self.by_arm or self.factor is unfaded
        require(plain, f"{name}.factor", self.factor, "be left alone where spans are by arm")
        factor_of, span_of, numbers = self.plain("factor"), self.plain("span"), self.numbers()
        first = factor_of(1.0, *numbers), span_of(1.0, *numbers)
        for t in (1.0, 2.0, 3.0, 10.0, 100.0, 1e4, 1e6):
            factor, span = factor_of(t, *numbers), span_of(t, *numbers)
            require(0.0 < factor <= 1.0, f"{name}.factor at round {t:g}", factor, "lie in (0, 1]")
            require(span >= before, f"{name}.span at round {t:g}", span, f"be at least {before:g}")
            same = not self.steady or (factor, span) == first
            require(same, f"{name} at round {t:g}", (factor, span), f"be steady at {first}")
            before = span
