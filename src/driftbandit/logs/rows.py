"""Rows of a log as plain arrays, and what is wrong with each of them."""

from __future__ import annotations

import dataclasses
import math
import zoneinfo
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import SMALLEST
from driftbandit.core.errors import one_of, plain, real, require
from driftbandit.logs.arms import NONE, Arms, Codes
from driftbandit.logs.reading.moments import UNITS, seconds

if TYPE_CHECKING:
    import polars as pl

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Batch(NamedTuple):
    """Rows one after the other, a place in each array for each of them."""

    number: NDArray[np.int64]
    """Which row of the source it is, from 1."""
    time: Floats
    arm: Codes
    reward: Floats
    propensity: Floats
    """NaN where the log has none."""
    eligible: Codes
    """The set of arms that were eligible; −1 for all of them."""

    def where(self, mask: Mask) -> Batch:
        """Return some of the rows."""
        return Batch(
            self.number[mask],
            self.time[mask],
            self.arm[mask],
            self.reward[mask],
            self.propensity[mask],
            self.eligible[mask],
        )


def places_by_arm(codes: Codes, arms: int) -> list[NDArray[np.int64]]:
    """Return the places of each arm, in their order; rows are gone through once, not per arm.

    >>> [places.tolist() for places in places_by_arm(np.array([2, 0, 2], dtype=np.int32), 3)]
    [[1], [], [0, 2]]
    """
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=arms))
    return np.split(order, ends[:-1])


class Fault(NamedTuple):
    """Something wrong with some rows of a batch."""

    reason: str
    mask: Mask


@dataclasses.dataclass(frozen=True)
class Terms:
    """How rows are read: the unit and zone of times, the bound of rewards, the default reward."""

    unit: str
    zone: str | None
    bound: float
    default_reward: float | None

    @staticmethod
    def checked(bound: float, unit: str, zone: str | None, default_reward: float | None) -> Terms:
        """Return the terms, or raise where one is not allowed."""
        top = real("bound", bound, "[1e-50, 1e+50]")  # fourth powers of rewards are numbers, too
        if zone is not None:
            known = isinstance(zone, str) and zone in zoneinfo.available_timezones()
            require(known, "zone", zone, "be a time zone such as 'UTC' or 'Europe/Berlin'")
        if default_reward is not None:
            default_reward = real("default_reward", default_reward, f"[0, {top}]")
        return Terms(one_of("unit", unit, UNITS), zone, top, default_reward)


def batch_of(frame: pl.DataFrame, arms: Arms, terms: Terms, first: int) -> Batch:
    """Return the rows as arrays; `first` is the number of the first of them."""
    size = frame.height
    nothing = np.full(size, math.nan)
    names = frame.columns
    reward = numbers(frame["reward"])
    if terms.default_reward is not None:
        reward = np.where(_missing(frame["reward"]), terms.default_reward, reward)
    return Batch(
        np.arange(first, first + size),
        _floats(seconds(frame["time"], terms.unit, terms.zone)),
        arms.codes(frame["arm"]),
        reward,
        numbers(frame["propensity"]) if "propensity" in names else nothing,
        arms.sets(frame["eligible"]) if "eligible" in names else np.full(size, NONE, np.int32),
    )


def _missing(values: pl.Series) -> Mask:
    """Return where nothing stands: null, NaN, or an empty text."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    missing = values.is_null()
    if values.dtype.is_float():
        missing = missing | values.is_nan().fill_null(False)
    if values.dtype == pl.String:
        missing = missing | values.str.strip_chars().str.to_lowercase().is_in(["", "nan"])
    return missing.fill_null(True).to_numpy()


def numbers(values: pl.Series) -> Floats:
    """Return a column as numbers, NaN for what is none; true and false, or t and f, are 1 and 0."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    if values.dtype == pl.String:
        texts = values.str.strip_chars()
        clicks = texts.str.to_lowercase().replace_strict(
            {"true": 1.0, "t": 1.0, "false": 0.0, "f": 0.0}, default=None, return_dtype=pl.Float64
        )
        parsed = texts.cast(pl.Float64, strict=False)
        return _floats(pl.select(pl.coalesce(parsed, clicks)).to_series())
    return _floats(values.cast(pl.Float64, strict=False))


def _floats(values: pl.Series) -> Floats:
    return np.array(values.fill_null(math.nan).to_numpy(), dtype=np.float64)


class Inspector:
    """Looks at one batch after the other and says which rows are bad, and why."""

    def __init__(self, terms: Terms, arms: Arms, repeated: set[str]) -> None:
        self._terms, self._arms, self._repeated = terms, arms, repeated
        self._seen: set[str] = set()
        self.latest = -math.inf

    def faults(self, batch: Batch, frame: pl.DataFrame) -> list[Fault]:
        """Return what is wrong with a batch; a row may stand in several faults."""
        reward, bound = batch.reward, self._terms.bound
        filled = self._terms.default_reward is not None
        no_number = "reward is no number" if filled else "reward is missing or no number"
        faults = [
            Fault("time is missing or cannot be read", ~np.isfinite(batch.time)),
            Fault("arm is missing", batch.arm == NONE),
            Fault(no_number, np.isnan(reward)),
            Fault(f"reward is outside of [0, {plain(bound)}]", (reward < 0.0) | (reward > bound)),
        ]
        names = frame.columns
        if "propensity" in names:
            p = batch.propensity
            faults.append(Fault("propensity is missing or no number", np.isnan(p)))
            faults.append(Fault("propensity is outside of (0, 1]", (p < SMALLEST) | (p > 1.0)))
        if "eligible" in names:
            faults += self._ineligible(batch)
        if "reward_time" in names:
            later = _floats(seconds(frame["reward_time"], self._terms.unit, self._terms.zone))
            faults.append(Fault("reward comes before its decision", later < batch.time))
        if self._repeated:
            faults.append(Fault("id stands in an earlier row", self._again(frame["id"])))
        faults.append(Fault("time goes backwards", self._backwards(batch.time)))
        return [fault for fault in faults if fault.mask.any()]

    def _ineligible(self, batch: Batch) -> list[Fault]:
        mask, known = self._arms.mask(), (batch.eligible != NONE) & (batch.arm != NONE)
        allowed = np.ones(len(batch.arm), dtype=np.bool_)
        if known.any():
            allowed[known] = mask[batch.eligible[known], batch.arm[known]]
        return [
            Fault("eligible arms are missing or cannot be read", batch.eligible == NONE),
            Fault("arm is not eligible", ~allowed),
        ]

    def _again(self, ids: pl.Series) -> Mask:
        """Return which ids stand in an earlier row, among those that stand more than once."""
        again = np.zeros(len(ids), dtype=np.bool_)
        texts = ids.cast(str, strict=False)
        for place in np.flatnonzero(texts.is_in(list(self._repeated)).fill_null(False).to_numpy()):
            text = texts[int(place)]
            again[place] = text in self._seen
            self._seen.add(text)
        return again

    def _backwards(self, time: Floats) -> Mask:
        """Return which times lie before one that stands above them."""
        known = np.where(np.isfinite(time), time, -math.inf)
        latest = np.maximum.accumulate(np.concatenate([[self.latest], known]))
        self.latest = float(latest[-1])
        backwards: Mask = np.isfinite(time) & (time < latest[:-1])
        return backwards
