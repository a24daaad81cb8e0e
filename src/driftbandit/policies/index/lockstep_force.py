"""Forced exploration in lockstep: some rounds are taken from the index."""

from __future__ import annotations

from typing import Any

from driftbandit.core.lanes import LANES, known_lanes
from driftbandit.core.marking import compilable


@compilable
def force(rule: Any, lanes: int, arms: int, t: int, space: Any, numbers: Any) -> None:
    """Play the arm that the rule names, where it names one."""
    arm, restarts = space.arm, space.restarts
    for lane in range(known_lanes(lanes)):
        since = t - restarts[LANES + lane]
        forced = rule(since, restarts[lane], float(arms), *numbers[3])
        arm[lane] = forced if forced >= 0 else arm[lane]


@compilable
def force_at_random(rule: Any, lanes: int, arms: int, t: int, space: Any, numbers: Any) -> None:
    """Do so with a rule that is handed noise, the last that is drawn for a round."""
    arm, restarts, last = space.arm, space.restarts, space.noise.shape[0] - LANES
    for lane in range(known_lanes(lanes)):
        since, luck = t - restarts[LANES + lane], space.noise[last + lane]
        forced = rule(since, restarts[lane], float(arms), luck, *numbers[3])
        arm[lane] = forced if forced >= 0 else arm[lane]
