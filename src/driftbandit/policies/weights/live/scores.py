"""Exponential weights with a rate that changes, one step at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from driftbandit.policies.learner import LIGHTEST, Draw, Learner, total_of

if TYPE_CHECKING:
    from driftbandit.policies.weights.policy import Weights

LOWEST = math.log(LIGHTEST)


class ScoresLearner(Learner):
    """Sums of exponents, from which the weights of a round are computed afresh.

    `learned` counts the rewards learned, by which the rate goes. Of a decision, `waiting` has the
    arm and the probability it was drawn with.
    """

    kept = ("rounds", "learned", "scores", "counts", "sums", "waiting")

    def __init__(self, policy: Weights, arms: int) -> None:
        policy.check(arms)
        self.policy = policy
        self.rounds = self.learned = 0
        self.waiting: dict[int, tuple[int, float]] = {}
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
        self.rounds += 1
        self._add(arm, reward, self.probabilities()[arm])

    def _add(self, arm: int, reward: float, probability: float) -> None:
        """Add the exponent of a reward whose arm was drawn with this probability."""
        policy, arms = self.policy, len(self.scores)
        assert policy.schedule is not None
        self.learned += 1
        rate = policy.schedule(float(self.learned), arms, *self._numbers)
        value = reward / policy.bound
        gain = value / probability
        self.scores[arm] += policy.exponent(gain, probability, arms, rate, *self._numbers)
        self.counts[arm] += 1.0
        self.sums[arm] += value

    def probabilities(self) -> list[float]:
        """Return the probabilities of the round that comes."""
        return self.law(range(len(self.scores)))

    def learn_among(self, arm: int, reward: float, eligible: Sequence[int]) -> None:
        """Learn by the probability among these; by that among all arms if it is none of them."""
        if arm not in eligible:
            self.learn(arm, reward)
            return
        self.decide(arm, self.law(eligible)[eligible.index(arm)], 1.0)
        self.reward(self.rounds, reward)

    def law(self, eligible: Sequence[int]) -> list[float]:
        """Return p_i = (1 − Σ ε) w_i / W + ε_i, the sums being over the eligible arms."""
        assert self.policy.schedule is not None
        scores = [self.scores[arm] for arm in eligible]
        t, arms, top = self.learned + 1.0, len(eligible), max(scores)
        rate = self.policy.schedule(t, arms, *self._numbers)
        weights = [math.exp(max(rate * (score - top), LOWEST)) for score in scores]
        floors = self._floors(t, eligible)
        share = (1.0 - total_of(floors)) / total_of(weights)
        terms = zip(weights, floors, strict=True)
        return [min(share * weight + floor, 1.0) for weight, floor in terms]  # rounding exceeds it

    def _floors(self, t: float, eligible: Sequence[int]) -> list[float]:
        """Return ε_i: by the rule from how far arm i is behind, or γ / K."""
        policy, arms = self.policy, len(eligible)
        radius, floor = policy.radius, policy.floor
        if floor is None or radius is None:
            return [policy.exploration / arms] * arms
        lows, highs = [], []
        for arm in eligible:
            count, total = self.counts[arm], self.sums[arm]
            size = max(count, 1.0)
            mean, wide = total / size, radius(size, t, arms, *self._numbers)
            lows.append(max(mean - wide, 0.0))
            highs.append(min(mean + wide, 1.0) if count > 0.0 else 1.0)
        best = max(lows)
        return [floor(max(best - high, 0.0), t, arms, *self._numbers) for high in highs]

    def decide(self, arm: int, probability: float, u: float) -> None:
        """Begin a round: what was drawn, and with which probability, is kept for the reward."""
        self.rounds += 1
        self.waiting[self.rounds] = arm, probability

    def reward(self, round: int, reward: float) -> bool:
        """Learn a reward with the probability of its decision; of several, in order of arrival."""
        if round not in self.waiting:
            return False
        arm, probability = self.waiting.pop(round)
        self._add(arm, reward, probability)
        return True

    def forsake(self, round: int) -> None:
        """Give up on a reward, which leaves the scores as they are."""
        self.waiting.pop(round, None)

    def add_arm(self) -> None:
        """Make place for one more arm, with the mean score of the others."""
        self.scores.append(total_of(self.scores) / len(self.scores))
        self.counts.append(0.0)
        self.sums.append(0.0)

    def forget_arm(self, arm: int) -> None:
        """Give an arm the mean score of the others, and await none of its rewards."""
        others = [score for each, score in enumerate(self.scores) if each != arm]
        self.scores[arm] = total_of(others) / len(others) if others else 0.0
        self.counts[arm] = self.sums[arm] = 0.0
        self.waiting = {made: play for made, play in self.waiting.items() if play[0] != arm}

    @property
    def remembered(self) -> float:
        """The sum of the counts."""
        return total_of(self.counts)

    def knowledge(self, arm: int) -> dict[str, float | None]:
        """Return score, mean and count, and how many decisions await their reward."""
        pending, count = sum(play[0] == arm for play in self.waiting.values()), self.counts[arm]
        mean = self.sums[arm] / count * self.policy.bound if count else None
        return {"score": self.scores[arm], "mean": mean, "count": count, "pending": float(pending)}
