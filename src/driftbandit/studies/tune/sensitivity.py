"""How a wrong Υ or T moves the parameters, by the papers' rules.

The rules set 1 − γ ∝ √(Υ/T) for D-UCB, τ ∝ √(T log T / Υ) for SW-UCB, and for EXP3.S
γ ∝ √((Υ log(KT) + e) / T) with α = 1/T. A user who misjudges Υ or T by a factor, but has the
constant right, sets the best parameters moved by these laws.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

FACTORS = (0.25, 0.5, 2.0, 4.0)
LARGEST_LOSS = 0.99
"""The largest share of the past's weight that may be lost per round: a discount stays above 0."""


@dataclasses.dataclass(frozen=True)
class Case:
    """The numbers that the rules know: rounds, changes of the best arm, and arms."""

    horizon: int
    breakpoints: int
    arms: int

    def misjudged(self, best: dict[str, Any], about: str, factor: float) -> dict[str, Any]:
        """Return the best parameters as set by a user who misjudges Υ or T by a factor.

        >>> Case(10_000, 2, 3).misjudged({"window": 1000, "xi": 0.5}, "breakpoints", 4.0)
        {'window': 500, 'xi': 0.5}
        >>> Case(10_000, 2, 3).misjudged({"discount": 0.99}, "horizon", 0.25)
        {'discount': 0.98}
        """
        shared = "sharing" in best
        right, wrong = self._rates(shared), self._rates(shared, **{about: factor})
        moves = {name: wrong[name] / right[name] for name in best if name in right}
        return best | {name: MOVES[name](best[name], by) for name, by in moves.items()}

    def _rates(
        self, shared: bool, breakpoints: float = 1.0, horizon: float = 1.0
    ) -> dict[str, float]:
        """Return what each parameter is proportional to, with Υ and T multiplied by factors.

        Without sharing the weights are those of EXP3, γ ∝ √(1/T), whatever Υ is.
        """
        T, changes = max(horizon * self.horizon, 2.0), breakpoints * max(self.breakpoints, 1)
        segments = breakpoints * self.breakpoints if shared else 0.0
        return {
            "discount": math.sqrt(changes / T),
            "window": math.sqrt(T * math.log(T) / changes),
            "exploration": math.sqrt((segments * math.log(self.arms * T) + math.e) / T),
            "sharing": 1.0 / T,
        }


MOVES: dict[str, Callable[[Any, float], Any]] = {
    "discount": lambda value, by: round(1.0 - min((1.0 - value) * by, LARGEST_LOSS), 12),
    "window": lambda value, by: max(1, round(value * by)),
    "exploration": lambda value, by: min(1.0, value * by),
    "sharing": lambda value, by: min(1.0, value * by),
}
"""How a parameter moves by a factor and stays inside its domain."""


def subjects(parameters: dict[str, Any]) -> list[str]:
    """Return what the rules for these parameters know, and a user can misjudge.

    >>> subjects({"window": 10}), subjects({"exploration": 0.1}), subjects({"xi": 0.5})
    (['breakpoints', 'horizon'], ['horizon'], [])
    """
    if {"window", "discount", "sharing"} & set(parameters):
        return ["breakpoints", "horizon"]
    return ["horizon"] if "exploration" in parameters else []
