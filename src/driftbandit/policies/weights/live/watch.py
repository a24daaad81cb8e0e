"""Exponential weights that watch their exploration, one step at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from driftbandit.policies.learner import Draw
from driftbandit.policies.weights.live.multiply import WeightsLearner

if TYPE_CHECKING:
    from driftbandit.policies.weights.policy import Weights


class WatchingLearner(WeightsLearner):
    """Uniform draws are drawn apart, and their means may end what was learned.

    A reward counts as one of a uniform draw if its arm was the last one chosen, by such a draw.
    """

    def __init__(self, policy: Weights, arms: int) -> None:
        super().__init__(policy, arms)
        watch = policy.watch(arms)
        assert watch is not None
        self._draws, self._threshold = watch
        self._drawn = -1
        self.counts, self.sums = [0.0] * arms, [0.0] * arms

    def choose(self, draw: Draw) -> int:
        """Draw uniformly with probability γ, else arm i with probability w_i / W."""
        level, exploration, arms = draw(), self.policy.exploration, len(self.weights)
        self._drawn = -1
        if level < exploration:
            self._drawn = min(int(level / exploration * arms), arms - 1)
            return self._drawn
        cumulated = 0.0
        level = (level - exploration) / (1.0 - exploration) * sum(self.weights)
        for arm, weight in enumerate(self.weights):
            cumulated += weight
            if level < cumulated:
                return arm
        return arms - 1

    def learn(self, arm: int, reward: float) -> None:
        """Learn as ever; after a uniform draw, see whether an interval is over."""
        super().learn(arm, reward)
        if arm != self._drawn:
            return
        self._drawn = -1
        self.counts[arm] += 1.0
        self.sums[arm] += reward / self.policy.bound
        if min(self.counts) >= self._draws:
            self._judge()

    def _judge(self) -> None:
        """Begin a new interval; start over if an arm beats the one of the largest weight."""
        arms = len(self.weights)
        means = [total / count for total, count in zip(self.sums, self.counts, strict=True)]
        leader = self.weights.index(max(self.weights))
        if max(means) - means[leader] >= self._threshold:
            self.weights = [1.0] * arms
        self.counts, self.sums = [0.0] * arms, [0.0] * arms
