"""Cumulative sums: how far rewards have wandered from where they were."""

from __future__ import annotations

import dataclasses
from typing import Any

from driftbandit.core.domain import Count, NonNegative, Positive
from driftbandit.core.marking import compilable
from driftbandit.core.state import State
from driftbandit.rules.detect.rule import Detect

WALKS = State("up", "down", "seen", "total")
"""The two walks, and the number and sum of the rewards whose mean is their centre."""


@compilable
def wander(state: Any, step: float, drift: float, threshold: float) -> bool:
    """Let both walks take a step, not below zero, and say whether one is above the threshold."""
    state.up = max(0.0, state.up + step - drift)
    state.down = max(0.0, state.down - step - drift)
    return max(state.up, state.down) > threshold  # type: ignore[no-any-return]  # floats


@dataclasses.dataclass(frozen=True)
class CUSUM(Detect):
    """Two-sided CUSUM around the mean of the first M rewards of an arm.

    û is the mean of the first M rewards, which take no part in the walks; each later reward x moves
    g⁺ ← max(0, g⁺ + x − û − ε) and g⁻ ← max(0, g⁻ + û − x − ε). Alarm if either is above h.

    M is `warmup`, ε is `drift` (about half the smallest change that matters), h is `threshold`;
    ε and h are in units of reward. The index of CUSUM-UCB has log Σ_j N(j), so `clock` is "plays".

    Reference: Liu, Lee & Shroff 2018, *A change-detection based framework for piecewise-stationary
    multi-armed bandit problem*.

    >>> rule, state = CUSUM(warmup=2, drift=0.1, threshold=1.0), WALKS.blank()
    >>> [rule.alarm(state, x, 0.0, *rule.numbers()) for x in (0.0, 0.0, 1.0, 1.0)]
    [False, False, False, True]
    """

    state = WALKS

    warmup: Count
    drift: NonNegative
    threshold: Positive
    scope: str = "arm"
    clock: str = "plays"

    @staticmethod
    def alarm(
        state: Any, reward: float, count: float, warmup: float, drift: float, threshold: float
    ) -> bool:
        """Learn where rewards are, then watch how far they wander."""
        if state.seen < warmup:
            state.seen += 1.0
            state.total += reward
            return False
        return wander(state, reward - state.total / warmup, drift, threshold)


@dataclasses.dataclass(frozen=True)
class PageHinkley(Detect):
    """Two-sided Page–Hinkley test: CUSUM around the mean of all rewards of the arm so far.

    With x̄ the mean of the rewards since the last restart, the new one x included,
    g⁺ ← max(0, g⁺ + x − x̄ − ε) and g⁻ ← max(0, g⁻ + x̄ − x − ε). Alarm if either is above h.

    ε is `drift`, h is `threshold`, both in units of reward; `clock` is that of `CUSUM`.

    Reference: Page 1954; Hinkley 1971; PHT-UCB in Liu, Lee & Shroff 2018.

    >>> rule, state = PageHinkley(drift=0.1, threshold=1.0), WALKS.blank()
    >>> [rule.alarm(state, x, 0.0, *rule.numbers()) for x in (0.0, 0.0, 1.0, 1.0, 1.0)]
    [False, False, False, False, True]
    """

    state = WALKS

    drift: NonNegative
    threshold: Positive
    scope: str = "arm"
    clock: str = "plays"

    @staticmethod
    def alarm(state: Any, reward: float, count: float, drift: float, threshold: float) -> bool:
        """Move the mean, then watch how far rewards wander from it."""
        state.seen += 1.0
        state.total += reward
        return wander(state, reward - state.total / state.seen, drift, threshold)
