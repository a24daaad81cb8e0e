"""Exponential weights that watch their exploration, one step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from driftbandit.policies.learner import Draw, total_of
from driftbandit.policies.weights.live.multiply import WeightsLearner

if TYPE_CHECKING:
    from driftbandit.policies.weights.policy import Weights


class WatchingLearner(WeightsLearner):
    """Uniform draws are drawn apart, and their means may end what was learned.

    A reward counts as one of a uniform draw if its arm was the last one chosen, by such a draw.
    """

    kept = (*WeightsLearner.kept, "counts", "sums", "drawn", "_drawn")

    def __init__(self, policy: Weights, arms: int) -> None:
        super().__init__(policy, arms)
        watch = policy.watch(arms)
        assert watch is not None
        self._draws, self._threshold = watch
        self._drawn = -1
        self.drawn: dict[int, int] = {}
        self.counts, self.sums = [0.0] * arms, [0.0] * arms

    def choose(self, draw: Draw) -> int:
        """Draw uniformly with probability γ, else arm i with probability w_i / W."""
        arms = range(len(self.weights))
        level = draw()
        self._drawn = arms[self._uniform(level, len(arms))] if self._explores(level) else -1
        return self.pick(level, arms, ()) if self._drawn < 0 else self._drawn

    def pick(self, u: float, eligible: Sequence[int], law: Sequence[float]) -> int:
        """Return the place that a uniform number draws: below γ uniformly, above by weights."""
        if self._explores(u):
            return self._uniform(u, len(eligible))
        exploration, cumulated = self.policy.exploration, 0.0
        weights = [self.weights[arm] for arm in eligible]
        level = (u - exploration) / (1.0 - exploration) * total_of(weights)
        for place, weight in enumerate(weights):
            cumulated += weight
            if level < cumulated:
                return place
        return len(weights) - 1

    def _explores(self, u: float) -> bool:
        return u < self.policy.exploration

    def _uniform(self, u: float, arms: int) -> int:
        return min(int(u / self.policy.exploration * arms), arms - 1)

    def decide(self, arm: int, probability: float, u: float) -> None:
        """Begin a round, and note whether its arm was drawn uniformly."""
        super().decide(arm, probability, u)
        if self._explores(u):
            self.drawn[self.rounds] = arm

    def reward(self, round: int, reward: float) -> bool:
        """Learn a reward; if its arm was drawn uniformly, it is watched as well."""
        learned, arm = super().reward(round, reward), self.drawn.pop(round, -1)
        if learned and arm >= 0:
            self._watch(arm, reward)
        return learned

    def forsake(self, round: int) -> None:
        """Give up on a reward."""
        super().forsake(round)
        self.drawn.pop(round, None)

    def add_arm(self) -> None:
        """Make place for one more arm; the interval begins anew."""
        super().add_arm()
        arms = len(self.weights)
        self.counts, self.sums = [0.0] * arms, [0.0] * arms
        watch = self.policy.watch(arms)
        assert watch is not None
        self._draws, self._threshold = watch

    def learn(self, arm: int, reward: float) -> None:
        """Learn as ever; after a uniform draw, see whether an interval is over."""
        super().learn(arm, reward)
        if arm == self._drawn:
            self._drawn = -1
            self._watch(arm, reward)

    def _watch(self, arm: int, reward: float) -> None:
        """Count the reward of a uniform draw; judge when every arm has enough of them."""
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
            self._set_arms()
        self.counts, self.sums = [0.0] * arms, [0.0] * arms
