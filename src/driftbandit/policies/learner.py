"""What an agent needs of a family of policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Draw = Callable[[], float]

LIGHTEST = 1e-200
"""Counts and exponential weights are kept above this, so that nothing is lost to underflow."""


class Learner(Protocol):
    """The state of a policy in one run, and how it chooses and learns."""

    rounds: int

    def choose(self, draw: Draw) -> int:
        """Return the arm to play, taking uniform numbers from `draw`."""

    def learn(self, arm: int, reward: float) -> None:
        """Take in the reward of `arm`."""
