"""The rewards of an arm in few numbers: fine for the latest, coarse for those long ago.

Sums over buckets of 1, 2, 4, 8, … consecutive rewards, on the `ladder` of buckets. A reward costs
O(1) on average; n rewards take O(M log(n / M)) numbers.

Reference: the exponential histogram of ADWIN, Bifet & Gavaldà 2007.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.marking import compilable
from driftbandit.core.state import State
from driftbandit.rules import ladder

lift = ladder.lift

M = 8
"""Half of what a level can hold, even."""

LEVELS = 24
"""Sizes of buckets: for M · 2^LEVELS rewards, 10⁸, beyond which the oldest are dropped."""

BUCKETS = State("seen", "total", "squares", held=LEVELS, sums=LEVELS * 2 * M)
"""How many rewards there are, their sum and sum of squares; how many buckets each level holds, and
their sums, level by level and oldest first."""


@compilable
def insert(state: Any, reward: float) -> None:
    """Take in a reward, and join buckets where a level is full."""
    state.seen += 1.0
    state.total += reward
    state.squares += reward * reward
    held, sums = state.held, state.sums
    sums[int(held[0])] = reward
    held[0] += 1.0
    level = 0
    while level < LEVELS and held[level] == 2.0 * M:
        if level + 1 == LEVELS:
            drop_oldest(state)
        lift(held, sums, level, LEVELS, M, 1)
        level += 1


@compilable
def drop_oldest(state: Any) -> None:
    """Count the oldest rewards no more: the highest level is about to lose M buckets."""
    dropped, first = M * 2.0 ** (LEVELS - 1), (LEVELS - 1) * 2 * M
    state.squares *= 1.0 - dropped / state.seen  # theirs are not known apart
    state.seen -= dropped
    for bucket in range(M):
        state.total -= state.sums[first + bucket]


@compilable
def its_turn(state: Any, every: float) -> bool:
    """Say whether the rewards so far are a multiple of `every`; the remainder itself is slow."""
    parts = state.seen / every
    return parts == math.floor(parts)  # type: ignore[no-any-return]  # a float


@compilable
def any_border(state: Any, parted: Any, a: float, b: float) -> bool:
    """Say whether `parted(n, s, m, total, a, b)` holds where the rewards are cut at some border.

    n rewards with the sum s come after the border; m and the total are those of all rewards.
    """
    newer, total, size, level = 0.0, 0.0, 1.0, 0
    held, sums, seen, all_total = state.held, state.sums, state.seen, state.total
    while newer < seen:
        for bucket in range(int(held[level]) - 1, -1, -1):
            newer += size
            total += sums[level * 2 * M + bucket]
            if newer < seen and parted(newer, total, seen, all_total, a, b):
                return True
        size *= 2.0
        level += 1
    return False
