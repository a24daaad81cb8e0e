"""Looking back: when an arm that was left alone is played again, and how often in a row."""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.marking import compilable

REACH = 0.05
"""An arm is as good as the leader, for a look, if its mean is X* and this share of 1 − X* more."""

COSTLY = 0.5
"""What a look costs, as a share of 1 − X*, at least: where a play costs less, a look is longer."""

HEAD_START = 2.0
"""The most evidence that a look may go on with, against its arm."""

TINY = 1e-12
"""Keeps quotients and logarithms finite."""


@compilable
def urge(arm: Any, best: float, arms: int, t: int, idle: float, vigilance: float) -> float:
    """Return how much an arm needs a look: infinite while one goes on, and 0 before it is due."""
    if arm.watch > 0.0:
        return math.inf if arm.pending == 0.0 else 0.0
    room, share = 1.0 - best, vigilance * idle
    if room <= 0.0:
        return 0.0
    cost = max(best - arm.mean, COSTLY * room)
    most = arms * t * cost
    worth = share * share * room
    return worth / most if worth >= most else 0.0


@compilable
def look(arm: Any, best: float, reward: float, due: bool) -> None:
    """Begin a look at an arm, or go on with it, or end it.

    `watch` is the log likelihood ratio of "as good as the leader" against "as it was", and the
    head start: the evidence that so many plays bring as a look may cost. By the time that a look
    has as many plays as the arm had, its mean tells as much, and the look ends.
    """
    good = min(best + REACH * (1.0 - best), 1.0 - TINY)
    if arm.watch <= 0.0:
        if not due:
            return
        arm.was, arm.left = (arm.total + 0.5) / (arm.count + 1.0), arm.count
        arm.watch = head_start(arm, best, good)
    was = arm.was
    arm.left -= 1.0
    if good <= was or arm.left < 0.0:
        arm.watch = 0.0
        return
    ratio = reward * math.log(good / was) + (1.0 - reward) * math.log((1.0 - good) / (1.0 - was))
    arm.watch = max(arm.watch + arm.sharpness * ratio, 0.0)


@compilable
def head_start(arm: Any, best: float, good: float) -> float:
    """Return the evidence against an arm that a look may gather before it ends."""
    was, room = arm.was, 1.0 - best
    plays = COSTLY * room / max(best - was, TINY)
    if plays <= 1.0 or good <= was:
        return 0.0
    far = was * math.log(was / good) + (1.0 - was) * math.log((1.0 - was) / (1.0 - good))
    return min((plays - 1.0) * arm.sharpness * far, HEAD_START)  # type: ignore[no-any-return]  # a float
