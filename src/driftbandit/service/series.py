"""Decisions and rewards over time, in bins: coarser ones the further they reach back."""

from __future__ import annotations

from collections.abc import Callable
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


class Sums(msgspec.Struct):
    """Of one arm in one bin: decisions, and number, sum and sum of squares of rewards."""

    decisions: int = 0
    rewards: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, other: Sums) -> None:
        """Add those of another bin."""
        self.decisions += other.decisions
        self.rewards += other.rewards
        self.total += other.total
        self.squares += other.squares


class Bin(msgspec.Struct):
    """What happened from `start` on, and how many plays were remembered in the end."""

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

    >>> series = Series()
    >>> series.sums(100.0, "red", lambda: 8.0).decisions += 1
    >>> series.sums(161.0, "red", lambda: 9.0).decisions += 1
    >>> [(each.start, each.arms["red"].decisions, each.remembered) for each in series.bins("hour")]
    [(90.0, 1, 9.0), (150.0, 1, None)]
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.levels: list[list[Bin]] = [[] for _ in WIDTHS]
        self._end = 0.0

    def sums(self, at: float, arm: str, remembered: Callable[[], float | None]) -> Sums:
        """Return what to count an arm's events in; `remembered` is asked when a bin is over."""
        name = self.names.get(arm)
        if name is None:
            many = len(self.names) < MOST_ARMS
            name = self.names[arm] = arm if many else OTHERS
        if at >= self._end:
            self._begin(at, remembered)
        arms = self.levels[0][-1].arms
        sums = arms.get(name)
        if sums is None:
            sums = arms[name] = Sums()
        return sums

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
