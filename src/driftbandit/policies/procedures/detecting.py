"""Whether an arm of Auto has changed, from its past."""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.marking import compilable
from driftbandit.policies.procedures.past import drop, fade

PRIOR = 0.1
"""Changes of an arm that are expected before the first one is detected."""

SURE = 4.0
"""Log odds above which a change is taken as a fact."""

FELL = 0.5
"""How much a fall counts as a sign that other arms may have risen; a rise counts 1."""

TINY = 1e-12
"""Distance from 0 and 1 that a mean has, at least, before its logarithm is taken."""

FADED = 1e-9
"""Share of all plays below which the plays before a border have faded away."""


@compilable
def judge(run: Any, arm: Any, past: Any, t: int) -> None:
    """Drop the past before a change, if there is one.

    Rewards that vary less than coins count for more plays of coins: `sharpness` times as many.
    Most borders need no logarithm, since kl(p, q) ≤ (p − q)² / (q (1 − q)) and no gap is longer
    than t.
    """
    count, total, plays, sums, gaps = arm.count, arm.total, past.plays, past.sums, past.gaps
    mean, changes = min(max(total / count, TINY), 1.0 - TINY), PRIOR + run.alarms
    surest, whole = SURE - math.log(changes), log_likelihood(total, count)
    least = surest * mean * (1.0 - mean) / arm.sharpness
    n = s = 0.0
    most, border, risen, trust = SURE, 0, False, 1.0
    for bucket in range(int(past.held) - 1, 0, -1):
        n, s = n + plays[bucket], s + sums[bucket]
        before, apart = count - n, s - n * mean
        if before > FADED * count and apart * apart * count > least * n * before:
            parted = log_likelihood(s, n) + log_likelihood(total - s, before)
            ratio = arm.sharpness * (parted - whole)
            if ratio > surest:
                gap = math.log(changes * gaps[bucket] / t)
                odds = ratio - 0.5 * math.log(n + 1.0) + gap
                if odds > most:
                    most, border, risen, trust = odds, bucket, apart > 0.0, odds / ratio
    if border > 0:
        restart(run, arm, past, border, risen, min(trust, 1.0))


@compilable
def log_likelihood(total: float, count: float) -> float:
    """Return n (p log p + (1 − p) log(1 − p)), the log likelihood of n rewards with the mean p.

    0 log 0 is 0, and rounding may put p outside [0, 1].
    """
    p = total / count
    ones = total * math.log(p) if p > 0.0 else 0.0
    return ones + ((count - total) * math.log(1.0 - p) if p < 1.0 else 0.0)


@compilable
def restart(run: Any, arm: Any, past: Any, border: int, risen: bool, trust: float) -> None:
    """Forget the rewards of an arm before a border, and count the change.

    Those after the border were picked because they are extreme, so they keep only a share of their
    weight.
    """
    drop(past, border)
    fade(past, trust)
    count = total = 0.0
    for bucket in range(int(past.held)):
        count += past.plays[bucket]
        total += past.sums[bucket]
    arm.count, arm.total = count, total
    arm.wait = arm.watch = 0.0
    run.alarms += 1.0
    run.changes += 1.0 if risen else FELL
