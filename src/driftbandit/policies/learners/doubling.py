"""A policy in epochs, one step at a time."""

from __future__ import annotations

from collections.abc import Callable

from driftbandit.policies.doubling import Doubling
from driftbandit.policies.learners.learner import Draw, Learner
from driftbandit.policies.strategy import Strategy


class DoublingLearner:
    """A learner of the base, and after the last round of an epoch another one."""

    def __init__(
        self, policy: Doubling, arms: int, learner: Callable[[Strategy, int], Learner]
    ) -> None:
        self.policy, self.arms, self.rounds = policy, arms, 0
        self._learner, self._epoch = learner, 0
        self.now = learner(policy.policy(0), arms)

    def choose(self, draw: Draw) -> int:
        """Choose as the base does."""
        return self.now.choose(draw)

    def learn(self, arm: int, reward: float) -> None:
        """Learn as the base does, and begin anew where an epoch ends."""
        self.now.learn(arm, reward)
        self.rounds += 1
        if self.now.rounds == self.policy.length(self._epoch):
            self._epoch += 1
            self.now = self._learner(self.policy.policy(self._epoch), self.arms)
