"""A linear world whose θ turns."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Count, Finite
from driftbandit.environments.linear.world import LinearWorld
from driftbandit.environments.parameters import rounds_between


@dataclasses.dataclass(frozen=True)
class Rotating(LinearWorld):
    """θ = (cos φ_t, sin φ_t) with an angle that moves at a constant pace, then stops.

    φ_t = start + (end − start) min(t − 1, rounds) / rounds.

    Parameters: `start` and `end`, angles; `rounds`, how long θ turns; `horizon`, the last round, if
    there is one; `actions` and `law` as for every linear world.

    >>> world = Rotating(end=math.pi, rounds=100)
    >>> world.theta(51, 51).round(9).tolist(), world.theta(999, 999).round(9).tolist()
    ([[0.0, 1.0]], [[-1.0, 0.0]])
    """

    start: Finite = 0.0
    end: Finite = math.pi / 2.0
    rounds: Count = 3_000
    horizon: Count | None = None

    dimension = 2

    def theta(self, first: int, last: int) -> NDArray[np.float64]:
        """Return θ of rounds `first` to `last`, both included: one row per round."""
        moved = np.minimum(rounds_between(first, last, self.horizon) - 1, self.rounds) / self.rounds
        angle = self.start + (self.end - self.start) * moved
        return np.column_stack([np.cos(angle), np.sin(angle)])
