"""Uniform play, one step at a time."""

from __future__ import annotations

from collections.abc import Sequence

from driftbandit.policies.learner import Draw, Learner


class UniformLearner(Learner):
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

    def law(self, eligible: Sequence[int]) -> list[float]:
        """Return the same probability for all."""
        return [1.0 / len(eligible)] * len(eligible)

    def decide(self, arm: int, probability: float, u: float) -> None:
        """Count the round."""
        self.rounds += 1

    def reward(self, round: int, reward: float) -> bool:
        """Learn nothing."""
        return True

    def forsake(self, round: int) -> None:
        """Lose nothing."""

    def add_arm(self) -> None:
        """Play one more arm."""
        self.arms += 1

    def forget_arm(self, arm: int) -> None:
        """Forget nothing."""
