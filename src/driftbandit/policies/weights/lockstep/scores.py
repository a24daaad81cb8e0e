"""Exponential weights with a rate that changes, in lockstep over a block of runs.

The weights of a round are computed from sums of exponents: one exponential per arm.
"""

from __future__ import annotations

import math

from driftbandit.core.lanes import (
    FIRST,
    LEAVING,
    REWARD,
    SECOND,
    Block,
    line,
    on,
    pick,
    put,
    width_of,
)
from driftbandit.core.marking import compilable
from driftbandit.policies.weights.live.scores import LOWEST
from driftbandit.policies.weights.lockstep.state import State, WeightsPlayer

SCORE, WEIGHT, FLOOR, COUNT, SUM = range(5)
"""Rows of an arm; the last three only where a policy has floors."""

TOP, SHARE, SPENT = FIRST, SECOND, LEAVING
"""Shared rows: the largest score or lower end, (1 − Σ ε) / W, and Σ ε; two serve for sums
before."""


@compilable
def choose(player: WeightsPlayer, block: Block, t: int, row: int) -> None:
    """Draw arm i with probability p_i = (1 − Σ ε) w_i / W + ε_i by one uniform number."""
    rows, table, arm, noise = block.rows, player.state.table, block.arm, block.noise
    exploration, shape = player.numbers.exploration, block.shape
    even = exploration / block.arms
    weigh(block, player.state)
    if on(player.flags.floors):
        set_floors(player, block)
    else:
        for lane in range(width_of(block)):
            rows[SPENT + lane] = exploration
    for lane in range(width_of(block)):
        rows[SHARE + lane] = (1.0 - rows[SPENT + lane]) / rows[SHARE + lane]
        rows[TOP + lane] = 0.0  # for now, the cumulated probability
        arm[lane] = 0
    for k in range(block.arms - 1):
        weight, least = line(shape, WEIGHT, k), line(shape, FLOOR, k)
        for lane in range(width_of(block)):
            floor = table[least + lane] if on(player.flags.floors) else even
            cumulated = rows[TOP + lane] + (rows[SHARE + lane] * table[weight + lane] + floor)
            rows[TOP + lane] = cumulated
            arm[lane] += int(noise[lane] >= cumulated)


@compilable
def weigh(block: Block, state: State) -> None:
    """Compute the weights, exp(η (score − largest score)), and their sum, for now in SHARE."""
    rows, table, shape, rate = block.rows, state.table, block.shape, state.shared[0].rate
    for lane in range(width_of(block)):
        rows[TOP + lane] = -math.inf
        rows[SHARE + lane] = 0.0
    for k in range(block.arms):
        score = line(shape, SCORE, k)
        for lane in range(width_of(block)):
            rows[TOP + lane] = max(rows[TOP + lane], table[score + lane])
    for k in range(block.arms):
        score, weight = line(shape, SCORE, k), line(shape, WEIGHT, k)
        for lane in range(width_of(block)):
            power = math.exp(max(rate * (table[score + lane] - rows[TOP + lane]), LOWEST))
            table[weight + lane] = power
            rows[SHARE + lane] += power


@compilable
def set_floors(player: WeightsPlayer, block: Block) -> None:
    """Compute how far every arm is behind, from intervals around the means, and its floor."""
    rows, table, shape = block.rows, player.state.table, block.shape
    t, arms, numbers = (
        player.state.shared[0].round + 1.0,
        float(block.arms),
        player.numbers.exponent,
    )
    for lane in range(width_of(block)):
        rows[TOP + lane] = 0.0
        rows[SPENT + lane] = 0.0
    for k in range(block.arms):
        counts, sums, floors = line(shape, COUNT, k), line(shape, SUM, k), line(shape, FLOOR, k)
        for lane in range(width_of(block)):
            count = max(table[counts + lane], 1.0)
            mean, wide = table[sums + lane] / count, player.rules.radius(count, t, arms, *numbers)
            high = min(mean + wide, 1.0) if table[counts + lane] > 0.0 else 1.0
            rows[TOP + lane] = max(rows[TOP + lane], mean - wide)
            table[floors + lane] = high
    for k in range(block.arms):
        floors = line(shape, FLOOR, k)
        for lane in range(width_of(block)):
            gap = max(rows[TOP + lane] - table[floors + lane], 0.0)
            least = player.rules.floor(gap, t, arms, *numbers)
            table[floors + lane] = least
            rows[SPENT + lane] += least


@compilable
def learn(player: WeightsPlayer, block: Block, t: int, row: int) -> None:
    """Add the exponent to the score of the arm played."""
    rows, table, arm, arms = block.rows, player.state.table, block.arm, float(block.arms)
    numbers, shared = player.numbers, player.state.shared[0]
    rate = player.rules.schedule(float(t), arms, *numbers.exponent)
    for lane in range(width_of(block)):
        played = arm[lane]
        least = numbers.exploration / block.arms
        if on(player.flags.floors):
            least = pick(table, block, FLOOR, played, lane)
        chance = rows[SHARE + lane] * pick(table, block, WEIGHT, played, lane) + least
        gain = rows[REWARD + lane] / (numbers.bound * chance)
        score = pick(table, block, SCORE, played, lane)
        score += player.rules.exponent(gain, chance, arms, rate, *numbers.exponent)
        put(table, block, SCORE, played, lane, score)
    if on(player.flags.floors):
        for lane in range(width_of(block)):
            played = arm[lane]
            count = pick(table, block, COUNT, played, lane) + 1.0
            total = pick(table, block, SUM, played, lane) + rows[REWARD + lane] / numbers.bound
            put(table, block, COUNT, played, lane, count)
            put(table, block, SUM, played, lane, total)
    shared.round = float(t)
    shared.rate = player.rules.schedule(t + 1.0, arms, *numbers.exponent)
