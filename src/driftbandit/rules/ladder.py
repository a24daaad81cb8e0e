"""A ladder of buckets: few for the latest times and ever longer ones for those long ago.

A level holds buckets of one length, oldest first; the next level has buckets twice as long. When a
level has 2M of them, its M oldest are joined in pairs and move up. So at least M buckets of every
smaller length are newer than a bucket, which is about 1/M as long as all of these. Each bucket
holds `wide` numbers, which are added when it is joined.

`held` counts the buckets of each level; `sums` has their numbers, level by level.
"""

from __future__ import annotations

from typing import Any

from driftbandit.core.marking import compilable


@compilable
def lift(held: Any, sums: Any, level: int, levels: int, half: int, wide: int) -> None:
    """Join the `half` oldest buckets of a full level in pairs; the highest level drops them."""
    start, size = level * 2 * half * wide, half * wide
    if level + 1 < levels:
        above = start + 2 * size + int(held[level + 1]) * wide
        for pair in range(half // 2):
            for number in range(wide):
                older = start + 2 * pair * wide + number
                sums[above + pair * wide + number] = sums[older] + sums[older + wide]
        held[level + 1] += half // 2
    for place in range(start, start + size):
        sums[place] = sums[place + size]
    held[level] = float(half)
