"""Adaptive windowing."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from driftbandit.core.domain import Count, OpenShare, Positive
from driftbandit.core.marking import compilable
from driftbandit.rules.detect.buckets import BUCKETS, any_border, insert, its_turn
from driftbandit.rules.detect.rule import Detect


@compilable
def means_parted(
    n: float, s: float, seen: float, total: float, doubt: float, variance: float
) -> bool:
    """Say whether the means before and after a cut differ by at least ε_cut."""
    rest = seen - n
    share = n * rest / seen
    apart = abs(s / n - (total - s) / rest)
    return apart >= math.sqrt(2.0 * variance * doubt / share) + 2.0 * doubt / (3.0 * share)


@dataclasses.dataclass(frozen=True)
class ADWIN(Detect):
    """ADWIN's test: alarm if the mean rewards before and after some cut differ by ε_cut or more.

    With n rewards since the last restart, n_1 of them before the cut and n_2 after it,
    1/m = 1/n_1 + 1/n_2, V their variance and L = log(2 log(n) / δ):
    ε_cut = √(2 V L / m) + 2 L / (3 m). Asked every `every` plays of the arm, at the borders of
    buckets that grow with age. Rewards are divided by B.

    ADWIN itself then drops the oldest rewards until no cut remains; here the arm starts over, as
    with every detector. A false alarm has about the probability δ at each question.

    Reference: Bifet & Gavaldà 2007, *Learning from time-changing data with adaptive windowing*;
    with restarts, Komiyama, Fouché & Honda 2021.

    >>> rule = ADWIN(delta=0.05, every=1)
    >>> state, rewards = rule.state.blank(), [0.0] * 20 + [1.0] * 20
    >>> [rule.alarm(state, x, 0.0, *rule.numbers()) for x in rewards].index(True)
    31
    """

    state = BUCKETS

    delta: OpenShare = 0.002
    every: Count = 32
    bound: Positive = 1.0
    scope: str = "arm"

    @staticmethod
    def alarm(
        state: Any, reward: float, count: float, delta: float, every: float, bound: float
    ) -> bool:
        """Take in the reward and, when it is time, try the cuts."""
        insert(state, reward / bound)
        seen = state.seen
        if not its_turn(state, every) or seen < 3.0:
            return False
        mean = state.total / seen
        variance = max(state.squares / seen - mean * mean, 0.0)
        doubt = math.log(2.0 * math.log(seen) / delta)
        return any_border(state, means_parted, doubt, variance)
