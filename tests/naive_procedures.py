"""Policies that are programs, straight from their papers: lists, all intervals, no shortcuts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

Draw = Callable[[int], float]
"""The uniform number of a round for an arm or a purpose."""


def checks_drawn(u: float, chances: dict[int, float]) -> list[int]:
    """Return which of independent events happen, from one uniform number, the largest key first."""
    drawn = []
    for i in sorted(chances, reverse=True):
        calm = 1.0 - chances[i]
        if u < calm:
            u /= calm
        else:
            drawn.append(i)
            u = (u - calm) / chances[i]
    return drawn


class AdSwitch:
    """Auer, Gajane & Ortner 2019, Algorithm 1, testing every interval in every round."""

    def __init__(self, arms: int, horizon: int, c: float, rate: float) -> None:
        self.K, self.T, self.c, self.log = arms, horizon, c, math.log(horizon)
        self.rate = rate
        self.t, self.episode = 0, 0
        self.plays: list[tuple[int, float]] = []
        self.begin()

    def begin(self) -> None:
        self.episode += 1
        self.first = self.t + 1
        self.good = set(range(self.K))
        self.bad: dict[int, tuple[float, float]] = {}
        self.checks: dict[int, list[tuple[int, int]]] = {}

    def rewards(self, arm: int, s: int, e: int) -> list[float]:
        """Return the rewards of an arm in rounds s to e."""
        return [x for a, x in self.plays[s - 1 : e] if a == arm]

    def choose(self, draw: Draw) -> int:
        for a, (_, gap) in self.bad.items():
            rate = self.rate * math.sqrt(self.episode / (self.K * self.T * self.log))
            sizes = itertools.takewhile(
                lambda i: i == 1 or 2.0**-i >= gap / 16.0,  # noqa: B023  # used at once
                itertools.count(1),
            )
            for i in checks_drawn(draw(a), {i: min(1.0, 2.0**-i * rate) for i in sizes}):
                self.checks[a].append((math.floor(2 ** (2 * i + 1) * self.log), self.t + 1))
        waiting = [a for a in self.bad if self.checks[a]]
        last = {a: s for s, (a, _) in enumerate(self.plays, start=1)}
        return min(sorted([*self.good, *waiting]), key=lambda a: last.get(a, 0))

    def learn(self, arm: int, reward: float) -> None:
        self.t += 1
        self.plays.append((arm, reward))
        if any(map(self.good_changed, self.good)) or any(map(self.bad_changed, self.bad)):
            self.begin()
            return
        for a, at_eviction in {a: self.beaten(a) for a in self.good}.items():
            if at_eviction is not None:
                self.good.remove(a)
                self.bad[a], self.checks[a] = at_eviction, []
        for a, open_ones in self.checks.items():
            self.checks[a] = [(n, s) for n, s in open_ones if len(self.rewards(a, s, self.t)) < n]

    def bounds(self, arm: int, s: int, e: int) -> tuple[float, float]:
        x = self.rewards(arm, s, e)
        if not x:
            return -math.inf, math.inf
        mean, wide = sum(x) / len(x), math.sqrt(2.0 * self.log / len(x))
        return mean - wide, mean + wide

    def good_changed(self, arm: int) -> bool:
        rounds = range(self.first, self.t + 1)
        now = [self.bounds(arm, s, self.t) for s in rounds]
        ever = [self.bounds(arm, s1, s2) for s1 in rounds for s2 in range(s1, self.t + 1)]
        low, high = max(low for low, _ in ever), min(high for _, high in ever)
        return any(a > high or low > b for a, b in now)

    def bad_changed(self, arm: int) -> bool:
        mean, gap = self.bad[arm]
        for s in range(self.first, self.t + 1):
            low, high = self.bounds(arm, s, self.t)
            if low > mean + gap / 4.0 or high < mean - gap / 4.0:
                return True
        return False

    def beaten(self, arm: int) -> tuple[float, float] | None:
        """Return mean and gap over the longest interval in which another good arm is better."""
        for s in range(self.first, self.t + 1):
            means = {a: x for a in self.good if (x := self.rewards(a, s, self.t))}
            n = len(means.get(arm, []))
            if n >= 2:
                mean = sum(means[arm]) / n
                gap = max(sum(x) / len(x) for x in means.values()) - mean
                if gap > math.sqrt(self.c * self.log / (n - 1)):
                    return mean, gap
        return None


class Meta:
    """Suk & Kpotufe 2022, Algorithms 1 and 2: replays call themselves, all intervals are tried.

    `reward(t, arm)` and `noise(t)` give rewards and two uniform numbers; `play` returns the arms.
    """

    def __init__(
        self, arms: int, horizon: int, c: float,
        reward: Callable[[int, int], float], noise: Callable[[int], Sequence[float]],
    ) -> None:  # fmt: skip
        self.K, self.T, self.c, self.reward, self.noise = arms, horizon, c, reward, noise
        self.t, self.arms, self.firsts = 1, list[int](), list[int]()
        self.gaps = np.zeros((horizon + 1, arms, arms))  # [t, a', a]

    def play(self) -> list[int]:
        while self.t <= self.T:
            self.first, self.master = self.t, set(range(self.K))
            self.firsts.append(self.first)
            self.base(self.t, self.T + 1 - self.t)
        return self.arms

    def base(self, start: int, length: int) -> None:
        active = set(range(self.K))
        while self.t < start + length and self.t <= self.T:
            self.pull(sorted(active))
            self.t += 1
            replays = self.replays()
            if replays:
                self.base(self.t, max(replays))
            active -= self.evictable(start)
            self.master -= self.evictable(self.first)
            if not self.master:
                return

    def pull(self, active: list[int]) -> None:
        arm = active[int(self.noise(self.t)[0] * len(active))]
        x = np.zeros(self.K)
        x[arm] = len(active) * self.reward(self.t, arm)
        for a in active:
            self.gaps[self.t, :, a] = x - x[a]
        self.arms.append(arm)

    def replays(self) -> list[int]:
        """Return all m with B(t, m) = 1; whether it is comes from the noise of the round before."""
        sizes = {j: (2.0**j * (self.t - self.first)) ** -0.5 for j in range(1, self.most() + 1)}
        return [2**j for j in checks_drawn(self.noise(self.t - 1)[1], sizes)]

    def most(self) -> int:
        return math.ceil(math.log2(self.T))

    def evictable(self, start: int) -> set[int]:
        """Return the arms a with a large Σ δ̂(a', a) over some interval between start and now."""
        sums = np.cumsum(np.concatenate([np.zeros((1, self.K, self.K)), self.gaps]), axis=0)
        evicted = set()
        for s1 in range(start, self.t):
            for s2 in range(s1, self.t):
                least = math.log(self.T) * math.sqrt(self.c * max(self.K * (s2 - s1), self.K**2))
                over = (sums[s2 + 1] - sums[s1]).max(axis=0) > least
                evicted |= set(np.flatnonzero(over).tolist())
        return evicted


class Master:
    """Wei & Luo 2021, Algorithms 1 and 2 over UCB: a block's schedule is drawn when it begins."""

    def __init__(
        self, arms: int, horizon: int, xi: float, delta: float, scale: float,
        noise: Callable[[int], float],
    ) -> None:  # fmt: skip
        self.K, self.noise, self.width = arms, noise, xi * math.log(horizon / delta)
        self.factor = scale * 6.0 * (math.log2(horizon) + 1.0) * math.log(horizon / delta)
        self.t, self.restarts = 1, 0
        self.block(0)

    def rho(self, t: int) -> float:
        return math.sqrt(self.K / t) + self.K / t

    def block(self, n: int) -> None:
        self.n, self.first = n, self.t
        self.history: list[tuple[float, float]] = []
        self.runs: list[tuple[int, int, list[list[float]]]] = []
        for tau in range(2**n):
            chances = {m: self.rho(2**n) / self.rho(2**m) for m in range(n + 1) if tau % 2**m == 0}
            for m in checks_drawn(self.noise(self.t + tau - 1), chances):
                self.runs.append((m, self.t + tau, [[] for _ in range(self.K)]))

    def active(self) -> list[list[float]]:
        """Return the rewards by arm of the shortest scheduled run that covers the round."""
        running = [run for run in self.runs if run[1] <= self.t < run[1] + 2 ** run[0]]
        return min(running, key=lambda run: run[0])[2]

    def indices(self) -> list[float]:
        return [
            sum(x) / len(x) + math.sqrt(self.width / len(x)) if x else math.inf
            for x in self.active()
        ]

    def choose(self) -> int:
        return self.indices().index(max(self.indices()))

    def learn(self, arm: int, reward: float) -> None:
        self.history.append((min(1.0, max(self.indices())), reward))
        self.active()[arm].append(reward)
        if self.fails():
            self.t += 1
            self.restarts += 1
            self.block(0)
            return
        self.t += 1
        if self.t == self.first + 2**self.n:
            self.block(self.n + 1)

    def fails(self) -> bool:
        values, rewards = [g for g, _ in self.history], [x for _, x in self.history]
        for m, start, _ in self.runs:
            if start + 2**m - 1 == self.t:
                mean = sum(rewards[start - self.first :]) / 2**m
                if mean >= min(values) + 9.0 * self.factor * self.rho(2**m):
                    return True
        rounds = len(values)
        return (sum(values) - sum(rewards)) / rounds >= 3.0 * self.factor * self.rho(rounds)
