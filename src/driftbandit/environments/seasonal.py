"""A world of seasons: all means have the same period, each with its own peak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Count, Positive
from driftbandit.core.errors import InputError
from driftbandit.environments.parameters import one_row, rounds_between
from driftbandit.environments.world import World


@dataclass(frozen=True)
class Seasonal(World):
    """Waves between l_i and h_i: μ_t(i) = l_i + (h_i − l_i) (1 + cos 2π(t/period − p_i))/2.

    Parameters: `low` l and `high` h, one number in [0, bound] per arm; `peak` p, the time at which
    an arm reaches `high`, as a share of the period in [0, 1]; `period` in rounds; `horizon`, the
    last round.

    >>> world = Seasonal(low=(0.2, 0.5), high=(0.8, 0.5), peak=(0.25, 0.0), period=100)
    >>> world.mean_rewards(1, 100)[[24, 49, 74]].round(9).tolist()
    [[0.8, 0.5], [0.5, 0.5], [0.2, 0.5]]
    """

    low: Sequence[float]
    high: Sequence[float]
    peak: Sequence[float]
    period: Positive
    horizon: Count = 10_000

    def validate(self) -> None:
        """Check that there is one number per arm."""
        low, high = one_row("low", self.low, self.bound), one_row("high", self.high, self.bound)
        peak = one_row("peak", self.peak, 1.0)
        for name, row in (("high", high), ("peak", peak)):
            if len(row) != len(low):
                raise InputError(f"{name} must hold {len(low)} as low does, got {len(row)}")
        self._set(low=low, high=high, peak=peak)

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.low)

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        turns = rounds_between(first, last, self.horizon)[:, None] / self.period - np.array(
            self.peak
        )
        share = 0.5 * (1.0 + np.cos(2.0 * np.pi * turns))
        # A weighted mean of the two ends, so that rounding never leaves [0, bound].
        return np.asarray((1.0 - share) * np.array(self.low) + share * np.array(self.high))
