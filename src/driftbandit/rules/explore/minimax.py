"""Upper confidence bounds for the worst case."""

from __future__ import annotations

import dataclasses
import math
from typing import ClassVar

from driftbandit.core.domain import Count, NonNegative, Positive
from driftbandit.rules.explore.rule import Explore


@dataclasses.dataclass(frozen=True)
class MOSS(Explore):
    """The index of MOSS: X̄ + B √(max(log(T / (K N)), 0) / N).

    An arm that had its share T/K of the plays gets no padding, so that the regret of the worst
    world is of the order √(KT), without a logarithm. T is `horizon`; with a window or a discount,
    how many rounds are remembered is what it should be.

    Reference: Audibert & Bubeck, *Minimax policies for adversarial and stochastic bandits*, 2009.

    >>> rule = MOSS(horizon=1000)
    >>> round(rule.index(0.5, 10.0, 100.0, *rule.arguments(arms=2)), 4)
    1.1255
    """

    arms: ClassVar[bool] = True

    horizon: Count
    bound: Positive = 1.0

    @staticmethod
    def index(
        mean: float, count: float, clock: float, arms: float, horizon: float, bound: float
    ) -> float:
        """Return the index of MOSS."""
        return mean + bound * math.sqrt(math.log(max(horizon / (arms * count), 1.0)) / count)


@dataclasses.dataclass(frozen=True)
class AnytimeMOSS(Explore):
    """The index of MOSS-anytime: X̄ + B √(½ (1 + α) max(log(clock / (K N)), 0) / N).

    The clock in place of the horizon; α = 1.35 is what the proof of its √(KT) needs.

    Reference: Degenne & Perchet, *Anytime optimal algorithms in stochastic multi-armed bandits*,
    2016.

    >>> rule = AnytimeMOSS()
    >>> round(rule.index(0.5, 10.0, 1000.0, *rule.arguments(arms=2)), 4)
    1.178
    """

    arms: ClassVar[bool] = True

    alpha: NonNegative = 1.35
    bound: Positive = 1.0

    @staticmethod
    def index(
        mean: float, count: float, clock: float, arms: float, alpha: float, bound: float
    ) -> float:
        """Return the index of MOSS-anytime."""
        part = 0.5 * (1.0 + alpha) * math.log(max(clock / (arms * count), 1.0))
        return mean + bound * math.sqrt(part / count)
