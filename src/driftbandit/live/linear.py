"""The live agent for actions with features: choose a row now, learn when the reward comes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.arrays import real_array
from driftbandit.core.errors import InputError, require, reward_as_float, shown, whole
from driftbandit.policies.linear.live import Regression
from driftbandit.policies.linear.policy import LinearPolicy

Array = NDArray[np.float64]

LARGEST = 1e100
"""Rewards are smaller than this, so that no sum overflows."""


class LinearAgent:
    """One linear policy playing live, one step at a time, without compiled code.

    `choose` takes the features of the actions at hand, a row each and as many as there are, and
    returns the number of a row; or a mapping from names to features, and returns a name. `learn`
    takes the features of what was played and its reward. Rejected input changes nothing.

    Forgetting counts rewards learned. Nothing is drawn at random.

    >>> import driftbandit as db
    >>> agent = db.DiscountedLinUCB(discount=0.99).agent(dimension=2)
    >>> agent.choose({"red": [1.0, 0.0], "blue": [0.0, 0.5]})
    'red'
    >>> agent.learn([1.0, 0.0], reward=0.3)
    >>> agent.rounds, agent.theta.round(3).tolist()
    (1, [0.273, 0.0])
    >>> agent.learn([1.0, 0.0, 0.0], reward=1.0)
    Traceback (most recent call last):
    driftbandit.InputError: features must have 2 columns, got 3
    """

    def __init__(self, policy: LinearPolicy, dimension: int) -> None:
        require(isinstance(policy, LinearPolicy), "policy", policy, "be a linear policy")
        self.policy = policy
        self.dimension = whole("dimension", dimension)
        self._regression = Regression(policy, self.dimension)

    @property
    def rounds(self) -> int:
        """How many rewards have been learned."""
        return self._regression.schedule.rounds

    @property
    def theta(self) -> Array:
        """The estimate θ̂ of what each feature is worth."""
        return self._regression.theta.copy()

    def choose(self, features: ArrayLike | Mapping[Any, ArrayLike]) -> Any:
        """Return the row to play now, or its name if features come by name."""
        if isinstance(features, Mapping):
            names: list[Hashable] = list(features)
            return names[self._best(list(features.values()))]
        return self._best(features)

    def _best(self, features: Any) -> int:
        return int(self._regression.indices(self._rows(features)).argmax())

    def learn(self, features: ArrayLike, reward: float) -> None:
        """Take in the reward of an action; a bad one is refused and nothing is learned."""
        rows = self._rows([features])
        number = reward_as_float(reward)
        require(abs(number) < LARGEST, "reward", reward, "be a finite number")
        self._regression.learn(rows[0].copy(), number)

    def _rows(self, features: Any) -> Array:
        """Return the features as an array of rows, or raise."""
        rows = real_array(features)
        if rows is None:
            allowed = "be rows of numbers, all of one length"
            raise InputError(f"features must {allowed}, got {shown(features)}")
        if rows.ndim != 2 or len(rows) == 0:
            raise InputError(f"features must be one row per action, got the shape {rows.shape}")
        if rows.shape[1] != self.dimension:
            raise InputError(f"features must have {self.dimension} columns, got {rows.shape[1]}")
        with np.errstate(over="ignore", invalid="ignore"):
            norms = np.sqrt(np.square(rows).sum(axis=1))
        most = self.policy.length * (1.0 + 1e-9)  # a normalised row may be longer by rounding
        if not norms.max() <= most:  # so that NaN is wrong too
            row = int(np.argmin(norms <= most))
            raise InputError(
                f"features must have a norm of at most {self.policy.length:g}, the policy's "
                f"length, got {float(norms[row]):g} in row {row}"
            )
        return rows
