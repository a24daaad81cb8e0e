"""Whether an arm of Auto has changed, from its past, and how likely it is the best by now."""

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

RECENT = 64.0
"""Doubts come from so many recent plays, at most: earlier ones have been judged often enough."""

TINY = 1e-12
"""Distance from 0 and 1 that a mean has, at least, before its logarithm is taken."""

FADED = 1e-9
"""Share of all plays below which the plays before a border have faded away."""


@compilable
def judge(run: Any, arm: Any, past: Any, t: int, best: float, follows: bool) -> float:
    """Drop the past before a change, if there is one; return the doubt that each round adds.

    Rewards that vary less than coins count for more plays of coins: `sharpness` times as many.
    Few borders need all logarithms: kl(p, q) ≤ (p − q)² / (q (1 − q)), no gap is longer than t, and
    the likelihood at the best does not need that at the mean.
    """
    count, total, plays, sums, gaps = arm.count, arm.total, past.plays, past.sums, past.gaps
    sharpness = arm.sharpness
    mean, changes = min(max(total / count, TINY), 1.0 - TINY), PRIOR + run.alarms
    surest, whole = SURE - math.log(changes), log_likelihood(total, count)
    least, log_best, log_rest = surest * mean * (1.0 - mean), math.log(best), math.log(1.0 - best)
    least /= sharpness
    n = s = doubt = 0.0
    most, border, risen, trust = SURE, 0, False, 1.0
    for bucket in range(int(past.held) - 1, 0, -1):
        n, s, gap = n + plays[bucket], s + sums[bucket], gaps[bucket]
        before, apart = count - n, s - n * mean
        doubts, odd = follows and n < RECENT, apart * apart * count > least * n * before
        if before > FADED * count and (doubts or odd):
            old, good = log_likelihood(total - s, before) - whole, s >= best * n
            ratio = sharpness * (old + log_likelihood(s, n)) if odd or good else 0.0
            if odd and ratio > surest:
                odds = ratio - 0.5 * math.log(n + 1.0) + math.log(changes * gap / t)
                if odds > most:
                    most, border, risen, trust = odds, bucket, apart > 0.0, odds / ratio
            if doubts:
                at_best = sharpness * (old + s * log_best + (n - s) * log_rest)
                largest = ratio if good else at_best
                doubt += gap * above(largest, good, sharpness * n, sharpness * s, best)
    if border > 0:
        restart(run, arm, past, border, risen, min(trust, 1.0))
    return PRIOR / t * doubt


@compilable
def log_likelihood(total: float, count: float) -> float:
    """Return n (p log p + (1 − p) log(1 − p)), the log likelihood of n rewards with the mean p.

    0 log 0 is 0, and rounding may put p outside [0, 1].
    """
    p = total / count
    ones = total * math.log(p) if p > 0.0 else 0.0
    return ones + ((count - total) * math.log(1.0 - p) if p < 1.0 else 0.0)


@compilable
def above(largest: float, good: bool, n: float, s: float, best: float) -> float:
    """Return ∫ L(θ) dθ over means θ above the best, by Laplace, as a share of no change.

    `largest` is the logarithm of the largest L(θ) there. For `good` rewards, s ≥ n best, it is at
    θ = s/n, and its width is that of a normal law. Else it is at θ = best, and log L falls from
    there with a slope of (n − s)/(1 − best) − s/best.
    """
    if good:
        mean = (s + 0.5) / (n + 1.0)
        width = min(1.0 - best, math.sqrt(2.0 * math.pi * mean * (1.0 - mean) / (n + 1.0)))
    else:
        width = best * (1.0 - best) / ((1.0 + n) * best - s)
    return math.exp(min(largest, 20.0)) * width


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
    arm.spent = arm.wait = arm.watch = 0.0
    run.alarms += 1.0
    run.changes += 1.0 if risen else FELL
