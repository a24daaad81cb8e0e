"""Exponential weights with a rate that changes, in lockstep over a block of runs.

The weights of a round are computed afresh from sums of exponents: an exponential an arm.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from driftbandit.core.lanes import (
    FIRST,
    LEAVING,
    NO,
    REWARD,
    SECOND,
    YES,
    Known,
    Shape,
    known_lanes,
    line,
    pick,
    put,
)
from driftbandit.core.marking import compilable
from driftbandit.environments import World
from driftbandit.policies.setup import Setup, nothing
from driftbandit.policies.weights.live_scores import LOWEST
from driftbandit.policies.weights.lockstep_multiply import begin

if TYPE_CHECKING:
    from driftbandit.policies.weights.policy import Weights

SCORE, WEIGHT, FLOOR, COUNT, SUM = range(5)
"""What is kept of an arm; the last three only where a rule has floors."""

ROUND, RATE = range(2)
"""What is kept of all lanes: rounds learned, and the rate of the round that comes."""

TOP, SHARE, SPENT = FIRST, SECOND, LEAVING
"""Rows: the largest score or lower end, (1 − Σ ε) / W, and Σ ε; two serve for sums before."""


def setup(policy: Weights, world: World, horizon: int) -> Setup:
    """Say which functions and how much memory the engine needs to run `policy`."""
    floored = policy.floor is not None and policy.radius is not None
    assert policy.schedule is not None
    return Setup(
        begin=begin,
        choose=choose,
        learn=learn,
        functions=(
            policy.exponent, policy.schedule, policy.radius or nothing, policy.floor or nothing,
            nothing, nothing, nothing,
        ),
        numbers=(policy.numbers(), (policy.exploration, policy.bound)),
        flags=(YES if floored else NO,),
        rows=5 if floored else 2,
        noise=1,
        ring=0,
    )  # fmt: skip  # the functions one under the other would fill a screen


@compilable
def choose(
    radius: Any, floor: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Draw the arm i with probability p_i = (1 − Σ ε) w_i / W + ε_i by one uniform number."""
    rows, state, arm, noise = space.rows, space.state, space.arm, space.noise
    even = numbers[1][0] / arms
    weigh(lanes, shape, arms, space)
    if len(flags[0]) > 0:
        set_floors(radius, floor, lanes, shape, arms, space, numbers)
    else:
        for lane in range(known_lanes(lanes)):
            rows[SPENT + lane] = numbers[1][0]
    for lane in range(known_lanes(lanes)):
        rows[SHARE + lane] = (1.0 - rows[SPENT + lane]) / rows[SHARE + lane]
        rows[TOP + lane] = 0.0  # for now, the cumulated probability
        arm[lane] = 0
    for k in range(arms - 1):
        weight, least = line(shape, WEIGHT, k), line(shape, FLOOR, k)
        for lane in range(known_lanes(lanes)):
            kept = state[least + lane] if len(flags[0]) > 0 else even
            cumulated = rows[TOP + lane] + (rows[SHARE + lane] * state[weight + lane] + kept)
            rows[TOP + lane] = cumulated
            arm[lane] += int(noise[lane] >= cumulated)


@compilable
def weigh(lanes: int, shape: Shape, arms: int, space: Any) -> None:
    """Compute the weights, exp(η (score − largest score)), and their sum, for now in SHARE."""
    rows, state, rate = space.rows, space.state, space.carry[RATE]
    for lane in range(known_lanes(lanes)):
        rows[TOP + lane] = -math.inf
        rows[SHARE + lane] = 0.0
    for k in range(arms):
        score = line(shape, SCORE, k)
        for lane in range(known_lanes(lanes)):
            rows[TOP + lane] = max(rows[TOP + lane], state[score + lane])
    for k in range(arms):
        score, weight = line(shape, SCORE, k), line(shape, WEIGHT, k)
        for lane in range(known_lanes(lanes)):
            power = math.exp(max(rate * (state[score + lane] - rows[TOP + lane]), LOWEST))
            state[weight + lane] = power
            rows[SHARE + lane] += power


@compilable
def set_floors(
    radius: Any, floor: Any, lanes: int, shape: Shape, arms: int, space: Any, numbers: Any
) -> None:
    """Compute how far every arm is behind, from intervals around the means, and its floor."""
    rows, state, t, number = space.rows, space.state, space.carry[ROUND] + 1.0, float(arms)
    for lane in range(known_lanes(lanes)):
        rows[TOP + lane] = 0.0
        rows[SPENT + lane] = 0.0
    for k in range(arms):
        counts, sums = line(shape, COUNT, k), line(shape, SUM, k)
        floors = line(shape, FLOOR, k)
        for lane in range(known_lanes(lanes)):
            count = max(state[counts + lane], 1.0)
            mean, wide = state[sums + lane] / count, radius(count, t, number, *numbers[0])
            high = min(mean + wide, 1.0) if state[counts + lane] > 0.0 else 1.0
            rows[TOP + lane] = max(rows[TOP + lane], mean - wide)
            state[floors + lane] = high
    for k in range(arms):
        floors = line(shape, FLOOR, k)
        for lane in range(known_lanes(lanes)):
            gap = max(rows[TOP + lane] - state[floors + lane], 0.0)
            least = floor(gap, t, number, *numbers[0])
            state[floors + lane] = least
            rows[SPENT + lane] += least


@compilable
def learn(
    exponent: Any, schedule: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known,
    arms: int, t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Add the exponent to the score of the arm played."""
    rows, state, arm, number = space.rows, space.state, space.arm, float(arms)
    exploration, top = numbers[1]
    rate = schedule(float(t), number, *numbers[0])
    for lane in range(known_lanes(lanes)):
        played = arm[lane]
        least = exploration / arms
        if len(flags[0]) > 0:
            least = pick(state, shape, few, FLOOR, played, lane)
        chance = rows[SHARE + lane] * pick(state, shape, few, WEIGHT, played, lane) + least
        gain = rows[REWARD + lane] / (top * chance)
        score = pick(state, shape, few, SCORE, played, lane)
        score += exponent(gain, chance, number, rate, *numbers[0])
        put(state, shape, few, SCORE, played, lane, score)
    if len(flags[0]) > 0:
        for lane in range(known_lanes(lanes)):
            played = arm[lane]
            count = pick(state, shape, few, COUNT, played, lane) + 1.0
            total = pick(state, shape, few, SUM, played, lane) + rows[REWARD + lane] / top
            put(state, shape, few, COUNT, played, lane, count)
            put(state, shape, few, SUM, played, lane, total)
    space.carry[ROUND] = float(t)
    space.carry[RATE] = schedule(t + 1.0, number, *numbers[0])
