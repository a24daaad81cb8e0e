"""Forced exploration in sweeps: every arm once, in turn, and then a free stretch."""

from __future__ import annotations

import dataclasses
import math

from driftbandit.core.domain import Positive, PositiveShare
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import ceiling_of, floor_of
from driftbandit.rules.force.rule import Force


@compilable
def in_turn(since: float, arms: float, rate: float) -> int:
    """Return the arm of a sweep that begins every ⌊K / α⌋ rounds, or −1 between sweeps."""
    period = floor_of(arms / rate) if rate > arms * 2.0**-53 else 2.0**53
    at = since - 1.0 - period * math.floor((since - 1.0) / period)
    return int(at) if at < arms else -1


@dataclasses.dataclass(frozen=True)
class Sweeps(Force):
    """Play every arm once every ⌊K / α⌋ rounds: a share α of all rounds. α is `rate`.

    In the u-th round since the last restart, arm (u − 1) mod ⌊K / α⌋ if that is below K.

    Reference: M-UCB, Cao, Wen, Kveton & Xie 2019 (there γ).

    >>> rule = Sweeps(0.5)
    >>> [rule.arm(float(u), 0.0, 3.0, *rule.numbers()) for u in range(1, 9)]
    [0, 1, 2, -1, -1, -1, 0, 1]
    """

    rate: PositiveShare

    @staticmethod
    def arm(since: float, restarts: float, arms: float, rate: float) -> int:
        """Return the arm of the sweep, or −1."""
        return in_turn(since, arms, rate)


@dataclasses.dataclass(frozen=True)
class GrowingSweeps(Force):
    """Sweeps that come more often with every restart: α_k = min(1, α √k) after k − 1 restarts.

    So the number of changes need not be known: the more were found, the more is explored.

    Reference: GLR-klUCB, Besson, Kaufmann, Maillard & Seznec 2022.

    >>> rule = GrowingSweeps(0.5)
    >>> [rule.arm(float(u), 3.0, 3.0, *rule.numbers()) for u in range(1, 5)]
    [0, 1, 2, 0]
    """

    rate: PositiveShare

    @staticmethod
    def arm(since: float, restarts: float, arms: float, rate: float) -> int:
        """Return the arm of the sweep, or −1."""
        return in_turn(since, arms, min(1.0, rate * math.sqrt(restarts + 1.0)))


@dataclasses.dataclass(frozen=True)
class DiminishingSweeps(Force):
    """Sweeps that come ever more seldom: a share α / √u of the rounds around the u-th.

    From one sweep to the next the root of its beginning grows by K / (2α): sweep i begins
    u_i = ⌈(√u_0 + i K / (2α))²⌉ rounds after the last restart. Before u_0, where that would be less
    than the K rounds of a sweep, one follows the other. `rate` is α, here not a share: it may be
    larger than 1. Neither the horizon nor the number of changes is needed.

    Reference: Li, Hsieh & Huang 2024, *Diminishing exploration*, whose roundings may differ.

    >>> rule = DiminishingSweeps(1.0)
    >>> [u for u in range(1, 80) if rule.arm(float(u), 0.0, 2.0, *rule.numbers()) == 0]
    [1, 3, 7, 13, 21, 31, 43, 56, 72]
    """

    rate: Positive

    @staticmethod
    def arm(since: float, restarts: float, arms: float, rate: float) -> int:
        """Return the arm of the sweep, or −1."""
        step, u = arms / (2.0 * rate), since - 1.0
        dense = max(0.0, rate - step / 2.0)  # below its square sweeps would overlap
        whole = math.ceil(dense * dense / arms)
        if u < whole * arms:
            return int(u - arms * math.floor(u / arms))
        root = math.sqrt(whole * arms)
        sweep = math.floor((math.sqrt(u) - root) / step) + 2.0
        start = math.inf
        while start > u and sweep > 0.0:  # twice or three times
            sweep -= 1.0
            start = ceiling_of(whole * arms + sweep * step * (2.0 * root + sweep * step))
        return int(u - start) if u - start < arms else -1
