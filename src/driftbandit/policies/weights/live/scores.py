"""Exponential weights with a rate that changes, one step at a time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from driftbandit.policies.learner import LIGHTEST, Draw

if TYPE_CHECKING:
    from driftbandit.policies.weights.policy import Weights

LOWEST = math.log(LIGHTEST)


class ScoresLearner:
    """Sums of exponents, from which the weights of a round are computed afresh."""

    def __init__(self, policy: Weights, arms: int) -> None:
        policy.check(arms)
        self.policy = policy
        self.rounds = 0
        self.scores = [0.0] * arms
        self.counts = [0.0] * arms
        self.sums = [0.0] * arms
        self._numbers = policy.numbers()

    def choose(self, draw: Draw) -> int:
        """Draw arm i with probability p_i = (1 − Σ ε) w_i / W + ε_i."""
        level, cumulated = draw(), 0.0
        for arm, probability in enumerate(self.probabilities()):
            cumulated += probability
            if level < cumulated:
                return arm
        return len(self.scores) - 1

    def learn(self, arm: int, reward: float) -> None:
        """Add the exponent to the score of the arm played."""
        policy, arms = self.policy, len(self.scores)
        assert policy.schedule is not None
        probability, value = self.probabilities()[arm], reward / policy.bound
        self.rounds += 1
        rate = policy.schedule(float(self.rounds), arms, *self._numbers)
        gain = value / probability
        self.scores[arm] += policy.exponent(gain, probability, arms, rate, *self._numbers)
        self.counts[arm] += 1.0
        self.sums[arm] += value

    def probabilities(self) -> list[float]:
        """Return the probabilities of the round that comes."""
        assert self.policy.schedule is not None
        t, arms, top = self.rounds + 1.0, len(self.scores), max(self.scores)
        rate = self.policy.schedule(t, arms, *self._numbers)
        weights = [math.exp(max(rate * (score - top), LOWEST)) for score in self.scores]
        floors = self._floors(t)
        share = (1.0 - sum(floors)) / sum(weights)
        return [share * weight + floor for weight, floor in zip(weights, floors, strict=True)]

    def _floors(self, t: float) -> list[float]:
        """Return ε_i: by the rule from how far arm i is behind, or γ / K."""
        policy, arms = self.policy, len(self.scores)
        radius, floor = policy.radius, policy.floor
        if floor is None or radius is None:
            return [policy.exploration / arms] * arms
        lows, highs = [], []
        for count, total in zip(self.counts, self.sums, strict=True):
            size = max(count, 1.0)
            mean, wide = total / size, radius(size, t, arms, *self._numbers)
            lows.append(max(mean - wide, 0.0))
            highs.append(min(mean + wide, 1.0) if count > 0.0 else 1.0)
        best = max(lows)
        return [floor(max(best - high, 0.0), t, arms, *self._numbers) for high in highs]
