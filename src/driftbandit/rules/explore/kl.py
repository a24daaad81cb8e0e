"""Upper confidence bounds that know how rewards of 0 and 1 spread."""

from __future__ import annotations

import dataclasses
import math

from driftbandit.core.domain import NonNegative, Positive
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import bernoulli_point, bernoulli_upper
from driftbandit.rules.explore.rule import Explore


@dataclasses.dataclass(frozen=True)
class KLUCB(Explore):
    """KL-UCB: the largest q with N(i) · kl(X̄(i), q) ≤ log clock + c log log clock, for B = 1.

    kl(p, q) = p log(p/q) + (1 − p) log((1 − p)/(1 − q)) is the divergence of rewards of 0 and 1.
    Near 0 and 1 such rewards vary little and the padding is small; it is never larger than that of
    UCB with ξ = 1/2, which is the same index with 2 (p − q)² in place of kl. Rewards in [0, B] are
    divided by B. log log clock counts as 0 up to clock e. c = 0 in practice, 3 in the analysis.

    Reference: Garivier & Cappé, *The KL-UCB algorithm for bounded stochastic bandits and beyond*,
    2011; Cappé, Garivier, Maillard, Munos & Stoltz 2013.

    >>> rule = KLUCB()
    >>> round(rule.index(0.5, 10.0, 100.0, *rule.numbers()), 4)
    0.8879
    """

    c: NonNegative = 0.0
    bound: Positive = 1.0

    @staticmethod
    def index(mean: float, count: float, clock: float, c: float, bound: float) -> float:
        """Return B q."""
        return bound * bernoulli_upper(mean / bound, _level(clock, c) / count)

    @staticmethod
    def level(clock: float, c: float, bound: float) -> float:
        """Return log clock + c log log clock."""
        return _level(clock, c)

    @staticmethod
    def tangent(mean: float, share: float, c: float, bound: float) -> tuple[float, float]:
        """Return B q and, as kl(p, q) has the slope (q − p) / q (1 − q), how fast it rises."""
        p = mean / bound
        q = bernoulli_upper(p, share)
        return bound * q, bound * q * (1.0 - q) / max(q - p, 1e-30)

    @staticmethod
    def near(
        mean: float, share: float, hint: float, c: float, bound: float
    ) -> tuple[float, float, float, float]:
        """Return a point of the curve near a share."""
        at, q, slope, hint = bernoulli_point(mean / bound, share, hint)
        return at, bound * q, bound * slope, hint


@compilable
def _level(clock: float, c: float) -> float:
    once = math.log(clock)
    return once + c * math.log(max(once, 1.0))
