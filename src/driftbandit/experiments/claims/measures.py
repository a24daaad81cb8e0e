"""What the claims are measured by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from driftbandit.experiments.claims.claim import Check
from driftbandit.experiments.estimate import Estimate, excess, mean

if TYPE_CHECKING:
    from driftbandit.engine import Result

Runs = NDArray[np.float64]
"""One number for each run."""

BLOCK = 50
"""Rounds over which a policy is watched to see whether it has gone over to the new best arm."""


def regret_at(result: Result, label: str, last: int) -> Runs:
    """Return the regret of each run up to and including round `last`, which is a checkpoint."""
    return np.asarray(result[label].regret[:, _place(result, last)], dtype=np.float64)


def delay(result: Result, label: str, change: int, last: int, gap: float) -> Runs:
    """Return how many rounds after a breakpoint each run plays the new best arm most of the time.

    The rounds from `change` to `last` are cut into blocks. The delay ends with the first block
    that loses less than half of what the old best arm, worse by `gap` and the least bad of the
    others, would lose: the new best arm then had more than half of the block. A run without such
    a block is given all rounds up to `last`: its delay is counted too short, never too long.
    """
    edges = range(change - 1, last + 1, BLOCK)
    lost = np.diff([regret_at(result, label, edge) for edge in edges], axis=0)
    found = lost < gap * BLOCK / 2.0
    blocks = np.where(found.any(axis=0), found.argmax(axis=0) + 1, len(lost))
    return np.asarray(blocks * BLOCK, dtype=np.float64)


def share(result: Result, label: str, arm: int, after: int, last: int) -> Estimate:
    """Estimate the share of rounds `after` + 1 to `last` played on an arm.

    Only the means over runs of the cumulative plays are kept, not their covariance, so the two
    standard errors are added, which makes the interval wider than it need be.
    """
    outcome = result[label]
    first, second = (_place(result, edge) for edge in (after, last))
    plays = last * outcome.play_share[second, arm] - after * outcome.play_share[first, arm]
    error = last * outcome.share_error[second, arm] + after * outcome.share_error[first, arm]
    return Estimate.around(plays / (last - after), error / (last - after))


def nearness(result: Result, discounted: str, both_sides: bool) -> list[Check]:
    """Check that D-UCB's regret lies nearer to SW-UCB's than to those of the other two policies.

    Nearer than to a policy O means: on SW-UCB's side of the midpoint (S + O) / 2, for which the
    paired values D − (S + O) / 2 are averaged; with `both_sides`, also not as far below S.
    """
    d, s = result[discounted].final_regret, result["SW-UCB"].final_regret
    checks = [Check("relative to SW-UCB", excess(d, s), "+.0%")]
    for other in ("EXP3.S", "UCB-1"):
        o = result[other].final_regret
        checks.append(Check(f"to the midpoint with {other}", mean(d - (s + o) / 2), "+.0f", below=0))
        if both_sides:
            below = Check("", mean((s - d) - (o - s) / 2), below=0, shown=False)
            checks.append(below)
    return [checks[0], *_first_shown(checks[1:])]


def smaller(result: Result, label: str, others: tuple[str, ...]) -> list[Check]:
    """Check that a policy's final regret is smaller than that of each other, run by run."""
    return [
        Check(
            f"{label} − {other}",
            mean(result[label].final_regret - result[other].final_regret),
            "+.0f",
            below=0.0,
        )
        for other in others
    ]


def _place(result: Result, time: int) -> int:
    place = int(np.searchsorted(result.times, time))
    if place == len(result.times) or result.times[place] != time:
        raise ValueError(f"round {time} is not a checkpoint")
    return place
