"""The rounds of an episode in few numbers: fine for the latest, coarse for those long ago.

As `detect.buckets`, but a bucket holds `wide` sums, of several arms, over consecutive rounds. The
first buckets have as many rounds as the procedure says, each further level twice as many. A level
holds up to 2 · `ends` buckets, oldest first; full, its `ends` oldest are joined in pairs and move
up. With `ends` of at least the number of buckets that ever close, none is joined and all is exact.

In a procedure's memory, from `at` on: the number of levels, the open bucket, then the levels, each
with the number of its buckets first.
"""

from __future__ import annotations

from typing import Any

from driftbandit.core.marking import compilable


def levels_for(buckets: float, ends: int) -> int:
    """Return how many levels it takes for so many buckets, none of them dropped.

    >>> levels_for(1_000, 8), levels_for(8, 8)
    (7, 1)
    """
    levels = 1
    while ends * 2.0**levels < buckets:
        levels += 1
    return levels


def room(levels: int, wide: int, ends: int) -> int:
    """Return how many numbers that takes."""
    return 1 + wide + levels * (1 + 2 * ends * wide)


@compilable
def level_at(at: int, level: int, wide: int, ends: int) -> int:
    """Return where a level begins."""
    return at + 1 + wide + level * (1 + 2 * ends * wide)


@compilable
def clear(memory: Any, at: int, wide: int, ends: int) -> None:
    """Forget all rounds."""
    for place in range(at + 1, at + 1 + wide):
        memory[place] = 0.0
    for level in range(int(memory[at])):
        memory[level_at(at, level, wide, ends)] = 0.0


@compilable
def close(memory: Any, at: int, wide: int, ends: int) -> None:
    """Move the open bucket to the first level, and join buckets where a level is full."""
    first, levels = level_at(at, 0, wide, ends), int(memory[at])
    newest = first + 1 + int(memory[first]) * wide
    for place in range(wide):
        memory[newest + place] = memory[at + 1 + place]
        memory[at + 1 + place] = 0.0
    memory[first] += 1.0
    for level in range(levels):
        if memory[level_at(at, level, wide, ends)] < 2.0 * ends:
            return
        lift(memory, level_at(at, level, wide, ends), level + 1 < levels, wide, ends)


@compilable
def lift(memory: Any, start: int, onward: bool, wide: int, ends: int) -> None:
    """Join the oldest buckets of a level in pairs; the highest level drops them."""
    above = start + 1 + 2 * ends * wide
    if onward:
        there = above + 1 + int(memory[above]) * wide
        for pair in range(ends // 2):
            for place in range(wide):
                one = start + 1 + 2 * pair * wide + place
                memory[there + pair * wide + place] = memory[one] + memory[one + wide]
        memory[above] += ends // 2
    for place in range(start + 1, start + 1 + ends * wide):
        memory[place] = memory[place + ends * wide]
    memory[start] = float(ends)
