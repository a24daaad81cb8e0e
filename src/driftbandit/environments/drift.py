"""A world whose means drift at a constant pace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Whole
from driftbandit.core.errors import InputError
from driftbandit.environments.parameters import one_row, rounds_between
from driftbandit.environments.world import World


@dataclass(frozen=True)
class Drift(World):
    """Means that move in a straight line: μ_t = start + (end − start) (t − 1) / (T − 1).

    Its distance V_T is the largest |end − start|, spread evenly over the rounds.

    Parameters: `start` and `end`, one number in [0, bound] per arm; `horizon` T of at least 2, the
    round in which the means reach `end`.

    Reference for such slow changes: Besbes, Gur & Zeevi, *Stochastic multi-armed-bandit problem
    with non-stationary rewards*, 2014.

    >>> world = Drift(start=(0.0, 0.5), end=(1.0, 0.5), horizon=5)
    >>> world.mean_rewards(1, 5)[:, 0].tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    >>> world.distance()
    1.0
    """

    start: Sequence[float]
    end: Sequence[float]
    horizon: Annotated[int, Whole(least=2)] = 10_000

    def validate(self) -> None:
        """Check that both ends have the same arms."""
        start, end = one_row("start", self.start, self.bound), one_row("end", self.end, self.bound)
        if len(start) != len(end):
            raise InputError(f"end must hold {len(start)} means as start does, got {len(end)}")
        self._set(start=start, end=end)

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.start)

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        share = (rounds_between(first, last, self.horizon) - 1)[:, None] / (self.horizon - 1)
        # A weighted mean of the two ends, so that rounding never leaves [0, bound].
        return np.asarray((1.0 - share) * np.array(self.start) + share * np.array(self.end))
