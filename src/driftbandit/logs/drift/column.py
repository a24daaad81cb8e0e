"""The rewards of one arm, block by block: what everything about its drift is made from."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from driftbandit.logs.evidence import Evidence
from driftbandit.logs.rows import Floats


@dataclasses.dataclass(frozen=True)
class Column:
    """Blocks in which an arm was played: when, how often, and its rewards over the bound."""

    block: np.ndarray[tuple[int], np.dtype[np.int64]]
    time: Floats
    counts: Floats
    sums: Floats
    squares: Floats

    @property
    def size(self) -> float:
        """How many plays there are."""
        return float(self.counts.sum())

    @property
    def mean(self) -> float:
        """The mean reward."""
        return float(self.sums.sum()) / max(self.size, 1.0)

    def without(self, season: Floats) -> Column:
        """Return the column with a season taken off its rewards."""
        sums = np.clip(self.sums - season * self.counts, 0.0, self.counts)
        return dataclasses.replace(self, sums=sums)

    def merged(self, most: int) -> Column:
        """Return the column with neighbouring blocks joined, so that there are at most so many."""
        if len(self.time) <= most:
            return self
        starts = np.arange(most) * len(self.time) // most
        counts = np.add.reduceat(self.counts, starts)
        time = np.add.reduceat(self.time * self.counts, starts) / counts
        sums, squares = (np.add.reduceat(each, starts) for each in (self.sums, self.squares))
        return Column(self.block[starts], time, counts, sums, squares)


def column_of(evidence: Evidence, arm: int) -> Column:
    """Return the column of an arm."""
    tally, bound = evidence.by_block, evidence.bound
    block = np.flatnonzero(tally.counts[:, arm] > 0.0)
    counts, sums, squares = (each[block, arm] for each in (tally.counts, tally.sums, tally.squares))
    return Column(block, evidence.times[block], counts, sums / bound, squares / bound**2)


def _inside(column: Column) -> float:
    """Return φ from the rewards within blocks: W / (N − B) over the variance v of coins.

    W is the sum of squares around the means of B blocks, with mean φ v (N − B), and v comes from
    Σ n m (1 − m), whose mean is v (N − φB).
    """
    n, m, blocks = column.counts, column.sums / column.counts, float(len(column.counts))
    within = float(np.maximum(column.squares - n * m**2, 0.0).sum())
    coins, freedom = float((n * m * (1.0 - m)).sum()), column.size - blocks
    if freedom <= 0.0:  # one play per block
        mean = column.mean
        within = max(float(column.squares.sum()) / column.size - mean**2, 0.0)
        return max(within / (mean * (1.0 - mean)), 1e-4) if 0.0 < mean < 1.0 else 1.0
    total = coins * freedom + within * blocks
    return max(within * column.size / total, 1e-4) if total > 0.0 else 1.0


def dispersion(column: Column) -> float:
    """Return φ: the variance of rewards, in units of that of coins with their mean.

    Within blocks it is 1 for coins and smaller for other rewards. Where neighbouring blocks are
    farther apart than that explains, by more than chance leaves, φ is what they say: rewards that
    come in clumps then make no changes.
    """
    n, m = column.counts, column.sums / column.counts
    inside = _inside(column)
    variance = column.mean * (1.0 - column.mean) * inside
    if len(n) < 3 or variance <= 0.0:
        return inside
    apart = np.diff(m) ** 2 / (1.0 / n[1:] + 1.0 / n[:-1])
    ratio = float(apart.mean()) / variance
    least = 1.0 + 3.0 * math.sqrt(3.0 / len(apart))
    return inside * ratio if ratio > least else inside
