"""A world whose means decay, each with its own half-life."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import is_list
from driftbandit.core.domain import Count
from driftbandit.core.errors import InputError, real, require
from driftbandit.environments.parameters import one_row, rounds_between
from driftbandit.environments.world import World


@dataclass(frozen=True)
class Decay(World):
    """Means that approach a limit: μ_t(i) = e_i + (s_i − e_i) 2^(−(t − 1)/h_i).

    Parameters: `start` s and `end` e, one number in [0, bound] per arm; `half_life` h, a positive
    number of rounds per arm; `horizon`, the last round. An arm's end may lie above its start.

    Reference for rewards that decay: Levine, Crammer & Mannor, *Rotting bandits*, 2017. There an
    arm decays with its plays; here it decays with the rounds, for all policies alike.

    >>> world = Decay(start=(0.8, 0.5), end=(0.0, 0.5), half_life=(100, 1), horizon=1_000)
    >>> world.mean_rewards(201, 201).tolist()
    [[0.2, 0.5]]
    """

    start: Sequence[float]
    end: Sequence[float]
    half_life: Sequence[float]
    horizon: Count = 10_000

    def validate(self) -> None:
        """Check that there is one number per arm."""
        start, end = one_row("start", self.start, self.bound), one_row("end", self.end, self.bound)
        require(is_list(self.half_life), "half_life", self.half_life, "be a list, one per arm")
        lives = tuple(real(f"half_life[{i}]", h, "(0, inf)") for i, h in enumerate(self.half_life))
        for name, row in (("end", end), ("half_life", lives)):
            if len(row) != len(start):
                raise InputError(f"{name} must hold {len(start)} as start does, got {len(row)}")
        self._set(start=start, end=end, half_life=lives)

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.start)

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        age = (rounds_between(first, last, self.horizon) - 1)[:, None]
        left = 2.0 ** (-age / np.array(self.half_life))
        # A weighted mean of the two ends, so that rounding never leaves [0, bound].
        return np.asarray(left * np.array(self.start) + (1.0 - left) * np.array(self.end))
