"""EXP3.SIX and EXP3-IX."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, ClassVar, Self

from driftbandit.core.domain import Positive, Real
from driftbandit.core.errors import require, whole
from driftbandit.policies.presets.tuned import takes_all_facts
from driftbandit.policies.weights.policy import Weights


@dataclasses.dataclass(frozen=True)
class EXP3SIX(Weights):
    """EXP3.SIX: exponential weights that explore by their estimates alone, and share.

    p_i = w_i / W; v_i = w_i exp(−η ℓ̂_i) with the loss ℓ̂_i = (1 − X/B) 1{i = I} / (p_i + γ); then
    w_i ← (1 − α) v_i + (α / K) Σ v. η is `rate`, γ is `implicit`, α is `sharing`. No play is
    forced: the γ in the estimate bounds its variance, and with it the regret of single runs.

    EXP3.S shares the weights from before the step, and adds without taking.

    Slow where rewards are merely random, like EXP3.S, though less so: in `two_swaps`, tuned to Υ =
    2, it loses 423 ± 3 and EXP3.S 489 ± 5, in `periodic` 359 ± 4 and 663 ± 7; with the printed η it
    loses 551 and 932. It needs Υ: if it is too small, the policy stays with an arm for too long.

    Reference: Neu 2015, where α = 0 is EXP3-IX.

    >>> EXP3SIX.tuned(horizon=10_000, breakpoints=2, arms=3)
    EXP3SIX(label='EXP3.SIX', rate=0.03858..., implicit=0.0192..., sharing=0.0002..., bound=1.0)
    """

    fresh: ClassVar[bool] = True

    label: str = dataclasses.field(default="EXP3.SIX", kw_only=True)
    rate: Positive = 0.1
    implicit: Positive = 0.05
    sharing: Annotated[float, Real("[0, 1)")] = 0.0
    bound: Positive = 1.0

    @classmethod
    @takes_all_facts
    def tuned(
        cls, horizon: int, breakpoints: int, arms: int, bound: float = 1.0, label: str = "EXP3.SIX"
    ) -> Self:
        """Return α = Υ/(T−1), η = 2γ = √(2C/(KT)), C = (Υ+1) log K + Υ log(e(T−1)/Υ).

        exp(C) bounds the number of ways to switch, and 2C/η + ηKT the regret; the printed η has
        (Υ+1) log K in place of C, with which the bound printed beside it does not follow.

        With probability 1 − δ the regret is at most 2√(2KTC) + (√(2KT/C) + 1) log(2/δ). With Υ = 0
        it is EXP3-IX.
        """
        T, K = whole("horizon", horizon), whole("arms", arms, least=2)
        changes = whole("breakpoints", breakpoints, least=0)
        require(changes <= T - 2 or not changes, "breakpoints", changes, f"be at most {T - 2}")
        size = (changes + 1) * math.log(K)
        if changes:
            size += changes * math.log(math.e * (T - 1) / changes)
        rate = math.sqrt(2.0 * size / (K * T))
        return cls(rate, rate / 2.0, changes / max(T - 1, 1), bound, label=label)

    def share(self, arms: int) -> float:
        """Return α / ((1 − α) K): all weights are 1 − α times smaller than on paper."""
        return self.sharing / ((1.0 - self.sharing) * arms)

    def numbers(self) -> tuple[float, ...]:
        """Return η and γ."""
        return (self.rate, self.implicit)

    def steepest(self, arms: int) -> float:
        """Return η / γ, which no η ℓ̂ exceeds."""
        return self.rate / self.implicit

    @staticmethod
    def exponent(
        gain: float, probability: float, arms: float, rate: float, implicit: float
    ) -> float:
        """Return −η ℓ / (p + γ); the loss is ℓ = 1 − x̂ p."""
        return -rate * (1.0 - gain * probability) / (probability + implicit)
