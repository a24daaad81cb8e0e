"""Uniform play, one step at a time."""

from __future__ import annotations

from driftbandit.policies.learner import Draw


class UniformLearner:
    """Every arm with the same probability."""

    def __init__(self, arms: int) -> None:
        self.rounds = 0
        self.arms = arms

    def choose(self, draw: Draw) -> int:
        """Draw an arm."""
        return min(int(draw() * self.arms), self.arms - 1)

    def learn(self, arm: int, reward: float) -> None:
        """Count the round; there is nothing else to learn."""
        self.rounds += 1
