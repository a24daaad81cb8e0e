"""The base of all linear worlds: θ in every round, the actions of a round, and a law of rewards."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Instance
from driftbandit.core.errors import InputError, require
from driftbandit.environments.environment import Environment, RewardLaw
from driftbandit.environments.laws import GaussianNoise
from driftbandit.environments.linear.actions import Actions, Ball

ActionSet = Annotated[Actions, Instance(Actions, "an action set")]

BALL, GAUSSIAN = Ball(50), GaussianNoise(1.0)
"""The actions and the law a linear world has by default."""


@dataclasses.dataclass(frozen=True)
class LinearWorld(Environment):
    """Base of every linear world: the mean reward of action a in round t is aᵀθ_t.

    Your own world is a small class that says its `dimension` d and what `theta` is. Rounds count
    from 1. The law may be any of `driftbandit.environments.laws`; with one that is no `Noise`, all
    means must lie in [0, 1].

    >>> class Swing(LinearWorld):
    ...     dimension = 2
    ...     def theta(self, first, last):
    ...         angle = np.arange(first, last + 1) / 100.0
    ...         return np.column_stack([np.cos(angle), np.sin(angle)])
    >>> world = Swing(actions=Ball(10), law=GaussianNoise(0.2))
    >>> world.arms, round(world.variation(101), 6)
    (10, 0.999996)
    """

    law: RewardLaw = dataclasses.field(default=GAUSSIAN, kw_only=True)
    actions: ActionSet = dataclasses.field(default=BALL, kw_only=True)

    bound: ClassVar[float] = 1.0
    """Rewards are in units of 1."""

    if TYPE_CHECKING:  # subclasses have it as a field, a property or a class attribute

        @property
        def dimension(self) -> int:
            """The number of features d."""

    def validate(self) -> None:
        """Check that the actions have as many features as θ."""
        if not hasattr(self, "dimension"):
            raise InputError(
                f"{type(self).__name__} must say its dimension, the number of features"
            )
        fits = self.actions.dimension in (None, self.dimension)
        require(fits, "actions", self.actions, f"have {self.dimension} features, as theta has")

    @property
    def arms(self) -> int:
        """How many actions there are in a round."""
        return self.actions.number

    @property
    def length(self) -> float:
        """The largest norm of an action, L."""
        return self.actions.length(self.dimension)

    def theta(self, first: int, last: int) -> NDArray[np.float64]:
        """Return θ of rounds `first` to `last`, both included: one row per round."""
        raise NotImplementedError

    def variation(self, horizon: int | None = None) -> float:
        """Return how far θ travels: B_T = Σ_t ‖θ_{t+1} − θ_t‖."""
        steps = np.diff(self.theta(1, self.last_round(horizon)), axis=0)
        return float(np.sqrt(np.square(steps).sum(axis=1)).sum())
