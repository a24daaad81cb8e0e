"""What is learned of a log in one pass: its arms, its bad rows, its span and its propensities."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from driftbandit.logs.arms import Arms
from driftbandit.logs.reading.kinds import fitting
from driftbandit.logs.rows import Batch, Fault, Floats, Inspector, Terms, batch_of

if TYPE_CHECKING:
    import polars as pl

MOST_LISTED = 1_000
"""Bad rows that are listed one by one; all are counted."""

MOST_KEPT = 5_000_000
"""Good rows that are kept in memory, 40 bytes each; a longer log is read anew for every pass."""

OCTAVE = 32
"""Bins of propensities between one and the double of it."""


class BadRow(NamedTuple):
    """A bad row: its number in the source, its id if the log has ids, and what is wrong."""

    number: int
    id: str | None
    reason: str


class Gap(NamedTuple):
    """A stretch of time without a row: its seconds, and how many good rows lie before it."""

    width: float
    before: int


class Propensities:
    """How propensities are spread, in bins: a log may be too long to keep them.

    >>> spread = Propensities()
    >>> spread.add(np.array([0.5, 0.25, 0.5, math.nan]))
    >>> spread.quantile(0.0), spread.quantile(0.4)
    (0.25, 0.5)
    """

    def __init__(self) -> None:
        self._rows = 0
        self._bins: dict[int, tuple[int, float]] = {}  # how many, and the smallest

    def add(self, values: Floats) -> None:
        """Take in the propensities of some rows; those that are missing do not count."""
        p = values[~np.isnan(values)]
        bins = np.floor(OCTAVE * np.log2(p)).astype(np.int64)
        order = np.argsort(bins, kind="stable")
        places, firsts, counts = np.unique(bins[order], return_index=True, return_counts=True)
        if not len(places):
            return
        self._rows += len(p)
        smallest = np.minimum.reduceat(p[order], firsts)
        for place, count, least in zip(places.tolist(), counts, smallest, strict=True):
            before = self._bins.get(place, (0, math.inf))
            self._bins[place] = before[0] + int(count), min(before[1], float(least))

    def quantile(self, share: float) -> float:
        """Return a propensity that at most this share of the rows lies below; NaN for no rows."""
        below = 0
        for place in sorted(self._bins):
            count, smallest = self._bins[place]
            if below + count > share * self._rows:
                return smallest
            below += count
        return math.nan


@dataclasses.dataclass
class Survey:
    """What one pass over the rows has found."""

    arms: Arms
    rows: int = 0
    good: int = 0
    start: float = math.inf
    end: float = -math.inf
    reward_sum: float = 0.0
    coins: bool = True
    """Whether all rewards are 0 or the bound."""
    reasons: Counter[str] = dataclasses.field(default_factory=Counter)
    listed: list[BadRow] = dataclasses.field(default_factory=list)
    propensities: Propensities = dataclasses.field(default_factory=Propensities)
    played: set[int] = dataclasses.field(default_factory=set)
    """The codes of the arms that good rows play."""
    offered: set[int] = dataclasses.field(default_factory=set)
    """The codes of the sets of arms that were eligible in good rows."""
    widest: Gap | None = None
    """The widest gap between good rows."""
    kept: list[Batch] | None = dataclasses.field(default_factory=list)
    """The good rows, unless they are too many."""

    def add(self, batch: Batch, frame: pl.DataFrame, faults: list[Fault], bound: float) -> None:
        """Take in a batch and what is wrong with it."""
        bad = np.zeros(len(batch.time), dtype=np.bool_)
        for fault in faults:
            bad |= fault.mask
            self.reasons[fault.reason] += int(fault.mask.sum())
            room = MOST_LISTED - len(self.listed)
            for place in np.flatnonzero(fault.mask)[: max(room, 0)].tolist():
                id = str(frame["id"][place]) if "id" in frame.columns else None
                self.listed.append(BadRow(int(batch.number[place]), id, fault.reason))
        self.rows += len(batch.time)
        self._add_good(batch.where(~bad), bound)

    def _add_good(self, batch: Batch, bound: float) -> None:
        if not len(batch.time):
            return
        before = self.end if self.good else float(batch.time[0])
        gaps = np.diff(batch.time, prepend=before)
        place = int(gaps.argmax())
        if self.widest is None or gaps[place] > self.widest.width:
            self.widest = Gap(float(gaps[place]), self.good + place)
        self.played.update(np.unique(batch.arm).tolist())
        self.offered.update(np.unique(batch.eligible).tolist())
        self.good += len(batch.time)
        self.start = min(self.start, float(batch.time[0]))
        self.end = max(self.end, float(batch.time[-1]))
        self.reward_sum += float(batch.reward.sum())
        self.coins &= bool(((batch.reward == 0.0) | (batch.reward == bound)).all())
        self.propensities.add(batch.propensity)
        if self.kept is not None:
            self.kept.append(batch)
            if self.good > MOST_KEPT:
                self.kept = None


def looked_at(
    frames: Iterator[pl.DataFrame], arms: Arms, terms: Terms, inspector: Inspector
) -> Iterator[tuple[Batch, pl.DataFrame, list[Fault]]]:
    """Yield every batch of a source with what is wrong with it."""
    first = 1
    for frame in map(fitting, frames):
        batch = batch_of(frame, arms, terms, first)
        first += frame.height
        yield batch, frame, inspector.faults(batch, frame)
