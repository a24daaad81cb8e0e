"""The measurements that claims share: delays, shares of plays, comparisons of regret."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from driftbandit.studies.paper.claims.claim import Check, worst
from driftbandit.studies.paper.estimate import Estimate, excess, mean

if TYPE_CHECKING:
    from driftbandit.engine import Result

Runs = NDArray[np.float64]
"""One number per run."""

ALMOST = 0.15
"""The share by which regrets may differ and still be almost the same, or roughly optimal."""

BLOCK = 50
"""Rounds per block, to see in which block a policy has moved to the new best arm."""


def regret_at(result: Result, label: str, last: int) -> Runs:
    """Return the regret of each run up to and including round `last`, which is a checkpoint."""
    return np.asarray(result[label].regret[:, _place(result, last)], dtype=np.float64)


def delay(result: Result, label: str, change: int, last: int, gap: float) -> Runs:
    """Return the rounds after a breakpoint until each run mostly plays the new best arm.

    The rounds from `change` to `last` are cut into blocks. The delay ends with the first block that
    loses less than half of what the old best arm would lose. That arm is worse by `gap`, and the
    best of the others, so the new best arm has more than half of such a block. A run without such a
    block counts all rounds up to `last`: its delay is never too long, but may be too short.
    """
    edges = range(change - 1, last + 1, BLOCK)
    lost = np.diff([regret_at(result, label, edge) for edge in edges], axis=0)
    good = lost < gap * BLOCK / 2.0
    blocks = np.where(good.any(axis=0), good.argmax(axis=0) + 1, len(lost))
    return np.asarray(blocks * BLOCK, dtype=np.float64)


def share(result: Result, label: str, arm: int, after: int, last: int) -> Estimate:
    """Estimate the share of plays of an arm in rounds `after` + 1 to `last`.

    A result holds the means over runs of cumulative plays, but not their covariance. So the two
    standard errors are added, which makes the interval wider than necessary.
    """
    (early, early_error), (late, late_error) = (
        _plays(result, label, arm, edge) for edge in (after, last)
    )
    rounds = last - after
    error = (late_error + early_error) / rounds
    return Estimate.around((late - early) / rounds, error, result.runs)


def within(result: Result, discounted: str, both_sides: bool = False) -> list[Check]:
    """Check that D-UCB's regret exceeds SW-UCB's by less than the share `ALMOST`.

    With `both_sides`, it may not be lower by that share either.
    """
    lag = excess(result[discounted].final_regret, result["SW-UCB"].final_regret)
    lowest = -ALMOST if both_sides else -math.inf
    return [Check("D-UCB relative to SW-UCB", lag, "+.0%", above=lowest, below=ALMOST)]


def nearness(result: Result, discounted: str, both_sides: bool = False) -> list[Check]:
    """Check that D-UCB's regret lies nearer to SW-UCB's than to those of the other two policies.

    Nearer than to a policy O means on SW-UCB's side of the midpoint (S + O) / 2, so the mean of the
    paired values D − (S + O) / 2 must be negative. With `both_sides`, D may not lie further below S
    than the midpoint lies above S either.
    """
    d, s = result[discounted].final_regret, result["SW-UCB"].final_regret
    limits = []
    for other in ("EXP3.S", "UCB-1"):
        half = (result[other].final_regret - s) / 2.0
        name = f"D-UCB minus the midpoint of SW-UCB and {other}:"
        limits.append(Check(name, mean(d - s - half), "+.0f", below=0.0))
        if both_sides:
            name = f"the same midpoint with {other}, mirrored at SW-UCB, minus D-UCB:"
            limits.append(Check(name, mean(s - d - half), "+.0f", below=0.0))
    return worst(limits)


def smaller(result: Result, label: str, others: tuple[str, ...], where: str = "") -> list[Check]:
    """Check that a policy's final regret is smaller than that of each other, run by run."""
    return [
        Check(
            f"{where}{label} − {other}:",
            mean(result[label].final_regret - result[other].final_regret),
            "+.0f",
            below=0.0,
        )
        for other in others
    ]


def _plays(result: Result, label: str, arm: int, last: int) -> tuple[float, float]:
    """Return the mean plays of an arm up to round `last`, and their standard error."""
    if last == 0:
        return 0.0, 0.0
    outcome, place = result[label], _place(result, last)
    return last * outcome.play_share[place, arm], last * outcome.share_error[place, arm]


def _place(result: Result, time: int) -> int:
    place = int(np.searchsorted(result.times, time))
    if place == len(result.times) or result.times[place] != time:
        raise ValueError(f"round {time} is not a checkpoint")
    return place
