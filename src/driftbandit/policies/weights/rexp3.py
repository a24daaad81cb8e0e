"""Rexp3."""

from __future__ import annotations

import dataclasses
import math
from typing import Self

from driftbandit.core.domain import Count, Positive, PositiveShare
from driftbandit.core.errors import real, whole
from driftbandit.core.numerics import ceiling_of
from driftbandit.policies.presets.tuned import takes_all_facts
from driftbandit.policies.weights.exp3s import EXP3S
from driftbandit.policies.weights.policy import Weights


@dataclasses.dataclass(frozen=True)
class REXP3(Weights):
    """Rexp3: EXP3 that starts over every Δ rounds, for means that wander within a budget.

    γ is `exploration`, Δ is `batch`. It needs no breakpoints: what counts is the total variation
    V = Σ_t max_i |μ_{t+1}(i) − μ_t(i)|, in jumps or in drift.

    With Δ ≥ T it is EXP3. Its regret is O((K log K · V)^⅓ T^⅔), which no policy can beat by more
    than the logarithm.

    Fails where changes are few and large: it pays for learning again in every batch, and after a
    change it is wrong for the rest of the batch.

    Reference: Besbes, Gur & Zeevi 2014.

    >>> REXP3.tuned(horizon=10_000, variation=2.0, arms=3)
    REXP3(label='Rexp3', exploration=0.06632..., batch=436, bound=1.0)
    """

    label: str = dataclasses.field(default="Rexp3", kw_only=True)
    exploration: PositiveShare = 0.1
    batch: Count = 1_000
    bound: Positive = 1.0

    @classmethod
    @takes_all_facts
    def tuned(
        cls, horizon: int, variation: float, arms: int, bound: float = 1.0, label: str = "Rexp3"
    ) -> Self:
        """Return Δ = ⌈(K log K)^⅓ (BT/V)^⅔⌉ ≤ T, γ = min(1, √(K log K / ((e − 1) Δ))).

        Theorem 2 of Besbes et al. 2014; V = `variation` is in units of reward.
        """
        T, K = whole("horizon", horizon), whole("arms", arms, least=2)
        bound = real("bound", bound, "(0, inf)")
        budget, size = real("variation", variation, "[0, inf)") / bound, K * math.log(K)
        few = budget <= math.sqrt(size / T)  # then the rule gives T rounds or more
        batch = T if few else min(T, int(ceiling_of(size ** (1 / 3) * (T / budget) ** (2 / 3))))
        exploration = min(1.0, math.sqrt(size / ((math.e - 1.0) * batch)))
        return cls(exploration, batch, bound, label=label)

    def numbers(self) -> tuple[float, ...]:
        """Return γ."""
        return (self.exploration,)

    def steepest(self, arms: int) -> float:
        """Return 1: p ≥ γ / K, so γ x̂ / K ≤ 1."""
        return 1.0

    exponent = staticmethod(EXP3S.exponent)
