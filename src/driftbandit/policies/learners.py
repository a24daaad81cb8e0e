"""The families of policies in plain Python, one step at a time: what a live agent runs.

The compiled engine runs the same rules on many runs at once (`driftbandit.engine.families`); a
test holds the two to the same decisions.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Protocol

from driftbandit.errors import InputError
from driftbandit.policies.detect import Never
from driftbandit.policies.policy import Policy
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.weights import Weights

Draw = Callable[[], float]

HEAVIEST = 1e100
"""Weights of plays grow as their elders are discounted; beyond this all are rescaled."""

LIGHTEST = 1e-200
"""Counts and exponential weights are kept above this, so that nothing is lost to underflow."""


class Learner(Protocol):
    """What an agent needs of a family."""

    rounds: int

    def choose(self, draw: Draw) -> int:
        """Return the arm to play, taking uniform numbers from `draw`."""

    def learn(self, arm: int, reward: float) -> None:
        """Take in the reward of `arm`."""


class _Arm:
    """What an index policy keeps of an arm: weighted sums, their mean, and a clock."""

    __slots__ = ("born", "clock", "count", "lost", "mean", "memory", "square", "total")

    def __init__(self, memory: int, born: int) -> None:
        self.total = self.lost = self.square = self.count = self.clock = 0.0
        self.mean = math.inf
        self.memory = [0.0] * memory
        self.born = born

    def add(self, weight: float, reward: float) -> None:
        """Add a play, or take one out if `weight` is negative; rounding errors are kept."""
        amount = weight * reward
        total = self.total + amount
        part = total - self.total
        self.lost += (self.total - (total - part)) + (amount - part)
        self.total = total
        self.square += amount * reward
        self.count += weight
        # whatever is left after a play was taken out weighs at least as much as that play
        if self.count > 0.5 * abs(weight):
            self.mean = (self.total + self.lost) / self.count
        else:
            self.total = self.lost = self.square = self.count = 0.0
            self.mean = math.inf

    def rescale(self, weight: float) -> None:
        """Divide the sums by `weight`; a count never reaches zero by it."""
        self.total, self.lost, self.square = (
            value / weight for value in (self.total, self.lost, self.square)
        )
        if self.count > 0.0:
            self.count = max(self.count / weight, LIGHTEST)


class IndexLearner:
    """Forget × detect × explore, one step at a time.

    Discounting multiplies all old plays by one factor; instead the weight of new plays grows, and
    counts are read relative to the current weight. So only the arm played, and one that leaves a
    window, change: their mean and 1/√count are kept in lists for the next choice.
    """

    def __init__(self, policy: Policy, arms: int) -> None:
        self.policy = policy
        self.rounds = 0
        self.weight = 1.0
        self.clock = 0.0
        self.arms = [_Arm(policy.detect.memory, 0) for _ in range(arms)]
        self.means, self.roots = [math.inf] * arms, [0.0] * arms
        self.plays: deque[tuple[int, int, float, float]] = deque()
        self.untried = list(range(arms))
        self._fading, self._exploring = policy.forget.numbers(), policy.explore.numbers()
        self._restarts = policy.detect != Never()
        self._simple = policy.explore.width is not None and not self._restarts

    def choose(self, draw: Draw) -> int:
        """Return an arm never tried, or the one with the largest index, the lowest of equals."""
        if self.untried:
            return self.untried[0]
        indices = self.indices(draw)
        return indices.index(max(indices))

    def indices(self, draw: Draw) -> list[float]:
        """Return the index of every arm; infinite where there is no remembered play."""
        if self._simple:
            slope = self._slope(self.clock)
            return [m + slope * r for m, r in zip(self.means, self.roots, strict=True)]
        return [self._index(place, draw) for place in range(len(self.arms))]

    def _slope(self, clock: float) -> float:
        """Return what 1/√count is multiplied by in the index mean + width/√count."""
        width = self.policy.explore.width
        assert width is not None
        return width(max(clock, 1.0), *self._exploring) * math.sqrt(self.weight)

    def _index(self, place: int, draw: Draw) -> float:
        explore, arm = self.policy.explore, self.arms[place]
        noise = [draw()] if explore.noise else []
        if arm.count <= 0.0:
            return math.inf
        clock = max(arm.clock if self._restarts else self.clock, 1.0)
        if explore.index is None:
            return arm.mean + self._slope(clock) * self.roots[place]
        spread = max(arm.square / arm.count - arm.mean * arm.mean, 0.0)
        variance = [spread] if explore.variance else []
        count = arm.count / self.weight
        return explore.index(arm.mean, count, clock, *variance, *noise, *self._exploring)

    def learn(self, arm: int, reward: float) -> None:
        """Forget as the round passes, add the play, and start over if there is an alarm."""
        self.rounds += 1
        if self.untried and arm in self.untried:
            self.untried.remove(arm)
        forget, t = self.policy.forget, float(self.rounds)
        factor, span = forget.factor(t, *self._fading), forget.span(t, *self._fading)
        if factor != 1.0:
            self._fade(factor)
        while self.plays and self.plays[0][0] <= self.rounds - span:
            self._expire(*self.plays.popleft())
        self._change(arm, self.weight, reward)
        if span < math.inf:
            self.plays.append((self.rounds, arm, self.weight, reward))
        self.clock = min(factor * self.clock + 1.0, span)
        if self._restarts:
            self._detect(arm, reward, factor, span)

    def _change(self, place: int, weight: float, reward: float) -> None:
        """Add a play, or take it out, and renew what the next choice needs of the arm."""
        arm = self.arms[place]
        arm.add(weight, reward)
        self.means[place] = arm.mean
        self.roots[place] = math.sqrt(1.0 / arm.count) if arm.count > 0.0 else 0.0

    def _fade(self, factor: float) -> None:
        self.weight /= factor
        if self.weight > HEAVIEST:
            for place, arm in enumerate(self.arms):
                arm.rescale(self.weight)
                self.roots[place] = math.sqrt(1.0 / arm.count) if arm.count > 0.0 else 0.0
            self.plays = deque((s, arm, w / self.weight, x) for s, arm, w, x in self.plays)
            self.weight = 1.0

    def _expire(self, played: int, place: int, weight: float, reward: float) -> None:
        if played > self.arms[place].born:
            self._change(place, -weight, reward)

    def _detect(self, place: int, reward: float, factor: float, span: float) -> None:
        for arm in self.arms:
            arm.clock = min(factor * arm.clock + 1.0, span)
        detect, state = self.policy.detect, self.arms[place]
        count = state.count / self.weight
        if detect.alarm(state.memory, reward, count, *detect.numbers()):
            for each in range(len(self.arms)) if detect.scope == "all" else [place]:
                self.arms[each] = _Arm(detect.memory, self.rounds)
                self.means[each], self.roots[each] = math.inf, 0.0


class WeightsLearner:
    """Exponential weights, one step at a time, rescaled every round to a largest weight of 1."""

    def __init__(self, policy: Weights, arms: int) -> None:
        policy.check(arms)
        self.policy = policy
        self.rounds = 0
        self.weights = [1.0] * arms

    def probabilities(self) -> list[float]:
        """Return the law of the next choice."""
        total, floor = sum(self.weights), self.policy.exploration / len(self.weights)
        return [(1.0 - self.policy.exploration) * w / total + floor for w in self.weights]

    def choose(self, draw: Draw) -> int:
        """Draw an arm."""
        level, cumulated = draw(), 0.0
        for place, probability in enumerate(self.probabilities()):
            cumulated += probability
            if level < cumulated:
                return place
        return len(self.weights) - 1

    def learn(self, arm: int, reward: float) -> None:
        """Raise the weights and share."""
        self.rounds += 1
        policy, arms, total = self.policy, len(self.weights), sum(self.weights)
        share = math.e * policy.sharing / arms * total
        for place, probability in enumerate(self.probabilities()):
            gain = reward / policy.bound / probability if place == arm else 0.0
            exponent = policy.exponent(gain, probability, arms, *policy.numbers())
            self.weights[place] = self.weights[place] * math.exp(exponent) + share
        largest = max(self.weights)
        self.weights = [max(weight / largest, LIGHTEST) for weight in self.weights]


class UniformLearner:
    """Every arm with the same probability."""

    def __init__(self, policy: Strategy, arms: int) -> None:
        self.rounds = 0
        self.arms = arms

    def choose(self, draw: Draw) -> int:
        """Draw an arm."""
        return min(int(draw() * self.arms), self.arms - 1)

    def learn(self, arm: int, reward: float) -> None:
        """Count the round; there is nothing else to learn."""
        self.rounds += 1


LEARNERS: dict[str, Callable[..., Learner]] = {
    "index": IndexLearner,
    "weights": WeightsLearner,
    "uniform": UniformLearner,
}


def learner(policy: Strategy, arms: int) -> Learner:
    """Return a learner for `policy`."""
    if policy.family not in LEARNERS:
        raise InputError(f"{policy.label} plays only in a simulation, where the means are known")
    return LEARNERS[policy.family](policy, arms)
