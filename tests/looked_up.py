"""The rewards of a law that looks them up: plain, and by machine code."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.lanes import LANES, LUCK, MEAN, REWARD, ROWS
from driftbandit.engine import rewards
from driftbandit.environments import laws

Floats = NDArray[np.float64]

MEANS = (0.0, 1e-300, 1e-9, 0.001, 0.1, 0.3, 0.1 + 0.2, 0.5, 0.77, 0.999, 1.0 - 2.0**-53, 1.0)
"""Means at the ends, and two that differ in their last bit."""


class Paid:
    """The rewards of a law in a world with these means: plain, and by machine code."""

    def __init__(self, law: laws.Law, means: Sequence[float] | None) -> None:
        self.law, levels = law, None if means is None else tuple(means)
        lookup = law.lookup(levels)
        assert lookup is not None
        self.lookup = lookup
        self.parameters = rewards.payer_of(law, levels).parameters

    def plain(self, u: float, mean: float) -> float:
        return self.lookup.reward(u, mean, self.parameters)

    def compiled(self, luck: Floats, means: Floats) -> Floats:
        code = rewards._looking_code(self.law.quantile, self.lookup.look_up, self.lookup.by_odds)
        values, rows = np.empty(luck.size), np.full(ROWS * LANES, 0.5)
        for start in range(0, luck.size, LANES):
            part = slice(start, start + LANES)
            count = luck[part].size
            rows[LUCK : LUCK + count], rows[MEAN : MEAN + count] = luck[part], means[part]
            code.compiled(rows, self.parameters, LUCK, LANES, 1.0)
            values[part] = rows[REWARD : REWARD + count]
        return values


paid = functools.cache(Paid)


def exact(law: laws.Law, u: float, mean: float) -> float:
    return law.quantile(u, mean, law.parameters())
