"""Looking back: when an arm that was left alone is played again, and how often in a row."""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.marking import compilable

REACH = 0.15
"""An arm is good again, for a look, if its mean is X* and this share of 1 − X* more."""

CHEAP = 0.1
"""What a look costs, as a share of 1 − X*, at least: else arms like the leader take all looks."""

OVERDUE = 4.0
"""How much an arm needs a look if it has been idle for twice the time after which one is due. Then
the look goes before the index. Among many arms that are alike, the one with the fewest plays has
the least index until it has caught up with the leader, which may take longer than all else."""

LIKELY = 0.3
"""The evidence for an arm with which a look does not wait for the rewards of plays under way."""

TINY = 1e-12
"""Keeps quotients and logarithms finite."""


@compilable
def urge(arm: Any, best: float, arms: int, t: int, idle: float, vigilance: float) -> float:
    """Return how much an arm needs a look: infinite while one goes on, and 0 before it is due."""
    if arm.watch > 0.0 and (arm.pending == 0.0 or arm.watch > LIKELY):
        return math.inf
    room, share = 1.0 - best, vigilance * idle
    if room <= 0.0:
        return 0.0
    cost = max(best - arm.mean, CHEAP * room)
    most = arms * t * cost
    worth = share * share * room
    return worth / most if worth >= most else 0.0


@compilable
def look(arm: Any, best: float, reward: float, due: bool) -> None:
    """Begin a look at an arm, or go on with it, or end it.

    `watch` is the log likelihood ratio of "good again" against "as it was". By the time that a look
    has as many plays as the arm had, its mean tells as much, and the look ends.
    """
    if arm.watch <= 0.0:
        if not due:
            return
        arm.was, arm.left = (arm.total + 0.5) / (arm.count + 1.0), arm.count
    arm.left -= 1.0
    if good_again(best) <= arm.was or arm.left < 0.0:
        arm.watch = 0.0
    else:
        arm.watch = max(arm.watch + evidence(arm, best, reward), 0.0)


@compilable
def evidence(arm: Any, best: float, reward: float) -> float:
    """Return what a reward adds to the log likelihood ratio of a look."""
    good, was = good_again(best), arm.was
    ratio = reward * math.log(good / was) + (1.0 - reward) * math.log((1.0 - good) / (1.0 - was))
    return arm.sharpness * ratio  # type: ignore[no-any-return]  # a float


@compilable
def good_again(best: float) -> float:
    """Return the mean of an arm that is better than the leader by enough to matter."""
    return min(best + REACH * (1.0 - best), 1.0 - TINY)
