"""The rewards of an arm in few numbers: fine for the latest, coarse for those long ago.

Sums over buckets of 1, 2, 4, 8, … consecutive rewards. A level holds buckets of one size, oldest
first; when it has 2M of them, its M oldest are joined in pairs and move up. So at least M buckets
of every smaller size are newer than a bucket, which is about 1/M as long as all of these. A reward
costs O(1) on average; n rewards take O(M log(n / M)) numbers.

Reference: the exponential histogram of ADWIN, Bifet & Gavaldà 2007.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.marking import compilable

M = 8
"""Half of what a level can hold, even."""

LEVELS = 24
"""Sizes of buckets: for M · 2^LEVELS rewards, 10⁸, beyond which the oldest are dropped."""

SEEN, TOTAL, SQUARES, FIRST = range(4)
"""How many rewards there are, their sum and sum of squares; then the levels."""

APART = 1 + 2 * M
"""Numbers of a level: how many buckets there are, and their sums."""

ROOM = FIRST + LEVELS * APART
"""Numbers in all."""


@compilable
def insert(memory: Any, reward: float) -> None:
    """Take in a reward, and join buckets where a level is full."""
    memory[SEEN] += 1.0
    memory[TOTAL] += reward
    memory[SQUARES] += reward * reward
    memory[FIRST] += 1.0
    memory[FIRST + int(memory[FIRST])] = reward
    level = FIRST
    while level < ROOM and memory[level] == 2.0 * M:
        lift(memory, level)
        level += APART


@compilable
def lift(memory: Any, level: int) -> None:
    """Join the M oldest buckets of a level in pairs; the highest level drops them."""
    above = level + APART
    if above < ROOM:
        there = above + 1 + int(memory[above])
        for pair in range(M // 2):
            memory[there + pair] = memory[level + 1 + 2 * pair] + memory[level + 2 + 2 * pair]
        memory[above] += M / 2.0
    else:
        dropped = M * 2.0 ** (LEVELS - 1)
        memory[SQUARES] *= 1.0 - dropped / memory[SEEN]  # theirs are not known apart
        memory[SEEN] -= dropped
        for bucket in range(M):
            memory[TOTAL] -= memory[level + 1 + bucket]
    for bucket in range(M):
        memory[level + 1 + bucket] = memory[level + 1 + M + bucket]
    memory[level] = float(M)


@compilable
def its_turn(memory: Any, every: float) -> bool:
    """Say whether the rewards so far are a multiple of `every`; the remainder itself is slow."""
    parts = memory[SEEN] / every
    return parts == math.floor(parts)  # type: ignore[no-any-return]


@compilable
def any_border(memory: Any, parted: Any, a: float, b: float) -> bool:
    """Say whether `parted(n, s, after, m, a, b)` holds where the rewards are cut at some border.

    n rewards with the sum s come after the border; m and the sum of all are those of the memory.
    """
    newer, total, size, level = 0.0, 0.0, 1.0, FIRST
    while newer < memory[SEEN]:
        for bucket in range(int(memory[level]), 0, -1):
            newer += size
            total += memory[level + bucket]
            if newer < memory[SEEN] and parted(newer, total, memory[SEEN], memory[TOTAL], a, b):
                return True
        size *= 2.0
        level += APART
    return False
