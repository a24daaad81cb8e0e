"""What being wrong about Υ or T does to the parameters, by the laws of the papers' rules.

The rules set 1 − γ ∝ √(Υ/T) for D-UCB, τ ∝ √(T log T / Υ) for SW-UCB, and for EXP3.S
γ ∝ √((Υ log(KT) + e) / T) with α = 1/T. Who takes Υ or T for f times as much as it is, and has the
constant right, uses the best parameters moved by these laws.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

FACTORS = (0.25, 0.5, 2.0, 4.0)
LARGEST_LOSS = 0.99
"""Of the weight of the past, in a round: a discount must stay above 0."""


@dataclasses.dataclass(frozen=True)
class Case:
    """How often the world changes and how long it is played."""

    horizon: int
    breakpoints: int
    arms: int

    def mistaken(self, best: dict[str, Any], what: str, factor: float) -> dict[str, Any]:
        """Return the best parameters as they are set by who is wrong about Υ or T by a factor.

        >>> Case(10_000, 2, 3).mistaken({"window": 1000, "xi": 0.5}, "breakpoints", 4.0)
        {'window': 500, 'xi': 0.5}
        >>> Case(10_000, 2, 3).mistaken({"discount": 0.99}, "horizon", 0.25)
        {'discount': 0.98}
        """
        shared = "sharing" in best
        right, wrong = self._rates(shared), self._rates(shared, **{what: factor})
        moved = {name: wrong[name] / right[name] for name in best if name in right}
        return best | {name: MOVES[name](best[name], by) for name, by in moved.items()}

    def _rates(
        self, shared: bool, breakpoints: float = 1.0, horizon: float = 1.0
    ) -> dict[str, float]:
        """Return what each parameter is proportional to, if Υ and T are taken for so much.

        Without sharing the weights are those of EXP3, γ ∝ √(1/T), whatever changes.
        """
        T, changes = max(horizon * self.horizon, 2.0), breakpoints * max(self.breakpoints, 1)
        seen = breakpoints * self.breakpoints if shared else 0.0
        return {
            "discount": math.sqrt(changes / T),
            "window": math.sqrt(T * math.log(T) / changes),
            "exploration": math.sqrt((seen * math.log(self.arms * T) + math.e) / T),
            "sharing": 1.0 / T,
        }


MOVES: dict[str, Callable[[Any, float], Any]] = {
    "discount": lambda value, by: round(1.0 - min((1.0 - value) * by, LARGEST_LOSS), 12),
    "window": lambda value, by: max(1, round(value * by)),
    "exploration": lambda value, by: min(1.0, value * by),
    "sharing": lambda value, by: min(1.0, value * by),
}
"""How a parameter moves by a factor and stays what it may be."""


def subjects(parameters: dict[str, Any]) -> list[str]:
    """Return what the rules for these parameters know, about which one can be wrong.

    >>> subjects({"window": 10}), subjects({"exploration": 0.1}), subjects({"xi": 0.5})
    (['breakpoints', 'horizon'], ['horizon'], [])
    """
    if {"window", "discount", "sharing"} & set(parameters):
        return ["breakpoints", "horizon"]
    return ["horizon"] if "exploration" in parameters else []
