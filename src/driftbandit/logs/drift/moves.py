"""How the mean reward of one arm moves: levels between changes, and seasons beside them."""

from __future__ import annotations

import dataclasses
import math
from typing import NamedTuple

import numpy as np

from driftbandit.logs.drift.column import Column, column_of, dispersion
from driftbandit.logs.drift.seasons import NO_SEASON, PERIODS, Fit, fit, p_value, visible
from driftbandit.logs.drift.steps import Borders, gain, levels, penalty, steps
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.rows import Floats

MOST_CELLS = 1_000
"""Cells between which changes are looked for."""

LEAST_BLOCKS = 10
"""From fewer blocks in which an arm was played nothing is said of how it moves."""

POWER = 0.84
"""The 80 % quantile of the normal law."""

ROUNDS = 3
"""How often changes and seasons are fitted, each beside the other."""


class Between(NamedTuple):
    """Cells between which a change lies: the best border, and the first and last that may be."""

    first: int
    best: int
    last: int


@dataclasses.dataclass(frozen=True)
class Moves:
    """One arm: its blocks, the seasons that stand out, and its levels without them."""

    column: Column
    p_values: dict[str, float]
    """Per season; NaN where it cannot be seen."""
    season: Fit
    periods: list[str]
    """The seasons that stand out."""
    cells: Column
    """The rewards without seasons, in at most 1,000 cells."""
    borders: Borders
    dispersion: float

    @property
    def variance(self) -> float:
        """The variance of a reward around its mean, over the squared bound."""
        return variance_of(self.column, self.dispersion)

    def findable(self, miss: float, after: float) -> float:
        """Return the size of a change that is found four times out of five, over the bound.

        A share `after` of the arm's rewards came after it, and none else is near.
        """
        cost = penalty(miss, len(self.cells.time))
        rows = self.column.size * after * (1.0 - after)
        return (math.sqrt(cost) + POWER) * math.sqrt(self.variance / rows)

    @property
    def plays(self) -> Floats:
        """How many plays each level has."""
        return levels(self.cells.counts, self.cells.sums, self.borders)[0]

    @property
    def means(self) -> Floats:
        """The mean of each level."""
        return levels(self.cells.counts, self.cells.sums, self.borders)[1]

    @property
    def times(self) -> Floats:
        """When each level but the first begins: halfway between two cells."""
        time = self.cells.time
        return np.asarray(0.5 * (time[self.borders - 1] + time[self.borders]))

    def level(self, time: Floats) -> Floats:
        """Return the level at these times."""
        return np.asarray(self.means[np.searchsorted(self.times, time, side="right")])

    def between(self, miss: float) -> list[Between]:
        """Return where each change may lie, outside of which it does with probability `miss`.

        The borders whose log-likelihood, the neighbouring changes being where they are, is less
        than φ x below the best, (1 − e^(−x))² = 1 − miss: either side of a change, the likelihood
        is a walk with drift downwards, whose maximum is exponential.

        Reference: Siegmund, *Confidence sets in change-point problems*, International Statistical
        Review 56, 1988.
        """
        drop = -self.dispersion * math.log(1.0 - math.sqrt(1.0 - miss))
        ends = [0, *self.borders.tolist(), len(self.cells.time)]
        return [
            self._between(before, best, after, drop)
            for before, best, after in zip(ends, ends[1:], ends[2:], strict=False)
        ]

    def _between(self, before: int, best: int, after: int, drop: float) -> Between:
        n, s = (np.cumsum(each[before:after]) for each in (self.cells.counts, self.cells.sums))
        likelihood = gain(n[:-1], s[:-1]) + gain(n[-1] - n[:-1], s[-1] - s[:-1])
        near = np.flatnonzero(likelihood >= likelihood.max() - drop) + before + 1
        return Between(int(min(near[0], best)), best, int(max(near[-1], best)))


def variance_of(column: Column, dispersion: float) -> float:
    """Return the variance of a reward around its mean, with half a reward of either kind more."""
    mean = (column.sums.sum() + 0.5) / (column.size + 1.0)
    return dispersion * float(mean * (1.0 - mean))


def moves_of(evidence: Evidence, arm: int, miss: float) -> Moves | None:
    """Return how an arm's mean reward moves; None where it was played in too few blocks.

    In a log that stands still, any change is found with probability `miss` at most over all arms,
    and any season as well.
    """
    column, span = column_of(evidence, arm), evidence.end - evidence.start
    if len(column.time) < LEAST_BLOCKS:
        return None
    inside = variance_of(column, min(dispersion(column), 1.0))
    p_values = {
        name: p_value(column, span, period, inside) if visible(column, span, period) else math.nan
        for name, period in PERIODS.items()
    }
    least = miss / (len(PERIODS) * evidence.arms)
    periods = [name for name, p in p_values.items() if p < least]
    seconds = [PERIODS[name] for name in periods]
    borders, season, rest = np.empty(0, dtype=np.int64), NO_SEASON, column
    cells = column.merged(MOST_CELLS)
    spread = dispersion(column)
    for _ in range(ROUNDS if periods else 1):
        if periods:
            season = fit(column, span, seconds, _indicators(column, cells, borders), inside)
            rest = column.without(season.at(column.time))
            spread = dispersion(rest)
        cells = rest.merged(MOST_CELLS)
        cost = penalty(miss / evidence.arms, len(cells.time))
        borders = steps(cells.counts, cells.sums, spread, cost)
    return Moves(column, p_values, season, periods, cells, borders, spread)


def _indicators(column: Column, cells: Column, borders: Borders) -> Floats:
    """Return a column per level, 1 in the blocks of that level."""
    place = np.searchsorted(cells.block[borders], column.block, side="right")
    return np.asarray(place[:, None] == np.arange(len(borders) + 1), dtype=np.float64)
