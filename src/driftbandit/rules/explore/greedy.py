"""Greedy play with a share of chance."""

from __future__ import annotations

import dataclasses
import math
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


@compilable
def _mean_or_chance(mean: float, noise: float, arms: float, rate: float, bound: float) -> float:
    """Return B (1 + U) where U^K > 1 − ε, and the mean elsewhere."""
    chance = rate >= 1.0 or arms * math.log(noise) > math.log1p(-rate)
    return bound * (1.0 + noise) if chance else mean
