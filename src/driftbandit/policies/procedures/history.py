"""The rounds of an episode in few numbers: fine for the latest, coarse for those long ago.

A `ladder` of buckets, each with `wide` sums over consecutive rounds. A bucket of the first level
has as many rounds as the procedure says. A level holds up to 2 · `ends` buckets. With `ends` of at
least the number of buckets that ever close, none is joined and all sums are exact.

The sums are the first numbers of the procedure's `state.room`. The last bucket of the first level
is open: rounds are added to it. In `state.run` the procedure declares `levels`, how many levels
there are; `rounds`, those in the open bucket; and `held`, the closed buckets of each level.
"""

from __future__ import annotations

from typing import Any

from driftbandit.core.marking import compilable
from driftbandit.rules.ladder import lift

LEVELS = 52
"""The most levels: enough for 2 · 2⁵² buckets, and no horizon is longer than 2⁵³."""


def levels_for(buckets: float, ends: int) -> int:
    """Return how many levels it takes to hold so many buckets and drop none.

    >>> levels_for(1_000, 8), levels_for(8, 8), levels_for(2.0**53, 2) == LEVELS
    (7, 1, True)
    """
    levels = 1
    while ends * 2.0**levels < buckets:
        levels += 1
    return levels


def size(levels: int, wide: int, ends: int) -> int:
    """Return how many numbers the sums take."""
    return levels * 2 * ends * wide


@compilable
def bucket_at(level: int, bucket: int, wide: int, ends: int) -> int:
    """Return where the sums of a bucket begin; bucket 0 is the oldest of its level."""
    return (level * 2 * ends + bucket) * wide


@compilable
def open_at(run: Any, wide: int) -> int:
    """Return where the sums of the open bucket begin."""
    return int(run.held[0]) * wide


@compilable
def clear(run: Any, room: Any, wide: int) -> None:
    """Forget all rounds."""
    for level in range(int(run.levels)):
        run.held[level] = 0.0
    reopen(run, room, wide)


@compilable
def end_round(run: Any, room: Any, wide: int, ends: int, every: float) -> bool:
    """Count a round, close the open bucket if it has `every` rounds, and say whether it had."""
    run.rounds += 1.0
    if run.rounds < every:
        return False
    held, levels = run.held, int(run.levels)
    held[0] += 1.0
    level = 0
    while level < levels and held[level] >= 2.0 * ends:
        lift(held, room, level, levels, ends, wide)
        level += 1
    reopen(run, room, wide)
    return True


@compilable
def reopen(run: Any, room: Any, wide: int) -> None:
    """Open a bucket, with no rounds yet."""
    run.rounds = 0.0
    first = open_at(run, wide)
    for place in range(first, first + wide):
        room[place] = 0.0
