"""What a linear world is: θ in every round, the actions at hand, and the law of rewards."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import horizon_of, require
from driftbandit.core.value import Value
from driftbandit.environments.laws import Law
from driftbandit.environments.linear.actions import Actions, Ball
from driftbandit.environments.linear.noise import GaussianNoise

BALL, GAUSSIAN = Ball(50), GaussianNoise(1.0)
"""What a linear world has unless something else is given."""


@dataclasses.dataclass(frozen=True)
class LinearWorld(Value):
    """Base of every linear world: the mean reward of action a in round t is aᵀθ_t.

    Your own is a small class that says its `dimension` d and what `theta` is. Rounds count from 1.
    The law may be one of `driftbandit.environments.laws`: all means must then lie in [0, 1].

    >>> class Swing(LinearWorld):
    ...     dimension = 2
    ...     def theta(self, first, last):
    ...         angle = np.arange(first, last + 1) / 100.0
    ...         return np.column_stack([np.cos(angle), np.sin(angle)])
    >>> world = Swing(actions=Ball(10), law=GaussianNoise(0.2))
    >>> world.arms, round(world.variation(101), 6)
    (10, 0.999996)
    """

    actions: Actions = dataclasses.field(default=BALL, kw_only=True)
    law: Law = dataclasses.field(default=GAUSSIAN, kw_only=True)

    bound: ClassVar[float] = 1.0
    """Rewards are in units of 1."""

    if TYPE_CHECKING:  # subclasses give these as fields, properties or class attributes

        @property
        def dimension(self) -> int:
            """The number of features d."""

        @property
        def horizon(self) -> int | None:
            """The last round the world is defined for; None if it never ends."""
    else:
        horizon = None

    def __post_init__(self) -> None:
        """Check what all linear worlds share."""
        require(isinstance(self.actions, Actions), "actions", self.actions, "be an action set")
        require(isinstance(self.law, Law), "law", self.law, "be a reward law")
        fits = self.actions.dimension in (None, self.dimension)
        require(fits, "actions", self.actions, f"have {self.dimension} features, as theta has")

    @property
    def arms(self) -> int:
        """How many actions there are in a round."""
        return self.actions.number

    @property
    def length(self) -> float:
        """The longest that an action can be, L."""
        return self.actions.length(self.dimension)

    def theta(self, first: int, last: int) -> NDArray[np.float64]:
        """Return θ of rounds `first` to `last`, both included: one row per round."""
        raise NotImplementedError

    def variation(self, horizon: int | None = None) -> float:
        """Return how far θ travels: B_T = Σ_t ‖θ_{t+1} − θ_t‖."""
        steps = np.diff(self.theta(1, horizon_of(horizon, self.horizon)), axis=0)
        return float(np.sqrt(np.square(steps).sum(axis=1)).sum())
