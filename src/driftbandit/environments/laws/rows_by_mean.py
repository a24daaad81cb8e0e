"""Tables for a few means: each has a row of quantiles, by the log odds of the luck."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import real_array
from driftbandit.core.errors import require
from driftbandit.core.lanes import FAR
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import cell_value, cells_of, six_point_error
from driftbandit.environments.laws.lookup import REACH, Lookup, Quantiles, grid, shares

Array = NDArray[np.float64]

FEW_MEANS = 64
"""Up to so many means, rows pay off."""
ERROR = 5e-10
"""How far a reward is from the quantile, at most."""
COARSEST = 16
"""Cells per unit of the log odds, at least; where the error is too large, twice as many."""
MOST_CELLS = 4096
"""Cells per unit of all means, at most: 4.7 MB."""

PER_UNIT, SHIFT, SLOTS = 3, 2, 1
"""Places from the end of the parameters: cells per unit, and how a mean finds its slot."""
HEAD, MEAN, START, SLOT = 3, 0, 1, 2
"""Numbers at the end; places in a slot: whose it is, and where its cells begin; its size."""


@dataclasses.dataclass(frozen=True)
class RowsByMean(Lookup):
    """Quantiles of a few means, to 5e-10, for laws whose quantile is smooth in the log odds of u.

    Where it is not smooth enough for a table of some megabytes, the law's `quantile` is called as
    ever. It must not depend on the number of its parameters, since the table comes behind them. In
    your own law:

        def lookup(self, means):
            few = means is not None and len(means) <= FEW_MEANS
            return RowsByMean(self, tuple(means)) if few else None
    """

    means: tuple[float, ...]

    def __post_init__(self) -> None:
        """Check the law and the means."""
        super().__post_init__()
        means = real_array(self.means)
        fits = means is not None and means.ndim == 1 and bool(np.isfinite(means).all())
        require(fits, "means", self.means, "be a tuple of numbers")

    @staticmethod
    def look_up(odds: float, mean_odds: float, mean: float, parameters: Array) -> float:
        """Return the value of the mean's row."""
        end = parameters.size
        per_unit, slots = parameters[end - PER_UNIT], parameters[end - SLOTS]
        place = (odds + REACH) * per_unit
        number = slot_of(mean, parameters[end - SHIFT], slots)
        slot = (end - HEAD - SLOT * (number + 1)) & FAR
        if not 0.0 <= place < 2.0 * REACH * per_unit or parameters[slot + MEAN] != mean:
            return math.nan
        return min(1.0, max(0.0, cell_value(parameters, int(parameters[slot + START]), place)))

    def nothing(self) -> Array:
        """Return parameters with a single slot, which is nobody's."""
        return np.array([*self.law.parameters(), math.nan, 0.0, 0.0, 1.0, 1.0])

    def table(self, quantiles: Quantiles) -> Array:
        """Return a row for each mean, slots that tell the means apart, and how to find them."""
        per_unit, rows = self._rows(quantiles)
        if not rows:
            return self.nothing()
        shift, slots = _separate(self.means)
        directory, start = np.full((slots, SLOT), math.nan), self.law.parameters().size
        for mean, row in zip(self.means, rows, strict=True):
            directory[-1 - slot_of(mean, shift, slots)] = mean, start
            start += row.size
        cells = [row.ravel() for row in rows]
        head = [float(per_unit), float(shift), float(slots)]
        return np.concatenate([self.law.parameters(), *cells, directory.ravel(), head])

    def _rows(self, quantiles: Quantiles) -> tuple[int, list[Array]]:
        """Return cells per unit, and those of each mean; none if no grid is fine enough."""
        per_unit = COARSEST
        while per_unit * len(self.means) <= MOST_CELLS:
            luck = shares(grid(REACH, per_unit, 2))
            nodes = [quantiles(luck, np.full(luck.size, mean)) for mean in self.means]
            if max(map(six_point_error, nodes)) <= ERROR:
                return per_unit, [cells_of(each) for each in nodes]
            per_unit *= 2
        return 0, []


@compilable
def slot_of(mean: float, shift: float, slots: float) -> int:
    """Return the slot of a mean: the last of its bits, mixed with those before the last `shift`.

    >>> [slot_of(mean, 52.0, 4.0) for mean in (0.5, 0.25, 1.0)]
    [2, 1, 3]
    """
    bits = np.float64(mean).view(np.int64)
    mixed = bits ^ (bits >> np.int64(shift))
    return int(mixed & (np.int64(slots) - np.int64(1)) & np.int64(FAR))


def _separate(means: tuple[float, ...]) -> tuple[int, int]:
    """Return a shift and a number of slots, a power of two, such that no two means share one.

    >>> shift, slots = _separate((0.3, 0.1 + 0.2, 0.5, 0.25))
    >>> len({slot_of(mean, shift, slots) for mean in (0.3, 0.1 + 0.2, 0.5, 0.25)})
    4
    """
    slots = 1
    while True:
        for shift in range(1, 53):
            if len({slot_of(mean, shift, slots) for mean in means}) == len(means):
                return shift, slots
        slots *= 2
