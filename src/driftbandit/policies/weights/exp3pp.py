"""EXP3++."""

from __future__ import annotations

import dataclasses
import math

from driftbandit.core.domain import NonNegative, Positive
from driftbandit.policies.weights.policy import Weights


@dataclasses.dataclass(frozen=True)
class EXP3PP(Weights):
    """EXP3++: exponential weights that explore an arm the less, the clearer it is that it is worse.

    p_i = (1 − Σ ε) ρ_i + ε_i with ρ_i ∝ exp(−η_t L̂_i), L̂_i the sum of (1 − X/B) 1{i = I} / p_i,
    and η_t = ½ √(log K / (Kt)). The floor is ε_i = min(1/(2K), η_t, β log t / (t Δ̂_i²)), where Δ̂_i
    is the gap between confidence intervals X̄ ± √((α log t + log K) / (2N)), zero if they overlap.
    Safe against an adversary, with regret of order (log t)² where rewards are random.

    Whatever the rewards are, the regret is at most 4√(Kt log K). Fails where the best arm changes.
    The proven β = 256 takes effect after 10⁸ rounds or more; before that all floors are η_t. With α
    = ½ and β = 0.02, for which nothing is proved, gaps help from the first thousand rounds on. It
    is as slow to simulate as anytime EXP3-IX.

    Reference: Seldin & Slivkins 2014; Seldin & Lugosi 2017, whose α and β are the default.

    >>> EXP3PP().floor(gap=0.5, t=100_000.0, arms=2.0, alpha=3.0, beta=1.0)
    0.00046...
    """

    label: str = dataclasses.field(default="EXP3++", kw_only=True)
    alpha: NonNegative = 3.0
    beta: Positive = 256.0
    bound: Positive = 1.0

    def numbers(self) -> tuple[float, ...]:
        """Return α and β."""
        return (self.alpha, self.beta)

    @staticmethod
    def schedule(t: float, arms: float, alpha: float, beta: float) -> float:
        """Return η_t = ½ √(log K / (Kt))."""
        return 0.5 * math.sqrt(math.log(arms) / (arms * t))

    @staticmethod
    def exponent(
        gain: float, probability: float, arms: float, rate: float, alpha: float, beta: float
    ) -> float:
        """Return −ℓ / p; the loss is ℓ = 1 − x̂ p."""
        return -(1.0 - gain * probability) / probability

    @staticmethod
    def radius(count: float, t: float, arms: float, alpha: float, beta: float) -> float:
        """Return √((α log t + log K) / (2N))."""
        return math.sqrt((alpha * math.log(t) + math.log(arms)) / (2.0 * count))

    @staticmethod
    def floor(gap: float, t: float, arms: float, alpha: float, beta: float) -> float:
        """Return min(1/(2K), ½ √(log K / (Kt)), β log t / (t Δ̂²)), without dividing by zero."""
        most = min(0.5 / arms, 0.5 * math.sqrt(math.log(arms) / (arms * t)))
        enough, square = beta * math.log(t), t * gap * gap
        return enough / square if enough < most * square else most
