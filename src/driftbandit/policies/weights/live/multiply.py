"""Exponential weights, one step at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from driftbandit.policies.learner import LIGHTEST, Draw

if TYPE_CHECKING:
    from driftbandit.policies.weights.policy import Weights

SAFE, BARE = 250.0, 200.0
"""Weights may change by exp(SAFE) before they are rescaled; by exp(BARE) if no uniform play keeps a
probability, by which rewards are divided, away from zero."""


def rescaling_period(policy: Weights, arms: int) -> int:
    """Return how many rounds may pass before weights must be rescaled."""
    growth = max(policy.steepest(arms), 1e-3) + math.log1p(policy.share(arms) * arms)
    safe = SAFE if policy.exploration > 0.0 else BARE
    return max(1, math.floor(safe / growth))


class WeightsLearner:
    """Weights that are rescaled now and then to a largest weight of 1."""

    def __init__(self, policy: Weights, arms: int) -> None:
        policy.check(arms)
        self.policy = policy
        self.rounds = 0
        self.weights = [1.0] * arms
        self._numbers = policy.numbers()
        self._floor = policy.exploration / arms
        self._share = policy.share(arms)
        self._period = rescaling_period(policy, arms)

    def choose(self, draw: Draw) -> int:
        """Draw arm i with probability p_i = (1 − γ) w_i / W + γ / K."""
        level, cumulated, floor = draw(), 0.0, self._floor
        share = (1.0 - self.policy.exploration) / sum(self.weights)
        for arm, weight in enumerate(self.weights):
            cumulated += share * weight + floor
            if level < cumulated:
                return arm
        return len(self.weights) - 1

    def learn(self, arm: int, reward: float) -> None:
        """Raise the weights, or that of the arm played if the others have exponent zero; share."""
        self.rounds += 1
        policy, weights, arms = self.policy, self.weights, len(self.weights)
        total = sum(weights)
        share = (1.0 - policy.exploration) / total
        for each in (arm,) if policy.lone else range(arms):
            probability = share * weights[each] + self._floor
            gain = reward / policy.bound / probability if each == arm else 0.0
            weights[each] *= math.exp(policy.exponent(gain, probability, arms, *self._numbers))
        if self._share > 0.0:
            shared = self._share * (sum(weights) if policy.fresh else total)
            self.weights = [weight + shared for weight in weights]
        if policy.batch and self.rounds % policy.batch == 0:
            self.weights = [1.0] * arms
        elif self.rounds % self._period == 0:
            largest = max(self.weights)
            self.weights = [max(weight / largest, LIGHTEST) for weight in self.weights]
