"""What an agent needs of a family of policies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, ClassVar

from driftbandit.core.plain import Kept

Draw = Callable[[], float]

LIGHTEST = 1e-200
"""Counts and exponential weights are kept above this, so that nothing is lost to underflow."""


class Learner(Kept):
    """The state of a policy in one run: how it chooses and learns.

    `choose` and `learn` are for rewards that come at once. For rewards that come late there is
    `decide`, which begins a round, and `reward` or `forsake`, which ends what that round awaits.
    Rounds count from 1. `learn` is a decision and its reward in one.
    """

    kept: ClassVar[tuple[str, ...]] = ("rounds",)
    timed: bool = False
    """Whether it forgets by the clock, and must be told the time of every round by `tick`."""

    rounds: int

    def choose(self, draw: Draw) -> int:
        """Return the arm to play, taking uniform numbers from `draw`."""
        raise NotImplementedError

    def learn(self, arm: Any, reward: float) -> None:
        """Take in the reward of `arm`, or of an action."""
        raise NotImplementedError

    def learn_among(self, arm: Any, reward: float, eligible: Any) -> None:
        """Take in the reward of `arm`, chosen by the law of these."""
        self.learn(arm, reward)

    def law(self, eligible: Any) -> list[float]:
        """Return the probability with which each of the eligible arms is chosen now.

        They are numbers of arms; or rows of features, for a linear policy.
        """
        raise NotImplementedError

    def pick(self, u: float, eligible: Any, law: Sequence[float]) -> int:
        """Return the place in `eligible` that the number `u` draws from `law`, the law of now."""
        return place_of(u, law)

    def decide(self, arm: Any, probability: float, u: float) -> None:
        """Begin a round in which `arm`, or an action, is played, drawn with this probability."""
        raise NotImplementedError

    def reward(self, round: int, reward: float) -> bool:
        """Learn the reward of the decision of a round; return whether it still counted."""
        raise NotImplementedError

    def forsake(self, round: int) -> None:
        """Give up on the reward of a round."""
        raise NotImplementedError

    def tick(self, at: float) -> None:
        """Take in the time of the round that comes, in seconds."""

    def seed(self, number: int) -> None:
        """Set the generator from which the policy draws while it learns, if it does."""

    def add_arm(self) -> None:
        """Make place for one more arm, of which nothing is known."""
        raise NotImplementedError

    def forget_arm(self, arm: int) -> None:
        """Forget what is known of an arm."""
        raise NotImplementedError

    @property
    def alarms(self) -> int:
        """How many changes have been found in the rewards; planned restarts may count as well."""
        return 0

    @property
    def remembered(self) -> float | None:
        """How many plays the memory of all arms amounts to; None for a policy without plays."""
        return None

    def knowledge(self, arm: int) -> dict[str, float | None]:
        """Return what is known of an arm, by names, for people to read."""
        return {}


def place_of(u: float, probabilities: Sequence[float]) -> int:
    """Return the place that a uniform number draws: the first whose cumulated sum exceeds it.

    >>> [place_of(u, [0.2, 0.0, 0.8]) for u in (0.1, 0.2, 0.9999999999999999)]
    [0, 2, 2]
    """
    cumulated, last = 0.0, 0
    for place, probability in enumerate(probabilities):
        cumulated += probability
        if u < cumulated:
            return place
        if probability > 0.0:
            last = place
    return last  # rounding kept the sum below 1


def from_left(values: Iterable[float]) -> float:
    """Return the sum from left to right.

    >>> from_left([0.1] * 10)
    0.9999999999999999
    """
    total = 0.0
    for value in values:
        total += value
    return total


total_of: Callable[[Iterable[float]], float] = sum if sys.version_info < (3, 12) else from_left
"""The sum from left to right: `sum` rounds in another way since Python 3.12."""


def only(arm: int, eligible: Sequence[int]) -> list[float]:
    """Return the law that is certain of one arm."""
    return [1.0 if each == arm else 0.0 for each in eligible]


def generator(number: int) -> Random:
    """Return the generator of what a policy draws while it learns, apart from an agent's own."""
    return Random(f"learning {number}")
