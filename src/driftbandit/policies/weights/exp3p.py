"""EXP3.P."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar, Self

from driftbandit.core.domain import Count, NonNegative, Positive, PositiveShare
from driftbandit.core.errors import real, whole
from driftbandit.policies.presets.tuned import takes_all_facts
from driftbandit.policies.weights.policy import Weights


@dataclasses.dataclass(frozen=True)
class EXP3P(Weights):
    """EXP3.P: exponential weights with a confidence term, for a small regret with high probability.

    As EXP3, but w_i ← w_i exp((γ / 3K) (x̂_i + α / (p_i √(KT)))) for every arm, played or not.
    γ is `exploration`, α is `confidence`, T is `horizon`.

    Fails where EXP3 does. Its mean regret may be larger; what it bounds is the regret of single
    runs.

    Reference: Auer, Cesa-Bianchi, Freund & Schapire 2002, section 6.

    >>> EXP3P.tuned(horizon=10_000, arms=3).exploration
    0.02812...
    """

    lone: ClassVar[bool] = False

    label: str = dataclasses.field(default="EXP3.P", kw_only=True)
    exploration: PositiveShare = 0.1
    confidence: NonNegative = 1.0
    horizon: Count = 10_000
    bound: Positive = 1.0

    @classmethod
    @takes_all_facts
    def tuned(
        cls,
        horizon: int,
        arms: int,
        delta: float = 0.05,
        bound: float = 1.0,
        label: str = "EXP3.P",
    ) -> Self:
        """Return γ = min(3/5, 2 √((3/5) K log K / T)), α = 2 √(log(KT/δ)): right but for δ.

        Theorem 6.3 of Auer et al. 2002.
        """
        T, K = whole("horizon", horizon), whole("arms", arms, least=2)
        exploration = min(0.6, 2.0 * math.sqrt(0.6 * K * math.log(K) / T))
        confidence = 2.0 * math.sqrt(math.log(K * T / real("delta", delta, "(0, 1)")))
        return cls(exploration, confidence, T, bound, label=label)

    def numbers(self) -> tuple[float, ...]:
        """Return γ, α and T."""
        return (self.exploration, self.confidence, float(self.horizon))

    def steepest(self, arms: int) -> float:
        """Return (1 + α / √(KT)) / 3, reached at p = γ / K."""
        return (1.0 + self.confidence / math.sqrt(arms * self.horizon)) / 3.0

    @staticmethod
    def exponent(
        gain: float,
        probability: float,
        arms: float,
        exploration: float,
        confidence: float,
        horizon: float,
    ) -> float:
        """Return (γ / 3K) (x̂ + α / (p √(KT)))."""
        bonus = confidence / (probability * math.sqrt(arms * horizon))
        return exploration / (3.0 * arms) * (gain + bonus)
