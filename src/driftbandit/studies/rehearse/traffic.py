"""When decisions are asked for in one run, and when their rewards come."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.studies.rehearse.conditions import HOURS, Conditions

Array = NDArray[np.float64]

HOUR = 3600.0


class Delivery(NamedTuple):
    """A reward on its way: before which decision it comes, when, and of which decision."""

    before: int
    at: float
    decision: int


class Traffic(NamedTuple):
    """What happens in one run; decisions count from 0."""

    times: list[float]
    deliveries: list[Delivery]


def traffic_of(
    conditions: Conditions, decisions: int, seconds: float, seed: int, run: int
) -> Traffic:
    """Return the traffic of a run, the same for all policies; a round takes so many seconds."""
    rng = np.random.default_rng(random.sequence(seed, run))
    times = _times(conditions.arrivals, decisions, seconds, rng)
    rows = [_deliveries(conditions, times, rng.random(decisions) >= conditions.lost, rng)]
    if conditions.duplicated:
        again = rng.random(decisions) < conditions.duplicated
        rows.append(_deliveries(conditions, times, again, rng))
    before, at, decision = (np.concatenate(column) for column in zip(*rows, strict=True))
    order = np.lexsort((decision, at, before))
    order = order[before[order] < decisions]  # others come when all is over
    columns = (column[order].tolist() for column in (before, at, decision))
    return Traffic(times.tolist(), [Delivery(*row) for row in zip(*columns, strict=True)])


def _times(
    arrivals: tuple[float, ...], decisions: int, seconds: float, rng: np.random.Generator
) -> Array:
    """Return when decisions are asked for: evenly, or as a Poisson process with a daily rhythm."""
    if not arrivals:
        return seconds * np.arange(1.0, decisions + 1.0)
    rates = np.array(arrivals)
    ends = np.cumsum(rates)
    days, rest = np.divmod(np.cumsum(rng.exponential(size=decisions)), ends[-1])
    hour = np.minimum(np.searchsorted(ends, rest, side="right"), HOURS - 1)
    part = 1.0 - (ends[hour] - rest) / rates[hour]
    times: Array = HOUR * (HOURS * days + hour + part)
    return times


def _deliveries(
    conditions: Conditions, times: Array, comes: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[NDArray[np.int64], Array, NDArray[np.int64]]:
    """Return, for the decisions whose reward comes: before which decision, when, and which."""
    delays = conditions.delay.drawn(rng.random(len(times)))[comes]
    decision = np.flatnonzero(comes)
    if conditions.delay.in_seconds:
        at = times[decision] + delays
        before = np.maximum(np.searchsorted(times, at), decision + 1)
    else:
        before = decision + 1 + delays.astype(np.int64)
        at = times[np.minimum(before, len(times)) - 1]
    return before, at, decision
