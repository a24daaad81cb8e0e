"""Exponential weights that are multiplied up, in lockstep over a block of runs."""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import (
    FIRST,
    LANES,
    LEAVING,
    REWARD,
    SECOND,
    Known,
    Shape,
    Space,
    known_lanes,
    line,
    pick,
    place,
    put,
)
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import exp_within_one
from driftbandit.policies.learner import LIGHTEST

TOTAL, SHARE, RAISED = FIRST, SECOND, LEAVING
"""Rows between choice and lesson: W = Σ w_i, (1 − γ) / W, and the weight of the arm played."""


def begin(space: Space, shape: Shape, arms: int) -> None:
    """Give all arms the same weight, or score; whatever else is kept of them is zero."""
    space.state[: shape[0]] = 1.0


@compilable
def exp_within_two(x: float) -> float:
    """Return eˣ for −2 ≤ x ≤ 2, as vector code."""
    root = exp_within_one(0.5 * x)
    return root * root


@compilable
def any_exp(x: float) -> float:
    """Return eˣ."""
    return math.exp(x)


@compilable
def choose(
    index: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Draw the arm i with probability p_i = (1 − γ) w_i / W + γ / K by one uniform number."""
    exploration = numbers[1][0]
    floor = exploration / arms
    rows, state, arm, noise = space.rows, space.state, space.arm, space.noise
    if len(few) > 0:
        for lane in range(known_lanes(lanes)):
            total = 0.0
            for k in range(len(few)):
                total += state[k * LANES + lane]
            share = (1.0 - exploration) / total
            cumulated, level, drawn = 0.0, noise[lane], 0
            for k in range(len(few) - 1):
                cumulated += share * state[k * LANES + lane] + floor
                drawn += int(level >= cumulated)
            rows[TOTAL + lane] = total
            rows[SHARE + lane] = share
            arm[lane] = drawn
        return
    for lane in range(known_lanes(lanes)):
        rows[TOTAL + lane] = 0.0
    for k in range(arms):
        far = line(shape, 0, k)
        for lane in range(known_lanes(lanes)):
            rows[TOTAL + lane] += state[far + lane]
    for lane in range(known_lanes(lanes)):
        rows[SHARE + lane] = (1.0 - exploration) / rows[TOTAL + lane]
        rows[REWARD + lane] = 0.0  # for now, the cumulated probability
        arm[lane] = 0
    for k in range(arms - 1):
        far = line(shape, 0, k)
        for lane in range(known_lanes(lanes)):
            cumulated = rows[REWARD + lane] + (rows[SHARE + lane] * state[far + lane] + floor)
            rows[REWARD + lane] = cumulated
            arm[lane] += int(noise[lane] >= cumulated)


@compilable
def learn_lone(
    exponent: Any, exp: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Raise the weight of the arm played, then share."""
    exploration, given, top = numbers[1]
    rows, state, arm = space.rows, space.state, space.arm
    floor, number = exploration / arms, float(arms)
    for lane in range(known_lanes(lanes)):
        rows[RAISED + lane] = pick(state, shape, few, 0, arm[lane], lane)
    for lane in range(known_lanes(lanes)):
        weight = rows[RAISED + lane]
        chance = rows[SHARE + lane] * weight + floor
        gain = rows[REWARD + lane] / (top * chance)
        rows[RAISED + lane] = weight * exp(exponent(gain, chance, number, *numbers[0]))
        if len(flags[0]) > 0:
            rows[TOTAL + lane] += rows[RAISED + lane] - weight
    if len(few) == 0:
        for lane in range(known_lanes(lanes)):
            put(state, shape, few, 0, arm[lane], lane, rows[RAISED + lane])
        share(lanes, shape, arms, space, given)
    else:
        for lane in range(known_lanes(lanes)):
            for k in range(len(few)):
                weight, raised = state[k * LANES + lane], rows[RAISED + lane]
                kept = raised if arm[lane] == k else weight
                state[k * LANES + lane] = kept + given * rows[TOTAL + lane]
    rescale(lanes, shape, arms, t, space, numbers)
    if len(flags[1]) > 0:
        end_batch(lanes, shape, arms, t, space, numbers)


@compilable
def learn_all(
    exponent: Any, exp: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Raise the weights of all arms, then share."""
    exploration, given, top = numbers[1]
    rows, state, arm = space.rows, space.state, space.arm
    floor, number = exploration / arms, float(arms)
    for k in range(arms):
        for lane in range(known_lanes(lanes)):
            weight = state[place(shape, 0, k, lane)]
            chance = rows[SHARE + lane] * weight + floor
            gain = rows[REWARD + lane] / top / chance if arm[lane] == k else 0.0
            raised = weight * math.exp(exponent(gain, chance, number, *numbers[0]))
            state[place(shape, 0, k, lane)] = raised
            if len(flags[0]) > 0:
                rows[TOTAL + lane] += raised - weight
    share(lanes, shape, arms, space, given)
    rescale(lanes, shape, arms, t, space, numbers)
    if len(flags[1]) > 0:
        end_batch(lanes, shape, arms, t, space, numbers)


@compilable
def share(lanes: int, shape: Shape, arms: int, space: Any, given: float) -> None:
    """Give every arm the same share of the sum of weights."""
    rows, state = space.rows, space.state
    for k in range(arms):
        start = line(shape, 0, k)
        for lane in range(known_lanes(lanes)):
            state[start + lane] += given * rows[TOTAL + lane]


@compilable
def rescale(lanes: int, shape: Shape, arms: int, t: int, space: Any, numbers: Any) -> None:
    """Rescale now and then to a largest weight of 1."""
    rows, state, period = space.rows, space.state, numbers[2][0]
    if t % int(period) == 0:
        for lane in range(known_lanes(lanes)):
            rows[FIRST + lane] = 0.0
        for k in range(arms):
            for lane in range(known_lanes(lanes)):
                rows[FIRST + lane] = max(rows[FIRST + lane], state[place(shape, 0, k, lane)])
        for k in range(arms):
            for lane in range(known_lanes(lanes)):
                at = place(shape, 0, k, lane)
                state[at] = max(state[at] / rows[FIRST + lane], LIGHTEST)


@compilable
def end_batch(lanes: int, shape: Shape, arms: int, t: int, space: Any, numbers: Any) -> None:
    """Make all weights equal at the end of a batch."""
    if t % int(numbers[2][1]) == 0:
        for k in range(arms):
            for lane in range(known_lanes(lanes)):
                space.state[place(shape, 0, k, lane)] = 1.0
