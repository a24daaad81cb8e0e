"""What acting is worth against the holdout, at any time that somebody looks."""

from __future__ import annotations

import math
from typing import Any

import msgspec

LEVEL = 0.05
TIGHTEST = 5_000
"""Decisions at which the interval is narrowest for what it says."""
RHO = (-2.0 * math.log(LEVEL) + math.log(-2.0 * math.log(LEVEL)) + 1.0) / TIGHTEST
FEWEST = 100
"""Decisions without which there is no interval."""


class Tally(msgspec.Struct):
    """Sums over decisions that have ended: rewards, and what `Contrast` calls z."""

    count: int = 0
    reward: float = 0.0
    total: float = 0.0
    squares: float = 0.0

    def add(self, other: Tally) -> None:
        """Add those of other decisions."""
        self.count += other.count
        self.reward += other.reward
        self.total += other.total
        self.squares += other.squares


class Waiting(msgspec.Struct):
    """A decision that has not ended, and the sums over those after it, up to the next such one."""

    factor: float
    baseline: float
    after: Tally
    before: str | None = None
    next: str | None = None


class Contrast:
    """The mean reward of decisions outside the holdout minus that inside, as each would be for all.

    A decision falls into the holdout with probability h, whatever the past. So
    z = (reward − baseline) · c has the difference as its mean, with c = 1/(1 − h) outside and −1/h
    inside, whatever number `baseline` was before the decision. The mean reward so far makes z
    small.

    Decisions count in the order in which they were made, up to the first that may still get a
    reward: those that have got one early are not like the others, since clicks come at once and
    their absence shows late. A decision that ends without any reward is left out, so without a
    default reward this compares those that were rewarded.
    """

    def __init__(self) -> None:
        self.ended = Tally()
        self.waiting: dict[str, Waiting] = {}
        self._last: str | None = None

    def begin(self, id: str, holdout: float, held: bool) -> None:
        """Wait for the end of a decision that fell into the holdout or not."""
        factor = -1.0 / holdout if held else 1.0 / (1.0 - holdout)
        mean = self.ended.reward / self.ended.count if self.ended.count else 0.0
        self._link(id, Waiting(factor, mean, Tally()))

    def _link(self, id: str, waiting: Waiting) -> None:
        waiting.before = self._last
        if self._last is not None:
            self.waiting[self._last].next = id
        self.waiting[id], self._last = waiting, id

    def end(self, id: str, reward: float | None) -> None:
        """Take in the end of a decision, and its reward if it has one."""
        this = self.waiting.pop(id, None)
        if this is None:  # made before the last change
            return
        sums = self.ended if this.before is None else self.waiting[this.before].after
        if reward is not None:
            z = (reward - this.baseline) * this.factor
            sums.add(Tally(1, reward, z, z * z))
        sums.add(this.after)
        if this.before is not None:
            self.waiting[this.before].next = this.next
        if this.next is not None:
            self.waiting[this.next].before = this.before
        else:
            self._last = this.before

    def interval(self) -> tuple[float, float, float] | None:
        """Return the difference and a 95 % interval; None before there are 100 decisions.

        It covers the mean difference at all times together, so that one may look as often as one
        likes. Asymptotic, from Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, *Time-uniform
        central limit theory and asymptotic confidence sequences*, with ρ² from `TIGHTEST`.

        >>> contrast = Contrast()
        >>> for number in range(1_000):
        ...     contrast.begin("id", 0.25, held=number % 4 == 0)
        ...     contrast.end("id", float(number % 4 > 1))
        >>> [round(value, 3) for value in contrast.interval()]
        [0.67, 0.571, 0.768]
        """
        n = self.ended.count
        if n < FEWEST:
            return None
        mean = self.ended.total / n
        spread = math.sqrt(max(self.ended.squares / n - mean * mean, 0.0))
        m = n * RHO
        half = spread * math.sqrt(2.0 * (m + 1.0) / (n * m) * math.log(math.sqrt(m + 1.0) / LEVEL))
        return mean, mean - half, mean + half

    def dump(self) -> list[Any]:
        """Return all as plain data."""
        rows = [
            [id, each.factor, each.baseline, msgspec.to_builtins(each.after)]
            for id, each in self.waiting.items()
        ]
        return [msgspec.to_builtins(self.ended), rows]

    @classmethod
    def load(cls, state: list[Any]) -> Contrast:
        """Return the contrast of plain data."""
        self = cls()
        self.ended = msgspec.convert(state[0], Tally)
        for id, factor, baseline, after in state[1]:
            self._link(id, Waiting(factor, baseline, msgspec.convert(after, Tally)))
        return self
