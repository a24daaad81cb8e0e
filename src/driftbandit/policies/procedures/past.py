"""What an arm has given so far, in few numbers: buckets of 1, 2, 4, … plays, oldest first.

Unlike the buckets of the detectors these can fade, may be dropped from the old end, and know how
long the arm had not been played before each. There are at most EACH of a size, so n plays take
O(EACH log n) of them; a play costs O(EACH) on average.
"""

from __future__ import annotations

from typing import Any

from driftbandit.core.marking import compilable

EACH = 4
"""Buckets of one size, at most."""

ROOM = 96
"""Buckets of an arm, at most: enough for 10⁷ plays. Beyond, the two oldest are joined."""

PLAYS, SUM, GAP, SIZE, WIDE = range(5)
"""What a bucket holds: plays and rewards, both faded; the rounds from the play before each of its
plays to that play, added up; the plays as they were made. Then how many numbers these are."""


@compilable
def append(memory: Any, at: int, held: int, reward: float, gap: float) -> int:
    """Add a play to the `held` buckets that begin at `at`; return how many there are then."""
    if held == ROOM:
        held = join(memory, at, held, 0)
    new = at + held * WIDE
    memory[new + PLAYS] = memory[new + SIZE] = 1.0
    memory[new + SUM], memory[new + GAP] = reward, gap
    return tidy(memory, at, held + 1)


@compilable
def tidy(memory: Any, at: int, held: int) -> int:
    """Join the two oldest of a size that has too many, and so on with the next size."""
    newest = held - 1
    while True:
        size, oldest = memory[at + newest * WIDE + SIZE], newest
        while oldest > 0 and memory[at + (oldest - 1) * WIDE + SIZE] == size:
            oldest -= 1
        if newest - oldest < EACH:
            return held
        held = join(memory, at, held, oldest)
        newest = oldest


@compilable
def join(memory: Any, at: int, held: int, bucket: int) -> int:
    """Make one of a bucket and the next; return how many are left."""
    first = at + bucket * WIDE
    for place in range(first, first + WIDE):
        memory[place] += memory[place + WIDE]
    for place in range(first + WIDE, at + (held - 1) * WIDE):
        memory[place] = memory[place + WIDE]
    return held - 1


@compilable
def fade(memory: Any, at: int, held: int, factor: float) -> None:
    """Multiply plays and rewards by a factor."""
    for bucket in range(held):
        memory[at + bucket * WIDE + PLAYS] *= factor
        memory[at + bucket * WIDE + SUM] *= factor


@compilable
def drop(memory: Any, at: int, held: int, border: int) -> int:
    """Forget the buckets before a border; return how many are left."""
    for place in range(at, at + (held - border) * WIDE):
        memory[place] = memory[place + border * WIDE]
    return held - border
