"""EXP3.S and EXP3."""

from __future__ import annotations

import dataclasses
import math
from typing import Self

from driftbandit.core.domain import Positive, PositiveShare, Share
from driftbandit.core.errors import whole
from driftbandit.policies.presets.tuned import takes_all_facts
from driftbandit.policies.weights.policy import Weights


@dataclasses.dataclass(frozen=True)
class EXP3S(Weights):
    """EXP3.S: exponential weights that share, so that no arm is ever given up.

    p_i = (1 − γ) w_i / W + γ / K; then w_i ← w_i exp(γ x̂_i / K) + (e α / K) W for every arm i.
    γ is `exploration`, α is `sharing`. Holds its own against an adversary; pays for it by playing
    every arm at least a share γ / K of the time.

    Slow where rewards are merely random: it learns from x̂, which is noisy. It is made for an
    adversary.

    Reference: Auer, Cesa-Bianchi, Freund & Schapire 2002, section 8.

    >>> EXP3S.tuned(horizon=10_000, breakpoints=2, arms=3)
    EXP3S(label='EXP3.S', exploration=0.06383..., sharing=0.0001, bound=1.0)
    """

    label: str = dataclasses.field(default="EXP3.S", kw_only=True)
    exploration: PositiveShare = 0.1
    sharing: Share = 0.0
    bound: Positive = 1.0

    @classmethod
    @takes_all_facts
    def tuned(
        cls, horizon: int, breakpoints: int, arms: int, bound: float = 1.0, label: str = "EXP3.S"
    ) -> Self:
        """Return α = 1/T, γ = min(1, √(K (Υ log(KT) + e) / ((e − 1) T))).

        Corollary 8.3 of Auer et al. 2002 as Garivier & Moulines 2008 use it, with Υ breakpoints;
        the corollary itself counts Υ + 1 segments.
        """
        T, K = whole("horizon", horizon), whole("arms", arms)
        changes = whole("breakpoints", breakpoints, least=0)
        hardness = changes * math.log(K * T) + math.e
        exploration = min(1.0, math.sqrt(K * hardness / ((math.e - 1.0) * T)))
        return cls(exploration, 1.0 / T, bound, label=label)

    def numbers(self) -> tuple[float, ...]:
        """Return γ."""
        return (self.exploration,)

    def steepest(self, arms: int) -> float:
        """Return 1: p ≥ γ / K, so γ x̂ / K ≤ 1."""
        return 1.0

    @staticmethod
    def exponent(gain: float, probability: float, arms: float, exploration: float) -> float:
        """Return γ x̂ / K."""
        return gain * (exploration / arms)
