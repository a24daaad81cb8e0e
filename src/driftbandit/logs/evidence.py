"""The good rows of a log as estimators need them: numbered, cut into blocks of time, with rewards
of arms that earlier blocks predict, and with a propensity for every row."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.logs.absence import Places, Plays, absent_for_long
from driftbandit.logs.arms import NONE
from driftbandit.logs.rows import Batch, Floats

MOST_BLOCKS = 10_000
MOST_CELLS = 4_000_000
"""Blocks × arms, at most."""

PER_CELL = 30
"""Rows per window and arm, on average, where a model of the rewards is fitted."""

MOST_WINDOWS = 200

STRETCHES = 20
"""Stretches of time in which shares are compared with propensities."""

THIN = 0.05
"""The share of rows whose propensity may lie below the one that replay accepts by."""


MOST_STEPS = 100
NEARLY = 0.001
"""Steps towards estimated propensities, at most, and plays by which they may still be wrong."""


class Piece(NamedTuple):
    """Rows of a batch, and where they stand among all good rows, from 0."""

    rows: Batch
    places: Places


@dataclasses.dataclass(frozen=True)
class Tally:
    """Per window of time and arm: how many rows there are, their rewards and squared rewards."""

    counts: Floats
    sums: Floats
    squares: Floats

    @functools.cached_property
    def means(self) -> Floats:
        """Mean rewards; a window without rows takes its mean from the windows beside it."""
        return _interpolated(self.sums, self.counts)


class Calibration(NamedTuple):
    """Per stretch of time and arm: what says whether propensities agree with the plays."""

    inverse: Floats
    """Σ 1{arm} / p, whose mean is the number of rows in which the arm was eligible."""
    eligible: Floats
    variance: Floats
    """Σ 1{arm} (1 − p)/p²: of a row that plays the arm with probability p, 1{arm}/p has the
    variance 1/p − 1, which this estimates from the rows that played it."""
    square: Floats
    """The sum of the squares of these terms, which says how many plays the estimate rests on."""


@dataclasses.dataclass(frozen=True)
class Evidence:
    """A log that has been checked: how many rows, which arms, and its rows as often as needed."""

    size: int
    labels: list[Any]
    mask: NDArray[np.bool_]
    """Which arms are in which set of eligible ones."""
    bound: float
    coins: bool
    start: float
    end: float
    thinning: float
    """Replay accepts a row with this probability, over the propensity; 1/K under a uniform law."""
    least: float
    """The smallest propensity."""
    propensities: str
    """Where they come from: "logged" or "estimated"."""
    rows: Callable[[], Iterator[Batch]]

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.labels)

    @functools.cached_property
    def blocks(self) -> int:
        """How many blocks of neighbouring rows there are, about 4 √n."""
        most = min(MOST_BLOCKS, max(MOST_CELLS // self.arms, 2), self.size)
        return min(max(int(4.0 * math.sqrt(self.size)), 2), most)

    @functools.cached_property
    def windows(self) -> int:
        """How many windows of time a model has, each with enough rows for every arm."""
        return min(max(self.size // (PER_CELL * self.arms), 1), MOST_WINDOWS)

    def parts_of(self, places: Places, parts: int) -> Places:
        """Return in which of so many equal parts of the log the rows are."""
        return places * parts // self.size

    def pieces(self) -> Iterator[Piece]:
        """Yield all rows in order, each with a propensity."""
        first = 0
        for batch in self.rows():
            places = np.arange(first, first + len(batch.time))
            first += len(batch.time)
            rows = batch
            if self.propensities == "estimated":
                rows = batch._replace(propensity=self._estimated(batch, places))
            yield Piece(rows, places)

    def tally(self, parts: int) -> Tally:
        """Return counts and rewards per part of the log and arm."""
        totals = [np.zeros(parts * self.arms) for _ in range(3)]
        first = 0
        for batch in self.rows():
            places = np.arange(first, first + len(batch.time))
            first += len(batch.time)
            cells = self.parts_of(places, parts) * self.arms + batch.arm
            totals[0] += np.bincount(cells, minlength=parts * self.arms)
            totals[1] += np.bincount(cells, batch.reward, parts * self.arms)
            totals[2] += np.bincount(cells, batch.reward**2, parts * self.arms)
        return Tally(*(total.reshape(parts, self.arms) for total in totals))

    @functools.cached_property
    def by_block(self) -> Tally:
        """Return counts and rewards per block and arm."""
        return self.tally(self.blocks)

    @functools.cached_property
    def times(self) -> Floats:
        """Return the mean time of the rows of each block."""
        totals, counts = np.zeros(self.blocks), np.zeros(self.blocks)
        for piece in self.pieces():
            block = self.parts_of(piece.places, self.blocks)
            totals += np.bincount(block, piece.rows.time - self.start, self.blocks)
            counts += np.bincount(block, minlength=self.blocks)
        return self.start + totals / counts

    @functools.cached_property
    def calibration(self) -> Calibration:
        """Return how plays compare with their propensities."""
        parts = min(STRETCHES, self.size)
        cells = parts * self.arms
        inverse, variance, square = np.zeros(cells), np.zeros(cells), np.zeros(cells)
        sets = np.zeros((parts, len(self.mask) + 1))
        for piece in self.pieces():
            rows, part = piece.rows, self.parts_of(piece.places, parts)
            cell, p = part * self.arms + rows.arm, rows.propensity
            inverse += np.bincount(cell, 1.0 / p, cells)
            variance += np.bincount(cell, (1.0 - p) / p**2, cells)
            square += np.bincount(cell, ((1.0 - p) / p**2) ** 2, cells)
            np.add.at(sets, (part, rows.eligible + 1), 1.0)
        everybody = np.vstack([np.ones(self.arms), self.mask])
        shape = parts, self.arms
        return Calibration(
            inverse.reshape(shape), sets @ everybody, variance.reshape(shape),
            square.reshape(shape),
        )  # fmt: skip

    @functools.cached_property
    def by_window(self) -> Tally:
        """Return counts and rewards per window and arm."""
        return self.tally(self.windows)

    @functools.cached_property
    def offered(self) -> Floats:
        """Return the share of the rows of each set of eligible arms; the last is all arms."""
        counts = np.zeros(len(self.mask) + 1)
        for batch in self.rows():
            counts += np.bincount(batch.eligible % len(counts), minlength=len(counts))
        return counts / self.size

    @property
    def restricted(self) -> bool:
        """Whether some arms were not eligible in some rows."""
        return not self.mask[self.offered[:-1] > 0.0].all()

    @functools.cached_property
    def untried(self) -> NDArray[np.bool_]:
        """Return which arms stand in no row."""
        nobody: NDArray[np.bool_] = self.by_window.counts.sum(axis=0) == 0.0
        return nobody

    @functools.cached_property
    def absent_for_long(self) -> NDArray[np.bool_]:
        """Return which arms the log lacks for so long that estimated propensities are wrong."""
        return absent_for_long(self.by_window.counts, self._offers @ self._everybody, self._plays())

    def most_played(self, most: int) -> list[int]:
        """Return the arms that were played most, so many at most, in their own order."""
        counts = self.by_window.counts.sum(axis=0)
        return sorted(np.argsort(-counts, kind="stable")[:most].tolist())

    @functools.cached_property
    def predicted(self) -> Floats:
        """Per block and arm, the mean reward that the blocks before it predict.

        It is an average that fades by block, so that it follows drift, and one row of the mean of
        all arms. What is predicted depends on earlier rows alone: with it, doubly robust terms are
        unbiased row by row, whatever happened before.
        """
        fading = 1.0 - 1.0 / max(10.0, self.blocks / 20.0)
        counts, sums = np.zeros(self.arms), np.zeros(self.arms)
        predicted = np.empty((self.blocks, self.arms))
        for block in range(self.blocks):
            total = counts.sum()
            overall = sums.sum() / total if total > 0.0 else 0.0  # a bound may be loose: no guess
            predicted[block] = (sums + overall) / (counts + 1.0)
            counts = fading * counts + self.by_block.counts[block]
            sums = fading * sums + self.by_block.sums[block]
        return predicted

    def _plays(self) -> Plays:
        """Yield which arms rows play, and where they stand among the rows that could play them."""
        first, earlier = 0, np.zeros(self.arms)
        for batch in self.rows():
            if not self.restricted:
                yield np.arange(first, first + len(batch.arm)), batch.arm
                first += len(batch.arm)
                continue
            places = np.empty(len(batch.arm), dtype=np.int64)
            for arm in range(self.arms):
                counted = earlier[arm] + np.cumsum(self._everybody[batch.eligible + 1, arm])
                own = batch.arm == arm
                places[own] = counted[own] - 1.0
                earlier[arm] = counted[-1]
            yield places, batch.arm

    def _estimated(self, batch: Batch, places: Places) -> Floats:
        """Return how often an arm was played in the row's window, among those eligible."""
        rates = self._rates[self.parts_of(places, len(self._rates))]
        chosen = rates[np.arange(len(places)), batch.arm]
        among = np.where(batch.eligible == NONE, rates.sum(axis=1), 0.0)
        for each in np.unique(batch.eligible[batch.eligible != NONE]):
            rows = batch.eligible == each
            among[rows] = rates[rows] @ self.mask[each]
        estimated: Floats = chosen / among
        return estimated

    @functools.cached_property
    def _everybody(self) -> Floats:
        """Return which arms are in which set, as 0 and 1; the first row, of −1, has all."""
        return np.vstack([np.ones(self.arms), self.mask])

    @functools.cached_property
    def _offers(self) -> Floats:
        """Return the rows per window and set of eligible arms, in the order of `_everybody`."""
        windows, first = self.windows, 0
        rows = np.zeros((windows, len(self.mask) + 1))
        for batch in self.rows():
            places = np.arange(first, first + len(batch.time))
            first += len(batch.time)
            np.add.at(rows, (self.parts_of(places, windows), batch.eligible + 1), 1.0)
        return rows

    @functools.cached_property
    def _rates(self) -> Floats:
        """Per window and arm: how likely it is played, up to a factor that all eligible ones share.

        Where all arms are always eligible, plays by rows. Elsewhere they are those of largest
        likelihood (Luce's model): every arm is as often expected as it was played.
        """
        counts, eligible, everybody = self.by_window.counts, self._offers, self._everybody
        rates: Floats = counts / np.maximum(eligible @ everybody, 1.0)
        for _ in range(MOST_STEPS if self.restricted else 0):
            among = rates @ everybody.T
            rows_per_rate = np.divide(eligible, among, np.zeros_like(among), where=among > 0.0)
            expected = rows_per_rate @ everybody
            if np.abs(rates * expected - counts).max() < NEARLY:
                break
            rates = np.divide(counts, expected, np.zeros_like(counts), where=expected > 0.0)
            rates /= rates.max(axis=1, keepdims=True)
        return rates


def _interpolated(sums: Floats, counts: Floats) -> Floats:
    """Return sums by counts; where a count is 0, on a line between the nearest that are not."""
    means: Floats = np.full(sums.shape, math.nan)
    np.divide(sums, counts, out=means, where=counts > 0.0)
    places = np.arange(len(sums), dtype=np.float64)
    for arm in range(sums.shape[1]):
        known = counts[:, arm] > 0.0
        if known.any() and not known.all():
            means[:, arm] = np.interp(places, places[known], means[known, arm])
    return means
