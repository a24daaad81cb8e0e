"""EXP3-IX without a horizon."""

from __future__ import annotations

import dataclasses
import math

from driftbandit.core.domain import Positive
from driftbandit.policies.weights.policy import Weights


@dataclasses.dataclass(frozen=True)
class AnytimeEXP3IX(Weights):
    """Anytime EXP3-IX: p_i ∝ exp(−η_t L̂_i), with rates that fall as rounds go by.

    L̂_i is the sum of the losses (1 − X/B) 1{i = I} / (p_i + γ_t), and η_t = 2γ_t = √(log K / (Kt)).
    Nothing needs to be known but the number of arms.

    With probability 1 − δ the regret at t is at most 4√(Kt log K) + (2√(Kt / log K) + 1) log(2/δ).
    The rate of the round is applied to the whole sum.

    Fails where EXP3-IX does. It is several times slower to simulate: one exponential per arm and
    round.

    Reference: Neu 2015.

    >>> AnytimeEXP3IX.schedule(t=100.0, arms=2.0)
    0.0588...
    """

    label: str = dataclasses.field(default="EXP3-IX (anytime)", kw_only=True)
    bound: Positive = 1.0

    def numbers(self) -> tuple[float, ...]:
        """Return nothing: there is nothing to set."""
        return ()

    @staticmethod
    def schedule(t: float, arms: float) -> float:
        """Return η_t = √(log K / (Kt))."""
        return math.sqrt(math.log(arms) / (arms * t))

    @staticmethod
    def exponent(gain: float, probability: float, arms: float, rate: float) -> float:
        """Return −ℓ / (p + η_t / 2); the loss is ℓ = 1 − x̂ p."""
        return -(1.0 - gain * probability) / (probability + 0.5 * rate)
