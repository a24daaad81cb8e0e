"""The generalised likelihood ratio test: did all rewards of an arm come from one law?"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from driftbandit.core.domain import Count, OpenShare, Positive
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import bernoulli_divergence
from driftbandit.rules.detect.buckets import BUCKETS, any_border, insert, its_turn
from driftbandit.rules.detect.rule import Detect


@compilable
def level(n: float, delta: float) -> float:
    """Return log(3 n^(3/2) / δ).

    >>> round(level(100.0, 0.05), 4)
    11.0021
    """
    return math.log(3.0 / delta) + 1.5 * math.log(n)


@compilable
def gap(n: float, s: float, seen: float, total: float) -> float:
    """Return (n (m − n) / m) (mean after − mean before)², times m n (m − n), without division."""
    apart = s * seen - n * total
    return apart * apart


@compilable
def bernoulli_parted(
    n: float, s: float, seen: float, total: float, least: float, variance: float
) -> bool:
    """Say whether the Bernoulli statistic of a cut is at least `least`.

    kl(p, q) ≤ (p − q)² / (q (1 − q)), so most cuts need no logarithm; `variance` is q (1 − q).
    """
    rest = seen - n
    if gap(n, s, seen, total) < least * variance * seen * n * rest:
        return False
    mean, after, before = total / seen, s / n, (total - s) / rest
    after, before = min(max(after, 0.0), 1.0), min(max(before, 0.0), 1.0)
    return (
        n * bernoulli_divergence(after, mean) + rest * bernoulli_divergence(before, mean) >= least
    )


@compilable
def gaussian_parted(
    n: float, s: float, seen: float, total: float, least: float, variance: float
) -> bool:
    """Say whether the Gaussian statistic of a cut is at least `least`."""
    return gap(n, s, seen, total) >= 2.0 * variance * least * seen * n * (seen - n)


@dataclasses.dataclass(frozen=True)
class GLR(Detect):
    """GLR test for rewards in [0, B], as if they were coins: alarm if for some cut s:

    s · kl(X̄_{1:s}, X̄_{1:n}) + (n − s) · kl(X̄_{s+1:n}, X̄_{1:n}) ≥ β(n, δ) = log(3 n^(3/2) / δ),

    over the n rewards of the arm since its last restart, divided by B. Asked every `every` plays of
    the arm. Cuts are tried at the borders of O(log n) buckets (`detect.buckets`), which are fine
    where the past is recent: a subset of all cuts, so there are no more false alarms than with all,
    and no earlier ones. A change d plays ago, with as many before it, is met by a cut at most d/16
    away. In GLR-klUCB this costs up to 2 % of regret against all cuts, and on most problems
    nothing that could be measured.

    δ is `delta`, the probability of a false alarm on an arm that does not change, over all its
    plays, as found in simulations; what is proved needs a larger β.

    Reference: Besson, Kaufmann, Maillard & Seznec 2022, *Efficient change-point detection for
    tackling piecewise-stationary bandits*.

    >>> rule = GLR(delta=0.05, every=1)
    >>> state, rewards = rule.state.blank(), [0.0] * 20 + [1.0] * 20
    >>> [rule.alarm(state, x, 0.0, *rule.numbers()) for x in rewards].index(True)
    22
    """

    state = BUCKETS

    delta: OpenShare
    every: Count = 10
    bound: Positive = 1.0
    scope: str = "all"

    @property
    def eager(self) -> GLR:
        """This rule asked at every play."""
        return dataclasses.replace(self, every=1)

    @staticmethod
    def alarm(
        state: Any, reward: float, count: float, delta: float, every: float, bound: float
    ) -> bool:
        """Take in the reward and, when it is time, try the cuts."""
        insert(state, reward / bound)
        seen = state.seen
        mean = state.total / seen
        if not its_turn(state, every) or not 0.0 < mean < 1.0:
            return False
        return any_border(state, bernoulli_parted, level(seen, delta), mean * (1.0 - mean))


@dataclasses.dataclass(frozen=True)
class GaussianGLR(Detect):
    """GLR test for σ²-sub-Gaussian rewards: alarm if for some cut s:

    (s (n − s) / n) (X̄_{1:s} − X̄_{s+1:n})² / (2σ²) ≥ (1 + 1/n) log(3 n^(3/2) / δ),

    over the n rewards of the arm since its last restart. Asked every `every` plays of the arm, at
    the cuts of `GLR`. Rewards in [0, B] are sub-Gaussian with σ = B/2, the default for
    B = 1. The probability of a false alarm on an arm that does not change is at most δ.

    Reference: Maillard 2019, *Sequential change-point detection: Laplace concentration of scan
    statistics*, whose 2 n √(n + 1) is below 3 n^(3/2); Besson et al. 2022.

    >>> rule = GaussianGLR(delta=0.05, every=1)
    >>> state, rewards = rule.state.blank(), [0.0] * 20 + [1.0] * 20
    >>> [rule.alarm(state, x, 0.0, *rule.numbers()) for x in rewards].index(True)
    26
    """

    state = BUCKETS

    delta: OpenShare
    sigma: Positive = 0.5
    every: Count = 10
    scope: str = "all"

    @property
    def eager(self) -> GaussianGLR:
        """This rule asked at every play."""
        return dataclasses.replace(self, every=1)

    @staticmethod
    def alarm(
        state: Any, reward: float, count: float, delta: float, sigma: float, every: float
    ) -> bool:
        """Take in the reward and, when it is time, try the cuts."""
        insert(state, reward)
        seen = state.seen
        if not its_turn(state, every):
            return False
        least = (1.0 + 1.0 / seen) * level(seen, delta)
        return any_border(state, gaussian_parted, least, sigma * sigma)
