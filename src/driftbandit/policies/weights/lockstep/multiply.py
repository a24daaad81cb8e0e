"""Exponential weights that are multiplied up, in lockstep over a block of runs."""

from __future__ import annotations

import math

from driftbandit.core.lanes import (
    FIRST,
    LANES,
    LEAVING,
    REWARD,
    SECOND,
    Block,
    line,
    on,
    pick,
    place,
    put,
    width_of,
)
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import exp_within_one
from driftbandit.policies.learner import LIGHTEST
from driftbandit.policies.weights.lockstep.state import State, WeightsPlayer

TOTAL, SHARE, RAISED = FIRST, SECOND, LEAVING
"""Rows between choice and lesson: W = Σ w_i, (1 − γ) / W, and the weight of the arm played."""


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
def choose(player: WeightsPlayer, block: Block, t: int, row: int) -> None:
    """Draw arm i with probability p_i = (1 − γ) w_i / W + γ / K by one uniform number."""
    exploration, few, shape = player.numbers.exploration, block.few, block.shape
    floor = exploration / block.arms
    rows, table, arm, noise = block.rows, player.state.table, block.arm, block.noise
    if len(few) > 0:
        for lane in range(width_of(block)):
            total = 0.0
            for k in range(len(few)):
                total += table[k * LANES + lane]
            share = (1.0 - exploration) / total
            cumulated, level, drawn = 0.0, noise[lane], 0
            for k in range(len(few) - 1):
                cumulated += share * table[k * LANES + lane] + floor
                drawn += int(level >= cumulated)
            rows[TOTAL + lane] = total
            rows[SHARE + lane] = share
            arm[lane] = drawn
        return
    for lane in range(width_of(block)):
        rows[TOTAL + lane] = 0.0
    for k in range(block.arms):
        weight = line(shape, 0, k)
        for lane in range(width_of(block)):
            rows[TOTAL + lane] += table[weight + lane]
    for lane in range(width_of(block)):
        rows[SHARE + lane] = (1.0 - exploration) / rows[TOTAL + lane]
        rows[REWARD + lane] = 0.0  # for now, the cumulated probability
        arm[lane] = 0
    for k in range(block.arms - 1):
        weight = line(shape, 0, k)
        for lane in range(width_of(block)):
            cumulated = rows[REWARD + lane] + (rows[SHARE + lane] * table[weight + lane] + floor)
            rows[REWARD + lane] = cumulated
            arm[lane] += int(noise[lane] >= cumulated)


@compilable
def learn_one(player: WeightsPlayer, block: Block, t: int, row: int) -> None:
    """Raise the weight of the arm played, then share."""
    numbers, few, arms = player.numbers, block.few, float(block.arms)
    rows, table, arm = block.rows, player.state.table, block.arm
    floor = numbers.exploration / block.arms
    for lane in range(width_of(block)):
        rows[RAISED + lane] = pick(table, block, 0, arm[lane], lane)
    for lane in range(width_of(block)):
        weight = rows[RAISED + lane]
        chance = rows[SHARE + lane] * weight + floor
        gain = rows[REWARD + lane] / (numbers.bound * chance)
        exponent = player.rules.exponent(gain, chance, arms, *numbers.exponent)
        rows[RAISED + lane] = weight * player.rules.exp(exponent)
        if on(player.flags.fresh):
            rows[TOTAL + lane] += rows[RAISED + lane] - weight
    if len(few) == 0:
        for lane in range(width_of(block)):
            put(table, block, 0, arm[lane], lane, rows[RAISED + lane])
        share(block, player.state, numbers.share)
    else:
        for lane in range(width_of(block)):
            for k in range(len(few)):
                weight, raised = table[k * LANES + lane], rows[RAISED + lane]
                weight = raised if arm[lane] == k else weight
                table[k * LANES + lane] = weight + numbers.share * rows[TOTAL + lane]
    end_round(player, block, t)


@compilable
def learn_all(player: WeightsPlayer, block: Block, t: int, row: int) -> None:
    """Raise the weights of all arms, then share."""
    numbers, shape, arms = player.numbers, block.shape, float(block.arms)
    rows, table, arm = block.rows, player.state.table, block.arm
    floor = numbers.exploration / block.arms
    for k in range(block.arms):
        for lane in range(width_of(block)):
            weight = table[place(shape, 0, k, lane)]
            chance = rows[SHARE + lane] * weight + floor
            gain = rows[REWARD + lane] / numbers.bound / chance if arm[lane] == k else 0.0
            exponent = player.rules.exponent(gain, chance, arms, *numbers.exponent)
            raised = weight * math.exp(exponent)
            table[place(shape, 0, k, lane)] = raised
            if on(player.flags.fresh):
                rows[TOTAL + lane] += raised - weight
    share(block, player.state, numbers.share)
    end_round(player, block, t)


@compilable
def share(block: Block, state: State, part: float) -> None:
    """Give every arm the same part of the sum of weights."""
    rows, table = block.rows, state.table
    for k in range(block.arms):
        start = line(block.shape, 0, k)
        for lane in range(width_of(block)):
            table[start + lane] += part * rows[TOTAL + lane]


@compilable
def end_round(player: WeightsPlayer, block: Block, t: int) -> None:
    """Rescale when it is time, and end a batch."""
    if t % int(player.numbers.period) == 0:
        rescale(block, player.state)
    if on(player.flags.batches) and t % int(player.numbers.batch) == 0:
        level(block, player.state)


@compilable
def rescale(block: Block, state: State) -> None:
    """Rescale to a largest weight of 1."""
    rows, table, shape = block.rows, state.table, block.shape
    for lane in range(width_of(block)):
        rows[FIRST + lane] = 0.0
    for k in range(block.arms):
        for lane in range(width_of(block)):
            rows[FIRST + lane] = max(rows[FIRST + lane], table[place(shape, 0, k, lane)])
    for k in range(block.arms):
        for lane in range(width_of(block)):
            at = place(shape, 0, k, lane)
            table[at] = max(table[at] / rows[FIRST + lane], LIGHTEST)


@compilable
def level(block: Block, state: State) -> None:
    """Make all weights equal."""
    for k in range(block.arms):
        for lane in range(width_of(block)):
            state.table[place(block.shape, 0, k, lane)] = 1.0
