"""Procedures, one step at a time."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from driftbandit.core.errors import require
from driftbandit.policies.learner import Draw

if TYPE_CHECKING:
    from driftbandit.policies.procedures.policy import Procedure


class ProcedureLearner:
    """The functions of a procedure as they are, on a plain object.

    The noise of a round is drawn by its first choice; who learns without choosing gets noise from a
    stream of its own.
    """

    def __init__(self, policy: Procedure, arms: int) -> None:
        self.rounds, self.arms, self.policy = 0, arms, policy
        self.state = policy.started(arms)
        self._numbers, self._draws = policy.numbers(), policy.draws(arms)
        self._noise: list[float] = []
        self._apart = Random(0)

    def choose(self, draw: Draw) -> int:
        """Ask the procedure, which changes nothing."""
        if len(self._noise) < self._draws:
            self._noise = [draw() for _ in range(self._draws)]
        t = self.rounds + 1
        arm = self.policy.choose(self.state, self.arms, t, self._noise, *self._numbers)
        name = f"arm of {self.policy.label} in round {t}"
        require(0 <= arm < self.arms, name, arm, f"lie in 0 to {self.arms - 1}")
        return int(arm)

    def learn(self, arm: int, reward: float) -> None:
        """Let the procedure change its state."""
        if len(self._noise) < self._draws:
            self._noise = [self._apart.random() or 2.0**-54 for _ in range(self._draws)]
        self.rounds += 1
        share = reward / self.policy.bound
        self.policy.learn(
            self.state, self.arms, self.rounds, arm, share, self._noise, *self._numbers
        )
        self._noise = []
