"""Softmax action selection."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import ClassVar

from driftbandit.core.domain import Positive
from driftbandit.rules.explore.rule import Explore


@dataclasses.dataclass(frozen=True)
class Softmax(Explore):
    """Play arm i with probability proportional to exp(X̄(i) / temperature).

    The draw is written as an index: the arm with the largest X̄(i) + temperature · G_i, where the
    G_i = −log(−log U_i) are independent Gumbel variables, has exactly the Gibbs law.

    Reference: Garivier & Moulines 2008, section 1.1; Gumbel 1954 for the identity.

    >>> rule = Softmax(temperature=0.1)
    >>> round(rule.index(0.5, 10.0, 100.0, 0.5, *rule.numbers()), 4)
    0.5367
    """

    noise: ClassVar[int] = 1

    temperature: Positive

    @staticmethod
    def index(mean: float, count: float, clock: float, noise: float, temperature: float) -> float:
        """Return the mean plus Gumbel noise."""
        return mean - temperature * math.log(-math.log(noise))

    @staticmethod
    def law(
        means: Sequence[float],
        counts: Sequence[float],
        clock: Sequence[float],
        temperature: float,
    ) -> list[float]:
        """Return exp(X̄(i) / temperature), divided by the sum over the arms.

        >>> rule = Softmax(temperature=0.1)
        >>> law = rule.law([0.5, 0.4], [5.0, 5.0], [10.0, 10.0], *rule.numbers())
        >>> [round(share, 4) for share in law]
        [0.7311, 0.2689]
        """
        most = max(means)
        weights = [math.exp((mean - most) / temperature) for mean in means]
        total = math.fsum(weights)
        return [weight / total for weight in weights]
