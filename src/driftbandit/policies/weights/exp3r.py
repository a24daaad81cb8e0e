"""EXP3.R."""

from __future__ import annotations

import dataclasses
import math
from typing import Self

from driftbandit.core.domain import Count, OpenShare, Positive, PositiveShare
from driftbandit.core.errors import real, require, whole
from driftbandit.core.numerics import ceiling_of
from driftbandit.policies.presets.tuned import takes_all_facts
from driftbandit.policies.weights.exp3s import EXP3S
from driftbandit.policies.weights.policy import Weights


@dataclasses.dataclass(frozen=True)
class EXP3R(Weights):
    """EXP3.R: EXP3 that watches its exploration and starts over when another arm has become better.

    With probability γ an arm is drawn uniformly, else by its weight. Once the uniform draws have
    met every arm γH/K times, their means are compared: if some arm is better than the one of the
    largest weight by 2ε or more, ε = √(K log(1/δ) / (2γH)), all weights are equal again. Then a new
    interval begins. γ is `exploration`, H is `interval`, δ is `delta`.

    Its regret is of order Υ √(KT log K log T) if gaps are large enough. Fails where gaps are small
    or the horizon is short: with T = 10,000 and three arms, a gap of 0.4 takes more than T rounds
    to be seen, and `tuned` says so. A change is noticed only by the test at the end of its
    interval. Live, a reward counts as one of a uniform draw only if its arm was the last one
    chosen, by such a draw.

    Reference: Allesiardo & Féraud 2015.

    >>> EXP3R.tuned(horizon=10**6, arms=2, gap=0.5)
    EXP3R(label='EXP3.R', exploration=0.0043..., interval=86889, delta=0.0026..., bound=1.0)
    """

    label: str = dataclasses.field(default="EXP3.R", kw_only=True)
    exploration: PositiveShare = 0.1
    interval: Count = 1_000
    delta: OpenShare = 0.01
    bound: Positive = 1.0

    @classmethod
    @takes_all_facts
    def tuned(
        cls, horizon: int, arms: int, gap: float, bound: float = 1.0, label: str = "EXP3.R"
    ) -> Self:
        """Return γ = min(1, √(K log K log T / T)), δ = √(log T / (KT)), and H with 4ε = Δ/B.

        Δ = `gap` is the least gap of a best arm that is to be noticed. γ and δ are the paper's; its
        H = C √(T log T) has the same order, with a C that must make 4ε ≤ Δ.

        With C = 1, as in public code, 2ε is above 1 and no alarm is possible.
        """
        T, K = whole("horizon", horizon, least=2), whole("arms", arms, least=2)
        bound = real("bound", bound, "(0, inf)")
        size = real("gap", gap, f"(0, {bound!r}]") / bound
        exploration = min(1.0, math.sqrt(K * math.log(K) * math.log(T) / T))
        delta = math.sqrt(math.log(T) / (K * T))
        interval = int(ceiling_of(8.0 * K * math.log(1.0 / delta) / (exploration * size * size)))
        long = f"be longer than the interval, {interval} rounds for a gap of {float(gap):g}"
        require(interval < T, "horizon", T, long)
        return cls(exploration, interval, delta, bound, label=label)

    def watch(self, arms: int) -> tuple[float, float]:
        """Return γH/K, at least one draw, and 2ε."""
        draws = self.exploration * self.interval
        noise = math.sqrt(arms * math.log(1.0 / self.delta) / (2.0 * draws))
        return max(draws / arms, 1.0), 2.0 * noise

    def numbers(self) -> tuple[float, ...]:
        """Return γ."""
        return (self.exploration,)

    def steepest(self, arms: int) -> float:
        """Return 1: p ≥ γ / K, so γ x̂ / K ≤ 1."""
        return 1.0

    exponent = staticmethod(EXP3S.exponent)
