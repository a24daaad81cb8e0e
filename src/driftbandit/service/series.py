"""Decisions and rewards over time, in bins: coarser ones the further they reach back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import msgspec

SPANS = {"minutes": 2.0, "hour": 30.0, "day": 600.0, "month": 14_400.0, "all": 345_600.0}
"""Seconds of a bin, by what the bins reach back to."""
KEPT = 150
"""Bins of each width."""
MOST_ARMS = 24
OTHERS = "other arms"
"""What the arms beyond the first ones are counted as."""
WIDTHS = tuple(SPANS.values())
_start = attrgetter("start")


class Sums(msgspec.Struct):
    """Of one arm in one bin: decisions, those that have ended, and what they got.

    `rewards` is how many got a reward, with its sum and sum of squares.
    """

    decisions: int = 0
    ended: int = 0
    rewards: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, other: Sums) -> None:
        """Add those of another bin."""
        self.decisions += other.decisions
        self.ended += other.ended
        self.rewards += other.rewards
        self.total += other.total
        self.squares += other.squares

    def end(self, reward: float | None) -> None:
        """Count the end of a decision, with its reward if it got one."""
        self.ended += 1
        if reward is not None:
            self.rewards += 1
            self.total += reward
            self.squares += reward * reward


class Bin(msgspec.Struct):
    """What was decided from `start` on, and how many plays were remembered in the end."""

    start: float
    arms: dict[str, Sums]
    remembered: float | None = None

    def add(self, other: Bin) -> None:
        """Add a later bin."""
        for arm, sums in other.arms.items():
            self.arms.setdefault(arm, Sums()).add(sums)
        self.remembered = other.remembered


class Series:
    """Bins of every width. What is finest is counted; a bin that is over is added to a coarser one.

    Rewards are counted where their decisions are.

    >>> series = Series()
    >>> for at in (100.0, 161.0):
    ...     series.decided(at, "red", lambda: 8.0)
    >>> series.ended(100.0, "red", 1.0)
    >>> [(each.start, each.arms["red"].total, each.remembered) for each in series.bins("hour")]
    [(90.0, 1.0, 8.0), (150.0, 0.0, None)]
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.levels: list[list[Bin]] = [[] for _ in WIDTHS]
        self._end = 0.0

    def decided(self, at: float, arm: str, remembered: Callable[[], float | None]) -> None:
        """Count a decision of now; `remembered` is asked when a bin is over."""
        name = self.names.get(arm)
        if name is None:
            many = len(self.names) < MOST_ARMS
            name = self.names[arm] = arm if many else OTHERS
        if at >= self._end:
            self._begin(at, remembered)
        _sums(self.levels[0][-1], name).decisions += 1

    def ended(self, at: float, arm: str, reward: float | None) -> None:
        """Count the end of a decision that was counted at a time."""
        name = self.names[arm]
        for bin in self._with(at):
            _sums(bin, name).end(reward)

    def _with(self, at: float) -> Iterator[Bin]:
        """Yield the bins of all widths that a time was counted in: a last one is in none yet."""
        for bins, width in zip(self.levels, WIDTHS, strict=True):
            if at >= bins[-1].start:
                yield bins[-1]
                return
            place = bisect_right(bins, at, key=_start) - 1
            if place >= 0 and at < bins[place].start + width:
                yield bins[place]

    def _begin(self, at: float, remembered: Callable[[], float | None]) -> None:
        finest, start = self.levels[0], at // WIDTHS[0] * WIDTHS[0]
        if finest:
            finest[-1].remembered = remembered()
        self._put(0, Bin(start, {}))
        self._end = start + WIDTHS[0]

    def _put(self, level: int, bin: Bin) -> None:
        """Add a bin to one of this level; the one before, if it is over, to a coarser one."""
        bins, start = self.levels[level], bin.start // WIDTHS[level] * WIDTHS[level]
        if not bins or bins[-1].start < start:
            if bins and level + 1 < len(WIDTHS):
                self._put(level + 1, bins[-1])
            bins.append(Bin(start, {}))
            del bins[:-KEPT]
        bins[-1].add(bin)

    def bins(self, span: str) -> list[Bin]:
        """Return the bins of one width, what is not over included; they are not to be changed."""
        level = list(SPANS).index(span)
        whole = Series()
        whole.levels[level] = [*self.levels[level][:-1]]
        last = [bins[-1] for bins in self.levels[level::-1] if bins]
        for bin in last:
            whole._put(level, bin)
        return whole.levels[level]

    def dump(self) -> dict[str, Any]:
        """Return all as plain data."""
        return {"names": self.names, "levels": msgspec.to_builtins(self.levels)}

    @classmethod
    def load(cls, state: dict[str, Any]) -> Series:
        """Return the series of plain data."""
        self = cls()
        self.names = dict(state["names"])
        self.levels = msgspec.convert(state["levels"], list[list[Bin]])
        if self.levels[0]:
            self._end = self.levels[0][-1].start + WIDTHS[0]
        return self


def _sums(bin: Bin, name: str) -> Sums:
    """Return what an arm is counted in."""
    sums = bin.arms.get(name)
    if sums is None:
        sums = bin.arms[name] = Sums()
    return sums
