"""The live agent: choose an arm now, learn when the reward comes."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Hashable, Sequence, Set
from typing import Any, Generic, TypeVar

from driftbandit.core.errors import (
    InputError,
    is_number,
    is_several,
    plain,
    require,
    reward_as_float,
    shown,
    whole,
)
from driftbandit.policies.learner import Learner
from driftbandit.policies.strategy import Strategy

Arm = TypeVar("Arm", bound=Hashable)


class Agent(Generic[Arm]):
    """One policy playing live, one step at a time, without compiled code.

    `choose` says which arm to play, `learn` takes the reward. Rejected input changes nothing.

    >>> import driftbandit as db
    >>> agent = db.UCB1().agent(arms=["red", "blue"])
    >>> agent.learn(agent.choose(), reward=0.0)
    >>> agent.learn("blue", reward=1.0)
    >>> agent.choose(), agent.rounds
    ('blue', 2)
    >>> agent.learn("green", reward=1.0)
    Traceback (most recent call last):
    driftbandit.InputError: arm must be one of ['red', 'blue'], got 'green'
    """

    def __init__(self, policy: Strategy, arms: int | Sequence[Arm], seed: int = 0) -> None:
        require(isinstance(policy, Strategy), "policy", policy, "be a policy")
        self.policy = policy
        self._arms: list[Arm] = _labels(arms)
        self._position = {arm: place for place, arm in enumerate(self._arms)}
        self._learner: Learner = policy.learner(len(self._arms))
        self._most = min(policy.bound, sys.float_info.max)
        self._rng = random.Random(whole("seed", seed, least=0, most=None))

    @property
    def arms(self) -> list[Arm]:
        """The names of the arms: a new list, so that changing it changes nothing here."""
        return list(self._arms)

    @property
    def rounds(self) -> int:
        """How many rewards have been learned."""
        return self._learner.rounds

    def choose(self) -> Arm:
        """Return the arm to play now."""
        return self._arms[self._learner.choose(self._draw)]

    def learn(self, arm: Arm, reward: float) -> None:
        """Take in the reward of a play of `arm`; a bad one is refused and nothing is learned."""
        try:
            place = self._position[arm]
        except (KeyError, TypeError):
            raise InputError(f"arm must be one of {shown(self._arms)}, got {shown(arm)}") from None
        if not (type(reward) is float and 0.0 <= reward <= self._most):  # else it is fine
            reward = self._checked(reward)
        self._learner.learn(place, reward)

    def _checked(self, reward: float) -> float:
        """Return any kind of number, or a click, as a float, or raise."""
        number, bound = reward_as_float(reward), self.policy.bound
        if not 0.0 <= number <= self._most:  # so that NaN is wrong too
            allowed = f"[0, {plain(bound)}]" if bound < math.inf else "[0, inf)"
            raise InputError(f"reward must lie in {allowed}, got {shown(reward)}")
        return number

    def _draw(self) -> float:
        """Return a uniform number of the open interval (0, 1)."""
        return self._rng.random() or 2.0**-54


def _labels(arms: Any) -> list[Any]:
    if is_number(arms):
        return list(range(whole("arms", arms)))
    require(is_several(arms), "arms", arms, "be a number of arms or a list of names")
    unordered = isinstance(arms, Set)
    require(not unordered, "arms", arms, "have an order, which a set has not: give a list")
    labels = list(arms)
    require(_hashable(labels), "arms", labels, "hold names that can be looked up")
    require(len(labels) > 0, "arms", labels, "hold at least one arm")
    require(len(set(labels)) == len(labels), "arms", labels, "be different from each other")
    return labels


def _hashable(labels: list[Any]) -> bool:
    """Say whether all names can be looked up: not lists, nor tuples that hold some."""
    try:
        for label in labels:
            hash(label)
    except TypeError:
        return False
    return True
