"""Forced exploration at random."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from driftbandit.core.domain import Share
from driftbandit.rules.force.rule import Force


@dataclasses.dataclass(frozen=True)
class RandomForce(Force):
    """With probability α play an arm drawn uniformly from all K. α is `rate`.

    Reference: CUSUM-UCB, Liu, Lee & Shroff 2018.

    >>> rule = RandomForce(0.1)
    >>> [rule.arm(7.0, 0.0, 5.0, u, *rule.numbers()) for u in (0.01, 0.05, 0.0999, 0.1, 0.9)]
    [0, 2, 4, -1, -1]
    """

    noise: ClassVar[bool] = True

    rate: Share

    @staticmethod
    def arm(since: float, restarts: float, arms: float, noise: float, rate: float) -> int:
        """Return the arm in whose K-th part of (0, α) the noise falls."""
        return min(int(noise / rate * arms), int(arms) - 1) if noise < rate else -1

    @staticmethod
    def law(since: float, restarts: float, arms: float, rate: float) -> list[float]:
        """Return α/K for every arm."""
        return [rate / arms] * int(arms)
