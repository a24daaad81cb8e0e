"""Exponential weights, one step at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from math import exp
from typing import TYPE_CHECKING, Any, ClassVar

from driftbandit.policies.learner import LIGHTEST, Draw, Learner, total_of

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


class WeightsLearner(Learner):
    """Weights that are rescaled now and then to a largest weight of 1.

    `learned` counts the rewards learned, by which batches and rescaling go. Of a decision,
    `waiting` has the arm and the probabilities it was drawn with: that of the arm alone, or those
    of all arms where the others have exponents too.
    """

    kept: ClassVar[tuple[str, ...]] = ("rounds", "learned", "weights", "waiting")

    def __init__(self, policy: Weights, arms: int) -> None:
        policy.check(arms)
        self.policy = policy
        self.rounds = self.learned = 0
        self.weights = [1.0] * arms
        self.waiting: dict[int, Any] = {}
        self._numbers, self._exponent = policy.numbers(), policy.exponent
        self._lone, self._fresh, self._batch = policy.lone, policy.fresh, policy.batch
        self._bound, self._unexplored = policy.bound, 1.0 - policy.exploration
        self._set_arms()

    def _set_arms(self) -> None:
        """Set what follows from the arms and their weights."""
        arms = len(self.weights)
        self._floor = self.policy.exploration / arms
        self._share = self.policy.share(arms)
        self._period = rescaling_period(self.policy, arms)
        self._total = total_of(self.weights)

    def load(self, state: dict[str, Any]) -> None:
        """Take over a state."""
        super().load(state)
        self._set_arms()

    def choose(self, draw: Draw) -> int:
        """Draw arm i with probability p_i = (1 − γ) w_i / W + γ / K."""
        level, cumulated, floor = draw(), 0.0, self._floor
        share = self._unexplored / self._total
        for arm, weight in enumerate(self.weights):
            cumulated += share * weight + floor
            if level < cumulated:
                return arm
        return len(self.weights) - 1

    def learn(self, arm: int, reward: float) -> None:
        """Raise the weights, or that of the arm played if the others have exponent zero; share."""
        self.rounds += 1
        share = self._unexplored / self._total
        if self._lone:
            self._raise(arm, reward, ((arm, share * self.weights[arm] + self._floor),))
        else:
            chances = [share * weight + self._floor for weight in self.weights]
            self._raise(arm, reward, enumerate(chances))

    def _raise(self, arm: int, reward: float, chances: Iterable[tuple[int, float]]) -> None:
        """Raise the weights of arms, which come with their probabilities; share and rescale."""
        self.learned += 1
        weights, arms = self.weights, len(self.weights)
        for each, probability in chances:
            gain = reward / self._bound / probability if each == arm else 0.0
            weights[each] *= exp(self._exponent(gain, probability, arms, *self._numbers))
        if self._share > 0.0:
            shared = self._share * (total_of(weights) if self._fresh else self._total)
            weights = [weight + shared for weight in weights]
        if self._batch and self.learned % self._batch == 0:
            weights = [1.0] * arms
        elif self.learned % self._period == 0:
            largest = max(weights)
            weights = [max(weight / largest, LIGHTEST) for weight in weights]
        self.weights, self._total = weights, total_of(weights)

    def learn_among(self, arm: int, reward: float, eligible: Sequence[int]) -> None:
        """Learn by the probability among these; by that among all arms if it is none of them."""
        if arm not in eligible:
            self.learn(arm, reward)
            return
        self.decide(arm, self.law(eligible)[eligible.index(arm)], 1.0)
        self.reward(self.rounds, reward)

    def law(self, eligible: Sequence[int]) -> list[float]:
        """Return p_i = (1 − γ) w_i / W + γ / m, W and m being those of the eligible arms."""
        weights = [self.weights[arm] for arm in eligible]
        share = self._unexplored / total_of(weights)
        floor = self.policy.exploration / len(eligible)
        return [min(share * weight + floor, 1.0) for weight in weights]  # rounding may exceed it

    def decide(self, arm: int, probability: float, u: float) -> None:
        """Begin a round: what was drawn, and with which probability, is kept for the reward."""
        self.rounds += 1
        if self.policy.lone:
            self.waiting[self.rounds] = arm, probability
            return
        everywhere = self.law(range(len(self.weights)))
        everywhere[arm] = probability
        self.waiting[self.rounds] = arm, *everywhere

    def reward(self, round: int, reward: float) -> bool:
        """Learn a reward with the probability of its decision; of several, in order of arrival."""
        if round not in self.waiting:
            return False
        arm, *chances = self.waiting.pop(round)
        self._raise(arm, reward, ((arm, chances[0]),) if self.policy.lone else enumerate(chances))
        return True

    def forsake(self, round: int) -> None:
        """Give up on a reward, which leaves the weights as they are."""
        self.waiting.pop(round, None)

    def add_arm(self) -> None:
        """Make place for one more arm, with the mean weight of the others."""
        self.weights.append(total_of(self.weights) / len(self.weights))
        self._set_arms()

    def forget_arm(self, arm: int) -> None:
        """Give an arm the mean weight of the others, and await none of its rewards."""
        others = [weight for each, weight in enumerate(self.weights) if each != arm]
        self.weights[arm] = total_of(others) / len(others) if others else 1.0
        self._set_arms()
        self.waiting = {made: play for made, play in self.waiting.items() if play[0] != arm}

    def knowledge(self, arm: int) -> dict[str, float | None]:
        """Return the weight, and how many decisions await their reward."""
        pending = sum(play[0] == arm for play in self.waiting.values())
        return {"weight": self.weights[arm], "pending": float(pending)}
