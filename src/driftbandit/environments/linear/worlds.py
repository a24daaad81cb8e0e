"""Linear worlds, abrupt and smooth, and the two that D-LinUCB was published with."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import InputError, real, whole
from driftbandit.environments.linear.actions import Ball, finite_rows
from driftbandit.environments.linear.noise import GaussianNoise
from driftbandit.environments.linear.world import LinearWorld
from driftbandit.environments.parameters import increasing_rounds, rounds_between


@dataclasses.dataclass(frozen=True)
class PiecewiseLinear(LinearWorld):
    """θ stays as it is until the next breakpoint.

    Parameters: `breakpoints`, strictly increasing rounds of at least 2; `thetas`, one row more than
    there are breakpoints: row 0 holds up to the round before the first breakpoint; `horizon`, the
    last round, if there is one; `actions` and `law` as for every linear world.

    >>> world = PiecewiseLinear(breakpoints=[3], thetas=[[1.0, 0.0], [0.0, 1.0]])
    >>> world.theta(2, 3).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    breakpoints: Sequence[int]
    thetas: Sequence[Sequence[float]]
    horizon: int | None = None

    def __post_init__(self) -> None:
        """Check breakpoints and rows."""
        rounds, rows = (
            increasing_rounds("breakpoints", self.breakpoints),
            finite_rows("thetas", self.thetas),
        )
        if len(rows) != len(rounds) + 1:
            raise InputError(
                f"thetas must have {len(rounds) + 1} rows for {len(rounds)} breakpoints, "
                f"got {len(rows)}"
            )
        last = None if self.horizon is None else whole("horizon", self.horizon)
        self._set(breakpoints=rounds, thetas=tuple(map(tuple, rows.tolist())), horizon=last)
        super().__post_init__()

    @property
    def dimension(self) -> int:
        """The number of features d."""
        return len(self.thetas[0])

    def theta(self, first: int, last: int) -> NDArray[np.float64]:
        """Return θ of rounds `first` to `last`, both included: one row per round."""
        rounds = rounds_between(first, last, self.horizon)
        return np.array(self.thetas)[np.searchsorted(self.breakpoints, rounds, side="right")]


@dataclasses.dataclass(frozen=True)
class Rotating(LinearWorld):
    """θ = (cos φ_t, sin φ_t) with an angle that moves evenly, then stands still.

    φ_t = start + (end − start) min(t − 1, rounds) / rounds.

    Parameters: `start` and `end`, angles; `rounds`, how long it moves; `horizon`, the last round,
    if there is one; `actions` and `law` as for every linear world.

    >>> world = Rotating(end=math.pi, rounds=100)
    >>> world.theta(51, 51).round(9).tolist(), world.theta(999, 999).round(9).tolist()
    ([[0.0, 1.0]], [[-1.0, 0.0]])
    """

    start: float = 0.0
    end: float = math.pi / 2.0
    rounds: int = 3_000
    horizon: int | None = None

    dimension = 2

    def __post_init__(self) -> None:
        """Check the angles and the rounds."""
        super().__post_init__()
        self._set(
            start=real("start", self.start, "(-inf, inf)"),
            end=real("end", self.end, "(-inf, inf)"),
            rounds=whole("rounds", self.rounds),
            horizon=None if self.horizon is None else whole("horizon", self.horizon),
        )

    def theta(self, first: int, last: int) -> NDArray[np.float64]:
        """Return θ of rounds `first` to `last`, both included: one row per round."""
        moved = np.minimum(rounds_between(first, last, self.horizon) - 1, self.rounds) / self.rounds
        angle = self.start + (self.end - self.start) * moved
        return np.column_stack([np.cos(angle), np.sin(angle)])


def abrupt(number: int = 50, sigma: float = 1.0) -> PiecewiseLinear:
    """θ = (1, 0), then (−1, 0), (0, 1) and (0, −1), for 1,000 rounds each and the last to 6,000.

    K = `number` actions of the ball, d = 2, Gaussian noise of σ = `sigma`.

    Reference: Russac, Vernade & Cappé 2019, the first experiment.

    >>> round(abrupt().variation(), 3)
    5.414
    """
    thetas = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
    actions, law = Ball(number), GaussianNoise(sigma)
    return PiecewiseLinear((1_001, 2_001, 3_001), thetas, 6_000, actions=actions, law=law)


def slow(number: int = 50, sigma: float = 1.0) -> Rotating:
    """θ turns from (1, 0) to (0, 1) in 3,000 rounds and stays there to round 6,000.

    K = `number` actions of the ball, d = 2, Gaussian noise of σ = `sigma`.

    Reference: Russac, Vernade & Cappé 2019, the second experiment.

    >>> round(slow().variation(), 3)
    1.571
    """
    return Rotating(horizon=6_000, actions=Ball(number), law=GaussianNoise(sigma))
