"""The paper's policies as a careful Python programmer writes them: one class each, one run.

This yardstick is always available. It shares no code with the engine and makes the same decisions.
Every class has its own loop over the arms: a shared function would cost the yardstick a call.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable
from typing import Any


class UCB1:
    """X̄ + √(ξ log t / N)."""

    def __init__(self, arms: int, xi: float) -> None:
        self.xi, self.t = xi, 0
        self.counts, self.sums = [0] * arms, [0.0] * arms

    def choose(self) -> int:
        """Return the arm to play."""
        if self.t < len(self.counts):
            return self.t
        bonus = self.xi * math.log(self.t)
        best, arm = -1.0, 0
        for i, n in enumerate(self.counts):
            index = self.sums[i] / n + math.sqrt(bonus / n)
            if index > best:
                best, arm = index, i
        return arm

    def learn(self, arm: int, reward: float) -> None:
        """Take in a reward."""
        self.t += 1
        self.counts[arm] += 1
        self.sums[arm] += reward


class DiscountedUCB:
    """X̄ + √(ξ log n / N) of discounted sums and counts."""

    def __init__(self, arms: int, discount: float, xi: float) -> None:
        self.discount, self.xi, self.t = discount, xi, 0
        self.counts, self.sums = [0.0] * arms, [0.0] * arms

    def choose(self) -> int:
        """Return the arm to play."""
        if self.t < len(self.counts):
            return self.t
        bonus = self.xi * math.log(sum(self.counts))
        best, arm = -1.0, 0
        for i, n in enumerate(self.counts):
            index = self.sums[i] / n + math.sqrt(bonus / n)
            if index > best:
                best, arm = index, i
        return arm

    def learn(self, arm: int, reward: float) -> None:
        """Take in a reward."""
        self.t += 1
        discount = self.discount
        self.counts = [n * discount for n in self.counts]
        self.sums = [s * discount for s in self.sums]
        self.counts[arm] += 1.0
        self.sums[arm] += reward


class SlidingWindowUCB:
    """X̄ + √(ξ log min(t, τ) / N) of the last τ rounds."""

    def __init__(self, arms: int, window: int, xi: float) -> None:
        self.window, self.xi, self.t = window, xi, 0
        self.counts, self.sums = [0] * arms, [0.0] * arms
        self.plays: deque[tuple[int, float]] = deque()

    def choose(self) -> int:
        """Return the arm to play."""
        if self.t < len(self.counts):
            return self.t
        bonus = self.xi * math.log(min(self.t, self.window))
        best, arm = -1.0, 0
        for i, n in enumerate(self.counts):
            if n == 0:
                return i
            index = self.sums[i] / n + math.sqrt(bonus / n)
            if index > best:
                best, arm = index, i
        return arm

    def learn(self, arm: int, reward: float) -> None:
        """Take in a reward."""
        self.t += 1
        self.plays.append((arm, reward))
        self.counts[arm] += 1
        self.sums[arm] += reward
        if len(self.plays) > self.window:
            old, past = self.plays.popleft()
            self.counts[old] -= 1
            self.sums[old] -= past


class EXP3S:
    """Exponential weights, mixed with uniform ones, that share a little of their total."""

    def __init__(self, arms: int, exploration: float, sharing: float) -> None:
        self.gamma, self.alpha = exploration, sharing
        self.weights = [1.0 / arms] * arms
        self.p = [1.0 / arms] * arms

    def choose(self) -> int:
        """Return the arm to play."""
        arms = len(self.weights)
        total = sum(self.weights)
        self.p = [(1.0 - self.gamma) * w / total + self.gamma / arms for w in self.weights]
        level = random.random()
        for i, p in enumerate(self.p):
            level -= p
            if level < 0.0:
                return i
        return arms - 1

    def learn(self, arm: int, reward: float) -> None:
        """Take in a reward."""
        arms, total = len(self.weights), sum(self.weights)
        share = math.e * self.alpha / arms * total
        self.weights[arm] *= math.exp(self.gamma * reward / self.p[arm] / arms)
        total = sum(self.weights) + arms * share
        self.weights = [(w + share) / total for w in self.weights]


Steps = tuple[Callable[[], int], Callable[[int, float], None]]


def _steps(maker: Callable[..., Any]) -> Callable[..., Steps]:
    def steps(arms: int, **numbers: float) -> Steps:
        policy = maker(arms, **numbers)
        return policy.choose, policy.learn

    return steps


PLAYERS: dict[str, Callable[..., Steps]] = {
    "ucb-1": _steps(UCB1),
    "exp3.s": _steps(EXP3S),
    "d-ucb": _steps(DiscountedUCB),
    "sw-ucb": _steps(SlidingWindowUCB),
}
"""Makers of choose and learn, by kind of policy."""
