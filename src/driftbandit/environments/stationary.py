"""A world that never changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from numpy.typing import ArrayLike

from driftbandit.environments.given import Means, row_of
from driftbandit.environments.laws import Law
from driftbandit.environments.world import COIN, World


@dataclass(frozen=True, init=False)
class Stationary(World):
    """The same means in every round: the classical stochastic bandit.

    Parameters: `means`, one number in [0, bound] for each arm.

    Reference: Lai & Robbins, *Asymptotically efficient adaptive allocation rules*, 1985.

    >>> world = Stationary([0.5, 0.3])
    >>> world
    Stationary(law=Bernoulli(), bound=1.0, means=(0.5, 0.3))
    >>> world.means(7, 8).tolist()
    [[0.5, 0.3], [0.5, 0.3]]
    >>> world.breakpoints(10_000)
    []
    """

    means: Means = field()

    def __init__(self, means: ArrayLike, *, law: Law = COIN, bound: float = 1.0) -> None:
        """Check and store the means."""
        super().__init__(law=law, bound=bound)
        self._set(means=Means(row_of("means", means, self.bound), starts=(1,)))

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.means)

    def steady(self, first: int, last: int) -> bool:
        """Say that nothing ever changes."""
        return True
