"""Cumulative sums: how far rewards have wandered from where they were."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

from driftbandit.core.domain import Count, NonNegative, Positive
from driftbandit.core.marking import compilable
from driftbandit.rules.detect.rule import Detect

UP, DOWN, SEEN, TOTAL = range(4)
"""Places of the memory: the two walks, and how many rewards their centre is the mean of."""


@compilable
def wander(memory: Any, step: float, drift: float, threshold: float) -> bool:
    """Let both walks take a step, not below zero, and say whether one is above the threshold."""
    memory[UP] = max(0.0, memory[UP] + step - drift)
    memory[DOWN] = max(0.0, memory[DOWN] - step - drift)
    return max(memory[UP], memory[DOWN]) > threshold  # type: ignore[no-any-return]


@dataclasses.dataclass(frozen=True)
class CUSUM(Detect):
    """Two-sided CUSUM around the mean of the first M rewards of an arm.

    û is the mean of the first M rewards, which take no part in the walks; each later reward x moves
    g⁺ ← max(0, g⁺ + x − û − ε) and g⁻ ← max(0, g⁻ + û − x − ε). Alarm if either is above h.

    M is `warmup`, ε is `drift` (about half the smallest change that matters), h is `threshold`;
    ε and h are in units of reward.

    Reference: Liu, Lee & Shroff 2018, *A change-detection based framework for piecewise-stationary
    multi-armed bandit problem*.

    >>> rule, memory = CUSUM(warmup=2, drift=0.1, threshold=1.0), [0.0] * 4
    >>> [rule.alarm(memory, x, 0.0, *rule.numbers()) for x in (0.0, 0.0, 1.0, 1.0)]
    [False, False, False, True]
    """

    memory: ClassVar[int] = 4

    warmup: Count
    drift: NonNegative
    threshold: Positive
    scope: str = "arm"

    @staticmethod
    def alarm(
        memory: Any, reward: float, count: float, warmup: float, drift: float, threshold: float
    ) -> bool:
        """Learn where rewards are, then watch how far they wander."""
        if memory[SEEN] < warmup:
            memory[SEEN] += 1.0
            memory[TOTAL] += reward
            return False
        return wander(memory, reward - memory[TOTAL] / warmup, drift, threshold)


@dataclasses.dataclass(frozen=True)
class PageHinkley(Detect):
    """Two-sided Page–Hinkley test: CUSUM around the mean of all rewards of the arm so far.

    With x̄ the mean of the rewards since the last restart, the new one x included,
    g⁺ ← max(0, g⁺ + x − x̄ − ε) and g⁻ ← max(0, g⁻ + x̄ − x − ε). Alarm if either is above h.

    ε is `drift`, h is `threshold`, both in units of reward.

    Reference: Page 1954; Hinkley 1971; PHT-UCB in Liu, Lee & Shroff 2018.

    >>> rule, memory = PageHinkley(drift=0.1, threshold=1.0), [0.0] * 4
    >>> [rule.alarm(memory, x, 0.0, *rule.numbers()) for x in (0.0, 0.0, 1.0, 1.0, 1.0)]
    [False, False, False, False, True]
    """

    memory: ClassVar[int] = 4

    drift: NonNegative
    threshold: Positive
    scope: str = "arm"

    @staticmethod
    def alarm(memory: Any, reward: float, count: float, drift: float, threshold: float) -> bool:
        """Move the mean, then watch how far rewards wander from it."""
        memory[SEEN] += 1.0
        memory[TOTAL] += reward
        return wander(memory, reward - memory[TOTAL] / memory[SEEN], drift, threshold)
