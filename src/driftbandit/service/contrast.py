"""What acting is worth against the holdout, at any time that somebody looks."""

from __future__ import annotations

import math

import msgspec

LEVEL = 0.05
TIGHTEST = 5_000
"""Decisions at which the interval is narrowest for what it says."""
RHO = (-2.0 * math.log(LEVEL) + math.log(-2.0 * math.log(LEVEL)) + 1.0) / TIGHTEST


class Contrast(msgspec.Struct):
    """The mean reward of decisions outside the holdout minus that inside, as each would be for all.

    A decision falls into the holdout with probability h, whatever the past. So
    z = (reward − baseline) · c has the difference as its mean, with c = 1/(1 − h) outside and −1/h
    inside, whatever number `baseline` was before the decision. The mean reward so far makes z
    small.
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    rewards: int = 0
    reward: float = 0.0

    @property
    def baseline(self) -> float:
        """The mean reward so far."""
        return self.reward / self.rewards if self.rewards else 0.0

    def add(self, reward: float, baseline: float, factor: float) -> None:
        """Take in the reward of a decision, with what was known when it was made."""
        self.rewards += 1
        self.reward += reward
        if factor:
            z = (reward - baseline) * factor
            self.count += 1
            self.total += z
            self.squares += z * z

    def interval(self) -> tuple[float, float, float] | None:
        """Return the difference and a 95 % interval; None before there are 100 decisions.

        It covers the mean difference at all times together, so that one may look as often as one
        likes. Asymptotic, from Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, *Time-uniform
        central limit theory and asymptotic confidence sequences*, with ρ² from `TIGHTEST`.

        >>> contrast = Contrast()
        >>> for number in range(1_000):
        ...     contrast.add(float(number % 2), 0.5, -2.0 if number % 4 == 0 else 2.0)
        >>> [round(value, 3) for value in contrast.interval()]
        [0.5, 0.409, 0.591]
        """
        n = self.count
        if n < 100:
            return None
        mean = self.total / n
        spread = math.sqrt(max(self.squares / n - mean * mean, 0.0))
        m = n * RHO
        half = spread * math.sqrt(2.0 * (m + 1.0) / (n * m) * math.log(math.sqrt(m + 1.0) / LEVEL))
        return mean, mean - half, mean + half
