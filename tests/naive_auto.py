"""Auto, the slow way: an arm is a list of buckets, and every round looks at everything."""

from __future__ import annotations

import dataclasses
import math

TINY = 1e-12


def kl(p: float, q: float) -> float:
    p, q = min(max(p, 0.0), 1.0), min(max(q, TINY), 1.0 - TINY)
    if p == q:
        return 0.0
    ones = p * math.log(p / q) if p > 0.0 else 0.0
    return ones + ((1.0 - p) * math.log((1.0 - p) / (1.0 - q)) if p < 1.0 else 0.0)


@dataclasses.dataclass
class Bucket:
    """Consecutive plays of an arm: how many, faded plays and rewards, rounds waited before each."""

    size: int
    plays: float
    rewards: float
    gap: float


@dataclasses.dataclass
class Arm:
    """An arm: its buckets, oldest first; the last play; plays until the next test; of a look the
    evidence, the mean before and the plays left; Σ (x − mean)² and Σ x (1 − x)."""

    buckets: list[Bucket] = dataclasses.field(default_factory=list)
    last: int = 0
    wait: int = 0
    watch: float = 0.0
    was: float = 0.0
    left: float = 0.0
    squares: float = 0.0
    mixed: float = 0.0

    @property
    def sharpness(self) -> float:
        """For how many coins a reward counts."""
        return 1.0 + self.mixed / (1.0 + self.squares)

    @property
    def count(self) -> float:
        return sum(bucket.plays for bucket in self.buckets)

    @property
    def mean(self) -> float:
        return sum(bucket.rewards for bucket in self.buckets) / self.count

    def add(self, reward: float, gap: float) -> None:
        self.buckets.append(Bucket(1, 1.0, reward, gap))
        size = 1
        while [bucket.size for bucket in self.buckets].count(size) > 4:
            at = [bucket.size for bucket in self.buckets].index(size)
            old, new = self.buckets[at : at + 2]
            self.buckets[at : at + 2] = [
                Bucket(
                    2 * size, old.plays + new.plays, old.rewards + new.rewards, old.gap + new.gap
                )
            ]
            size *= 2


class Auto:
    """The policy as its docstring tells it."""

    def __init__(self, arms: int, vigilance: float = 0.2) -> None:
        self.vigilance = vigilance
        self.arms = [Arm() for _ in range(arms)]
        self.t, self.rises, self.falls = 0, 0, 0

    def fading(self, t: int, idle: int) -> float:
        rate = (2.0 / len(self.arms)) ** 0.25 * (self.rises + 0.5 * self.falls) / t
        rate *= 2.0 if self.vigilance else 1.0
        return math.exp(-rate * (idle - 1))

    def leader(self) -> int | None:
        if any(not arm.buckets for arm in self.arms):
            return None
        means = [arm.mean for arm in self.arms]
        return means.index(max(means))

    def choose(self) -> int:
        t, leader = self.t + 1, self.leader()
        if leader is None:
            return [bool(arm.buckets) for arm in self.arms].index(False)
        best = self.arms[leader].mean
        indices, needs = [], {}
        for k, arm in enumerate(self.arms):
            count = arm.count * self.fading(t, t - arm.last)
            far = arm.sharpness * kl(arm.mean, best)
            indices.append(count * far + (0.6 if self.vigilance else 1.0) * math.log(count))
            need = math.inf if arm.watch > 0.0 else self.due(arm, best, t)
            if k != leader and need >= 1.0:
                needs[k] = need
        chosen = indices.index(min(indices))
        most = max(needs.values(), default=0.0)
        if needs and (chosen == leader or most >= 4.0):
            return max(k for k in needs if needs[k] == most)
        return chosen

    def due(self, arm: Arm, best: float, t: int) -> float:
        """The square of the rounds without a play, over that after which the arm is looked at."""
        room, idle = 1.0 - best, t - arm.last
        if room <= 0.0 or self.vigilance == 0.0:
            return 0.0
        cost = max(best - arm.mean, 0.1 * room)
        return (self.vigilance * idle) ** 2 * room / (len(self.arms) * t * cost)

    def look(self, arm: Arm, best: float, reward: float) -> None:
        good = min(best + 0.15 * (1.0 - best), 1.0 - TINY)
        if arm.watch == 0.0:
            if self.due(arm, best, self.t) < 1.0:
                return
            arm.was = (arm.mean * arm.count + 0.5) / (arm.count + 1.0)
            arm.left = arm.count
        arm.left -= 1.0
        if good <= arm.was or arm.left < 0.0:
            arm.watch = 0.0
            return
        ones, zeros = math.log(good / arm.was), math.log((1.0 - good) / (1.0 - arm.was))
        ratio = reward * ones + (1.0 - reward) * zeros
        arm.watch = max(arm.watch + arm.sharpness * ratio, 0.0)

    def learn(self, k: int, reward: float) -> None:
        self.t += 1
        leader, arm = self.leader(), self.arms[k]
        best = None if leader in (None, k) else self.arms[leader or 0].mean
        idle, factor = self.t - arm.last, self.fading(self.t, self.t - arm.last)
        if best is not None:
            self.look(arm, best, reward)
        else:
            arm.watch = 0.0
        if arm.buckets:
            arm.squares += (reward - arm.mean) ** 2
            arm.mixed += reward * (1.0 - reward)
        for bucket in arm.buckets:
            bucket.plays *= factor
            bucket.rewards *= factor
        arm.add(reward, idle)
        arm.last = self.t
        arm.wait -= 1
        if best is not None or arm.wait < 0:
            arm.wait = min(math.floor(arm.count / 64.0), 15)
            self.judge(arm)

    def judge(self, arm: Arm) -> None:
        """Try every border."""
        rate, whole = (0.1 + self.rises + self.falls) / self.t, arm.mean
        odds: dict[int, float] = {}
        up: dict[int, bool] = {}
        ratios: dict[int, float] = {}
        for border in range(1, len(arm.buckets)):
            before, after = arm.buckets[:border], arm.buckets[border:]
            m, n = (sum(bucket.plays for bucket in part) for part in (before, after))
            if m <= 1e-9 * arm.count:
                continue
            r, s = (sum(bucket.rewards for bucket in part) for part in (before, after))
            ratio = arm.sharpness * (m * kl(r / m, whole) + n * kl(s / n, whole))
            gap = after[0].gap
            odds[border] = ratio - 0.5 * math.log(n + 1.0) + math.log(rate * gap)
            up[border], ratios[border] = s / n > r / m, ratio
        sure = {border: value for border, value in odds.items() if value > 4.0}
        if sure:
            most = max(sure, key=sure.__getitem__)
            arm.buckets, arm.wait, arm.watch = arm.buckets[most:], 0, 0.0
            for bucket in arm.buckets:
                bucket.plays *= min(1.0, odds[most] / ratios[most])
                bucket.rewards *= min(1.0, odds[most] / ratios[most])
            self.rises += up[most]
            self.falls += not up[most]
