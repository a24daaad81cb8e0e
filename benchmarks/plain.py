"""The paper's policies as a careful Python programmer writes them: one class each, one run."""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol


class Plain(Protocol):
    def choose(self) -> int: ...
    def learn(self, arm: int, reward: float) -> None: ...


class UCB1:
    def __init__(self, arms: int, xi: float = 0.5) -> None:
        self.xi, self.t = xi, 0
        self.counts, self.sums = [0] * arms, [0.0] * arms

    def choose(self) -> int:
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
        self.t += 1
        self.counts[arm] += 1
        self.sums[arm] += reward


class DiscountedUCB:
    def __init__(self, arms: int, discount: float = 0.9975, xi: float = 0.5) -> None:
        self.discount, self.xi, self.t = discount, xi, 0
        self.counts, self.sums = [0.0] * arms, [0.0] * arms

    def choose(self) -> int:
        if self.t < len(self.counts):
            return self.t
        bonus = 4.0 * self.xi * math.log(sum(self.counts))
        best, arm = -1.0, 0
        for i, n in enumerate(self.counts):
            index = self.sums[i] / n + math.sqrt(bonus / n)
            if index > best:
                best, arm = index, i
        return arm

    def learn(self, arm: int, reward: float) -> None:
        self.t += 1
        discount = self.discount
        self.counts = [n * discount for n in self.counts]
        self.sums = [s * discount for s in self.sums]
        self.counts[arm] += 1.0
        self.sums[arm] += reward


class SlidingWindowUCB:
    def __init__(self, arms: int, window: int = 1213, xi: float = 0.5) -> None:
        self.window, self.xi, self.t = window, xi, 0
        self.counts, self.sums = [0] * arms, [0.0] * arms
        self.plays: deque[tuple[int, float]] = deque()

    def choose(self) -> int:
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
        self.t += 1
        self.plays.append((arm, reward))
        self.counts[arm] += 1
        self.sums[arm] += reward
        if len(self.plays) > self.window:
            old, past = self.plays.popleft()
            self.counts[old] -= 1
            self.sums[old] -= past


class EXP3S:
    def __init__(self, arms: int, exploration: float = 0.0638, sharing: float = 1e-4) -> None:
        self.gamma, self.alpha = exploration, sharing
        self.weights = [1.0 / arms] * arms
        self.p = [1.0 / arms] * arms

    def choose(self) -> int:
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
        arms, total = len(self.weights), sum(self.weights)
        share = math.e * self.alpha / arms * total
        self.weights[arm] *= math.exp(self.gamma * reward / self.p[arm] / arms)
        total = sum(self.weights) + arms * share
        self.weights = [(w + share) / total for w in self.weights]


POLICIES: dict[str, Callable[[int], Plain]] = {
    "UCB-1": UCB1,
    "EXP3.S": EXP3S,
    "D-UCB": DiscountedUCB,
    "SW-UCB": SlidingWindowUCB,
}


def seconds_a_round(label: str, means: list[list[float]]) -> float:
    """Time one run over a table of means, rewards and regret included."""
    draw = random.Random(1).random
    policy, regret = POLICIES[label](len(means[0])), 0.0
    start = time.perf_counter()
    for row in means:
        arm = policy.choose()
        policy.learn(arm, 1.0 if draw() < row[arm] else 0.0)
        regret += max(row) - row[arm]
    return (time.perf_counter() - start) / len(means)
