"""The axis of forgetting: how much of the past an average remembers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NoReturn

import numpy as np

from driftbandit.core.errors import InputError, require, shown
from driftbandit.rules.rule import Rule

ROUNDS_ASKED = 20_000
"""Rounds from the first on at which a rule of a user's own is asked before it is simulated."""


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
        name = type(self).__name__
        silent = self.factor is unfaded and self.span is unlimited
        if silent and Forget in type(self).__bases__ and not self.trusted:
            raise InputError(f"{name} must have a staticmethod factor or span")
        plain = not self.by_arm or self.factor is unfaded
        require(plain, f"{name}.factor", self.factor, "be left alone where spans are by arm")
        self._check_rounds((1, 2, 3, 10, 100, 10_000, 1_000_000))

    def check_until(self, horizon: int) -> None:
        """Raise as `check` does, for the rounds that are to be played.

        Every one of the first is asked for, then some of the later ones.
        """
        if not self.trusted:
            end = min(horizon, ROUNDS_ASKED)
            later = np.geomspace(end, horizon, ROUNDS_ASKED if horizon > end else 1).astype(int)
            self._check_rounds((*range(1, end), *np.unique(later).tolist()))

    def _check_rounds(self, rounds: Iterable[int]) -> None:
        """Raise unless what the functions return at these rounds, in their order, is allowed."""
        factor_of, span_of, numbers = self.plain("factor"), self.plain("span"), self.numbers()
        first, before = (factor_of(1.0, *numbers), span_of(1.0, *numbers)), 1.0
        for t in map(float, rounds):
            factor, span = factor_of(t, *numbers), span_of(t, *numbers)
            if not (0.0 < factor <= 1.0 and span >= before):
                self.refuse(t, factor, span, before)
            if self.steady and (factor, span) != first:
                name = f"{type(self).__name__} at round {t:g}"
                require(False, name, (factor, span), f"be steady at {first}")
            before = span

    def refuse(self, t: float, factor: float, span: float, before: float) -> NoReturn:
        """Raise for what the functions return at round t, after the span `before`."""
        name = type(self).__name__
        require(0.0 < factor <= 1.0, f"{name}.factor at round {t:g}", factor, "lie in (0, 1]")
        message = f"{name}.span at round {t:g} must be at least {before:g}, got {shown(span)}"
        raise InputError(message)
