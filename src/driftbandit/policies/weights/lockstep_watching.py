"""Exponential weights that watch their exploration, in lockstep over a block of runs."""

from __future__ import annotations

from typing import Any

from driftbandit.core.lanes import (
    FIRST,
    REWARD,
    Known,
    Shape,
    known_lanes,
    line,
    place,
)
from driftbandit.core.marking import compilable
from driftbandit.policies.weights.lockstep_multiply import SHARE, TOTAL, learn_lone

WEIGHT, COUNT, SUM = range(3)
"""What is kept of an arm; the last two of the uniform draws of the interval."""


@compilable
def choose_apart(
    index: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Draw uniformly with probability γ, else arm i with probability w_i / W."""
    rows, state, arm, noise = space.rows, space.state, space.arm, space.noise
    exploration = numbers[1][0]
    for lane in range(known_lanes(lanes)):
        rows[TOTAL + lane] = 0.0
        rows[REWARD + lane] = 0.0  # for now, the cumulated weight
        arm[lane] = 0
    for k in range(arms):
        weight = line(shape, WEIGHT, k)
        for lane in range(known_lanes(lanes)):
            rows[TOTAL + lane] += state[weight + lane]
    for lane in range(known_lanes(lanes)):
        level = (noise[lane] - exploration) / (1.0 - exploration)
        rows[SHARE + lane] = level * rows[TOTAL + lane]  # for now, the level among the weights
    for k in range(arms - 1):
        weight = line(shape, WEIGHT, k)
        for lane in range(known_lanes(lanes)):
            cumulated = rows[REWARD + lane] + state[weight + lane]
            rows[REWARD + lane] = cumulated
            arm[lane] += int(rows[SHARE + lane] >= cumulated)
    for lane in range(known_lanes(lanes)):
        uniform = min(int(noise[lane] / exploration * arms), arms - 1)
        arm[lane] = uniform if noise[lane] < exploration else arm[lane]
        rows[SHARE + lane] = (1.0 - exploration) / rows[TOTAL + lane]


@compilable
def learn_watching(
    exponent: Any, exp: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Learn as ever; where an interval is over, see what it says."""
    learn_lone(
        exponent, exp, alarm, due, lanes, shape, few, arms, t, space, numbers, flags, bound
    )  # fmt: skip  # the arguments of all families
    rows, state, arm, noise = space.rows, space.state, space.arm, space.noise
    exploration, top, (draws, threshold) = numbers[1][0], numbers[1][2], numbers[3]
    for k in range(arms):
        counts, sums = line(shape, COUNT, k), line(shape, SUM, k)
        for lane in range(known_lanes(lanes)):
            met = (arm[lane] == k) & (noise[lane] < exploration)
            count = state[counts + lane] + (1.0 if met else 0.0)
            state[counts + lane] = count
            state[sums + lane] += rows[REWARD + lane] / top if met else 0.0
            least = rows[FIRST + lane]
            rows[FIRST + lane] = count if k == 0 or count < least else least
    for lane in range(known_lanes(lanes)):
        if rows[FIRST + lane] >= draws:
            judge(lane, shape, arms, space, threshold)


@compilable
def judge(lane: int, shape: Shape, arms: int, space: Any, threshold: float) -> None:
    """Begin a new interval; start over if an arm beats the one of the largest weight."""
    state, most, lead, best = space.state, -1.0, 0.0, 0.0
    for k in range(arms):
        weight = state[place(shape, WEIGHT, k, lane)]
        mean = state[place(shape, SUM, k, lane)] / state[place(shape, COUNT, k, lane)]
        best = max(best, mean)
        if weight > most:
            most, lead = weight, mean
    for k in range(arms):
        state[place(shape, COUNT, k, lane)] = state[place(shape, SUM, k, lane)] = 0.0
        if best - lead >= threshold:
            state[place(shape, WEIGHT, k, lane)] = 1.0
