"""The past rewards of an arm in few numbers: buckets of 1, 2, 4, … plays, oldest first.

Unlike the buckets of the detectors, these can fade, can be dropped from the old end, and know for
how many rounds the arm was not played before them. There are at most EACH of a size, so n plays
take O(EACH log n) buckets; a play costs O(EACH) on average.

`held` is the number of buckets. The arrays have one number per bucket: `plays` and `sums` are plays
and rewards, both faded; `gaps` adds up, over the plays of the bucket, the rounds since the play
before; `sizes` counts the plays unfaded.
"""

from __future__ import annotations

from typing import Any

from driftbandit.core.marking import compilable
from driftbandit.core.state import State

EACH = 4
"""Buckets of one size, at most."""

BUCKETS = 96
"""Buckets per arm, at most: enough for 10⁷ plays. Beyond, the two oldest are joined."""

PAST = State("held", plays=BUCKETS, sums=BUCKETS, gaps=BUCKETS, sizes=BUCKETS)
"""The past of one arm."""


@compilable
def append(past: Any, reward: float, gap: float) -> None:
    """Add a play, `gap` rounds after the one before it."""
    if past.held == BUCKETS:
        join(past, 0)
    new = int(past.held)
    past.plays[new] = past.sizes[new] = 1.0
    past.sums[new], past.gaps[new] = reward, gap
    past.held += 1.0
    tidy(past)


@compilable
def tidy(past: Any) -> None:
    """Join the two oldest buckets of a size that has too many, then those of the next size."""
    sizes, newest = past.sizes, int(past.held) - 1
    while True:
        size, oldest = sizes[newest], newest
        while oldest > 0 and sizes[oldest - 1] == size:
            oldest -= 1
        if newest - oldest < EACH:
            return
        join(past, oldest)
        newest = oldest


@compilable
def join(past: Any, bucket: int) -> None:
    """Make one bucket of a bucket and the next."""
    plays, sums, gaps, sizes = past.plays, past.sums, past.gaps, past.sizes
    plays[bucket] += plays[bucket + 1]
    sums[bucket] += sums[bucket + 1]
    gaps[bucket] += gaps[bucket + 1]
    sizes[bucket] += sizes[bucket + 1]
    for later in range(bucket + 1, int(past.held) - 1):
        plays[later], sums[later] = plays[later + 1], sums[later + 1]
        gaps[later], sizes[later] = gaps[later + 1], sizes[later + 1]
    past.held -= 1.0


@compilable
def fade(past: Any, factor: float) -> None:
    """Multiply plays and rewards by a factor."""
    plays, sums = past.plays, past.sums
    for bucket in range(int(past.held)):
        plays[bucket] *= factor
        sums[bucket] *= factor


@compilable
def drop(past: Any, border: int) -> None:
    """Forget the buckets before a border."""
    plays, sums, gaps, sizes = past.plays, past.sums, past.gaps, past.sizes
    for bucket in range(int(past.held) - border):
        plays[bucket], sums[bucket] = plays[bucket + border], sums[bucket + border]
        gaps[bucket], sizes[bucket] = gaps[bucket + border], sizes[bucket + border]
    past.held -= border
