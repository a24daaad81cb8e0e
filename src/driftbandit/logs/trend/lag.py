"""How far a memory lags behind what a log shows of now."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from driftbandit.logs.estimates.weighting import Recent
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.rows import Floats
from driftbandit.logs.world import FittedWorld

SURE = 0.7
"""The share of possible worlds that must agree on the side to which a memory is off."""

TOLERATED = 1.0 / 3.0
"""A lag of this share of half an interval leaves about 90 % of 95 %."""


class Lag(NamedTuple):
    """What a policy earned over a memory, and at the end of the log, by the fitted world."""

    policy: str
    over: float
    now: float


def lag_of(
    policy: str, shares: Floats, half: float, recent: Recent, world: FittedWorld, evidence: Evidence
) -> Lag | None:
    """Return by how much the memory is off, where that is more than its interval allows for.

    `shares` are those of a fixed policy, `half` is half its interval. With the mean rewards m of
    the possible worlds and the weights α of the memory, the lag is Σ α m / Σ α − m(end).
    """
    draws = world.draws @ shares
    ends = np.append(world.starts[1:], evidence.end)
    weights = recent.weights(0.5 * (world.starts + ends)) * world.tally.counts.sum(axis=1)
    if not weights.any():
        weights[-1] = 1.0
    over, now = draws @ weights / weights.sum(), draws[:, -1]
    apart = over - now
    one_side = max(float((apart > 0.0).mean()), float((apart < 0.0).mean()))
    if one_side < SURE or abs(float(np.median(apart))) <= TOLERATED * half:
        return None
    return Lag(policy, float(over.mean()), float(now.mean()))
