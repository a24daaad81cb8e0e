"""Greedy play with a share of chance."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import ClassVar

from driftbandit.core.domain import NonNegative, Positive, Share
from driftbandit.core.marking import compilable
from driftbandit.rules.explore.rule import Explore


@dataclasses.dataclass(frozen=True)
class EpsilonGreedy(Explore):
    """ε-greedy: with probability ε any arm, each with the same chance, else the largest mean.

    The coin of the round is made of the arms' own numbers U_i. The largest of K uniform numbers,
    to the power K, is uniform itself; which arm has it is a fair draw, independent of its size. So
    that arm is played where max U^K > 1 − ε, by an index that no mean reaches: B (1 + U_i) for
    every arm with U_i^K > 1 − ε.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, section 2; Sutton & Barto 1998.

    >>> rule = EpsilonGreedy(rate=0.1)
    >>> [rule.index(0.4, 10.0, 100.0, u, *rule.arguments(arms=2)) for u in (0.94, 0.95)]
    [0.4, 1.95]
    """

    noise: ClassVar[int] = 1
    arms: ClassVar[bool] = True

    rate: Share = 0.1
    bound: Positive = 1.0

    @staticmethod
    def index(
        mean: float,
        count: float,
        clock: float,
        noise: float,
        arms: float,
        rate: float,
        bound: float,
    ) -> float:
        """Return the mean, or more than any mean if this is the round's draw."""
        return _mean_or_chance(mean, noise, arms, rate, bound)

    @staticmethod
    def law(
        means: Sequence[float],
        counts: Sequence[float],
        clock: Sequence[float],
        arms: float,
        rate: float,
        bound: float,
    ) -> list[float]:
        """Return ε/m for each of m arms, and 1 − ε more for the largest mean.

        Of equal means the lowest arm counts. The index has this law where `arms` is m.

        >>> rule = EpsilonGreedy(rate=0.1)
        >>> rule.law([0.4, 0.5], [5.0, 5.0], [10.0, 10.0], *rule.arguments(arms=2))
        [0.05, 0.9500000000000001]
        """
        return _greedy_law(means, [rate] * len(means))


@dataclasses.dataclass(frozen=True)
class DecayingGreedy(Explore):
    """ε-greedy with ε = min(1, scale · K / clock), for a regret that grows like a logarithm.

    scale is c/d² in the source, with d at most the smallest gap between the best mean and another.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, section 2, theorem 3.

    >>> rule = DecayingGreedy(scale=5.0)
    >>> [rule.index(0.4, 10.0, 100.0, u, *rule.arguments(arms=2)) for u in (0.94, 0.95)]
    [0.4, 1.95]
    """

    noise: ClassVar[int] = 1
    arms: ClassVar[bool] = True

    scale: NonNegative
    bound: Positive = 1.0

    @staticmethod
    def index(
        mean: float,
        count: float,
        clock: float,
        noise: float,
        arms: float,
        scale: float,
        bound: float,
    ) -> float:
        """Return the mean, or more than any mean if this is the round's draw."""
        return _mean_or_chance(mean, noise, arms, min(scale * arms / clock, 1.0), bound)

    @staticmethod
    def law(
        means: Sequence[float],
        counts: Sequence[float],
        clock: Sequence[float],
        arms: float,
        scale: float,
        bound: float,
    ) -> list[float]:
        """Return ε/m for each of m arms, and 1 − ε more for the largest mean.

        Of equal means the lowest arm counts. The index has this law where `arms` is m. Arms
        with clocks of their own have an ε of their own.

        >>> rule = DecayingGreedy(scale=5.0)
        >>> rule.law([0.4, 0.5], [50.0, 50.0], [100.0, 100.0], *rule.arguments(arms=2))
        [0.05, 0.9500000000000001]
        """
        return _greedy_law(means, [min(scale * arms / each, 1.0) for each in clock])


@compilable
def _mean_or_chance(mean: float, noise: float, arms: float, rate: float, bound: float) -> float:
    """Return B (1 + U) where U^K > 1 − ε, and the mean elsewhere."""
    chance = rate >= 1.0 or arms * math.log(noise) > math.log1p(-rate)
    return bound * (1.0 + noise) if chance else mean


def _greedy_law(means: Sequence[float], rates: Sequence[float]) -> list[float]:
    """Return the law of the largest index where arm i has the rate ε_i, and K is their number."""
    if min(rates) == max(rates):
        shares, rest = [rates[0] / len(rates)] * len(rates), 1.0 - rates[0]
    else:
        shares, rest = _chances(rates)
    best = means.index(max(means))
    return [share + rest * (arm == best) for arm, share in enumerate(shares)]


def _chances(rates: Sequence[float]) -> tuple[list[float], float]:
    """Return the probability of each arm to be drawn by chance, and that of none.

    Arm i takes part where U_i is above a_i = (1 − ε_i)^{1/K}, and is drawn if no larger number of
    an arm that takes part exists: ∫ Π_{j≠i} max(u, a_j) du over u > a_i. Between the k-th lowest a
    and the next one the product is u^{k−1} times all a that are higher.
    """
    least = [(1.0 - rate) ** (1.0 / len(rates)) for rate in rates]
    shares, total, higher, above = [0.0] * len(rates), 0.0, 1.0, 1.0
    order = sorted(range(len(rates)), key=least.__getitem__)
    parts = []
    for k in range(len(rates), 0, -1):
        low = least[order[k - 1]]
        total += higher * (above**k - low**k) / k
        parts.append(total)
        above, higher = low, higher * low
    for arm, share in zip(reversed(order), parts, strict=True):
        shares[arm] = share
    return shares, higher
