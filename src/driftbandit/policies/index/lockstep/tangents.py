"""Indices that are costly to compute: choose the same arm, computing few of them.

An index of a mean and the share x / count, where x = level(clock) · weight is the same for all
arms and never falls, moves along a concave curve as x grows; only the arm just played, or one
whose play leaves a window, gets another curve. Of every arm are kept a lower bound of its index and
a tangent of its curve, which lies above it. Any point of the curve yields both: the closer it is to
the index, the closer are the bounds. So a round

1. finds a point for the arms that changed, and in turn for some that x has left behind;
2. compares tangents as UCB compares lines, and notes the three highest;
3. finds better points for the two that lead, in the lanes where these are too close;
4. computes indices in the few lanes where that does not settle it.

The decision is that of the plain argmax, to the last bit.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import LANES, Block, line, pick, put, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.points import bounds_of, find_points
from driftbandit.policies.index.lockstep.state import (
    COUNT,
    HINT,
    LEAD,
    LOW,
    MEAN,
    RATE,
    RIVAL,
    START,
    SURE,
    THIRD,
    IndexPlayer,
    State,
)
from driftbandit.policies.index.lockstep.unsettled import (
    compare_again,
    list_unsettled,
    renew_listed,
    settle,
)

GROWTH = 0.08
"""A tangent is renewed before x has grown by more than about this share."""

ATTEMPTS = 4
"""How often two arms that lead are looked at again before indices are computed."""


@compilable
def choose_by_tangents(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest index, computing few of them."""
    state = player.state
    shared = state.shared[0]
    now = player.rules.level(max(shared.clock, 1.0), *player.numbers.explore)
    x = now * shared.weight
    if not x >= shared.slope:
        renew_all(player, block, now)
        shared.turn = 0.0
    elif x > shared.slope:
        renew_in_turn(player, block, now, x / shared.slope - 1.0)
    shared.slope = x
    if shared.oldest > 1.0:
        renew(player, block, now, state.gone)
    renew(player, block, now, block.arm)
    compare_tangents(block, state, x)
    number = list_unsettled(block, state)
    for _ in range(ATTEMPTS):
        if number > 0:
            renew_listed(player, block, now, block.arm, number)
            renew_listed(player, block, now, state.gone, number)
            number = compare_again(player, block, now, x, number)
    for i in range(number):
        settle(player, block, state.listed[i], now, x)


@compilable
def renew_all(player: IndexPlayer, block: Block, now: float) -> None:
    """Find a point for every arm."""
    for k in range(block.arms):
        renew_arm(player, block, now, k)


@compilable
def renew_in_turn(player: IndexPlayer, block: Block, now: float, growth: float) -> None:
    """Find points for as many arms as the growth of x asks for, the next ones in turn."""
    shared = player.state.shared[0]
    turns = min(block.arms * growth / GROWTH, 1.0 * block.arms)
    for turn in range(int(shared.turn), int(shared.turn + turns)):
        renew_arm(player, block, now, turn % block.arms)
    shared.turn = (shared.turn + turns) % block.arms


@compilable
def renew_arm(player: IndexPlayer, block: Block, now: float, k: int) -> None:
    """Find a point for one arm of all lanes."""
    table, each = player.state.table, 1.0 / player.state.shared[0].weight
    mean, count = line(block.shape, MEAN, k), line(block.shape, COUNT, k)
    low, start = line(block.shape, LOW, k), line(block.shape, START, k)
    rate, hint = line(block.shape, RATE, k), line(block.shape, HINT, k)
    for lane in range(width_of(block)):
        _, _, _, table[hint + lane] = bounds_of(
            player, table[mean + lane], table[count + lane], table[hint + lane], now, each
        )
    for lane in range(width_of(block)):
        table[low + lane], table[start + lane], table[rate + lane], table[hint + lane] = bounds_of(
            player, table[mean + lane], table[count + lane], table[hint + lane], now, each
        )


@compilable
def renew(player: IndexPlayer, block: Block, now: float, arm: Any) -> None:
    """Find a point for every lane's `arm`, side by side."""
    side, table, each = player.state.side, player.state.table, 1.0 / player.state.shared[0].weight
    for lane in range(width_of(block)):
        side[lane] = pick(table, block, MEAN, arm[lane], lane)
        side[LANES + lane] = pick(table, block, COUNT, arm[lane], lane)
        side[2 * LANES + lane] = pick(table, block, HINT, arm[lane], lane)
    find_points(player, block.lanes, now, each)
    for lane in range(width_of(block)):
        put(table, block, LOW, arm[lane], lane, side[lane])
        put(table, block, START, arm[lane], lane, side[LANES + lane])
        put(table, block, RATE, arm[lane], lane, side[2 * LANES + lane])
        put(table, block, HINT, arm[lane], lane, side[3 * LANES + lane])


@compilable
def compare_tangents(block: Block, state: State, x: float) -> None:
    """Find the three highest tangents, the arms of two, and the lower bound of the first."""
    rows, arm, rival, table = block.rows, block.arm, state.gone, state.table
    for lane in range(width_of(block)):
        rows[LEAD + lane] = rows[RIVAL + lane] = rows[THIRD + lane] = -math.inf
        rows[SURE + lane] = -math.inf
        arm[lane] = rival[lane] = 0
    for k in range(block.arms):
        low, start = line(block.shape, LOW, k), line(block.shape, START, k)
        rate = line(block.shape, RATE, k)
        for lane in range(width_of(block)):
            high, least = table[start + lane] + x * table[rate + lane], table[low + lane]
            first, second, third = rows[LEAD + lane], rows[RIVAL + lane], rows[THIRD + lane]
            sure, leader, runner = rows[SURE + lane], arm[lane], rival[lane]
            leads, follows = high > first, high > second
            rows[THIRD + lane] = second if follows else max(third, high)
            rows[RIVAL + lane] = first if leads else high if follows else second
            rival[lane] = leader if leads else k if follows else runner
            rows[LEAD + lane] = high if leads else first
            rows[SURE + lane] = least if leads else sure
            arm[lane] = k if leads else leader
