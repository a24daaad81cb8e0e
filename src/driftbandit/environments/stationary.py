"""A world that never changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.parameters import Row, one_row, rounds_between
from driftbandit.environments.world import World


@dataclass(frozen=True, init=False)
class Stationary(World):
    """The same means in every round: the classical stochastic bandit.

    Parameters: `means`, one number in [0, bound] per arm.

    Reference: Lai & Robbins, *Asymptotically efficient adaptive allocation rules*, 1985.

    >>> world = Stationary([0.5, 0.3])
    >>> world
    Stationary(law=Bernoulli(), bound=1.0, means=(0.5, 0.3))
    >>> world.mean_rewards(7, 8).tolist()
    [[0.5, 0.3], [0.5, 0.3]]
    >>> world.find_breakpoints(10_000)
    []
    """

    means: Row

    def __init__(self, means: ArrayLike, *, law: Law = COIN, bound: float = 1.0) -> None:
        """Check and store the means."""
        super().__init__(law=law, bound=bound)
        self._set(means=one_row("means", means, self.bound))

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.means)

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        rounds = rounds_between(first, last, None)
        return np.tile(np.array(self.means), (rounds.size, 1))

    def levels(self) -> NDArray[np.float64]:
        """Return the means."""
        return np.array(self.means)

    def steady(self, first: int, last: int) -> bool:
        """Return True: nothing ever changes."""
        return True
