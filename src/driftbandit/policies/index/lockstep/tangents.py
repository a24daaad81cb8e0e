"""Indices that are costly to compute: choose the same arm, computing few of them.

An index of a mean and the share x / count, where x = level(clock) · weight never falls, moves along
a concave curve as x grows; only an arm just played, one whose play leaves a window, and one that is
forgotten after an alarm get another curve. Of every arm are kept a lower bound of its index and
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

from driftbandit.core.lanes import LANES, Block, line, on, pick, put, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.points import find_hints, find_points, x_at
from driftbandit.policies.index.lockstep.state import (
    CLOCK,
    COUNT,
    HINT,
    LEAD,
    LEVEL,
    LOW,
    MEAN,
    RATE,
    RIVAL,
    START,
    SURE,
    THIRD,
    IndexPlayer,
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
    """Choose the largest index, computing few of them; all lanes have the same clock."""
    shared = player.state.shared[0]
    now = player.rules.level(max(shared.clock, 1.0), *player.numbers.explore)
    x = now * shared.weight
    if not x >= shared.slope:
        renew_all(player, block, x)
        shared.turn = 0.0
    elif x > shared.slope:
        renew_in_turn(player, block, x, x / shared.slope - 1.0)
    shared.slope = x
    if shared.oldest > 1.0:
        renew(player, block, x, player.state.gone)
    choose_highest(player, block, now, x)


@compilable
def choose_by_levels(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest index, computing few of them; lanes, and perhaps arms, have clocks."""
    shared, table, shape = player.state.shared[0], player.state.table, block.shape
    for k in range(1 if on(player.flags.one_clock) else block.arms):
        level, clock = line(shape, LEVEL, k), line(shape, CLOCK, k)
        for lane in range(width_of(block)):
            rounds = max(table[clock + lane], 1.0)
            table[level + lane] = player.rules.level(rounds, *player.numbers.explore)
    if shared.slope == math.inf:
        renew_all(player, block, 0.0)
        shared.slope = 0.0
    choose_highest(player, block, 0.0, 0.0)


@compilable
def choose_highest(player: IndexPlayer, block: Block, now: float, x: float) -> None:
    """Choose the largest index from bounds of which only those of the arm just played are void."""
    state = player.state
    renew(player, block, x, block.arm)
    compare_tangents(player, block, x)
    number = list_unsettled(block, state)
    for _ in range(ATTEMPTS):
        if number > 0:
            renew_listed(player, block, x, block.arm, number)
            renew_listed(player, block, x, state.gone, number)
            number = compare_again(player, block, now, x, number)
    for i in range(number):
        settle(player, block, int(state.listed[i]), now, x)


@compilable
def renew_all(player: IndexPlayer, block: Block, x: float) -> None:
    """Find a point for every arm."""
    for k in range(block.arms):
        renew_arm(player, block, x, k)


@compilable
def renew_in_turn(player: IndexPlayer, block: Block, x: float, growth: float) -> None:
    """Find points for as many arms as the growth of x asks for, the next ones in turn."""
    shared = player.state.shared[0]
    turns = min(block.arms * growth / GROWTH, 1.0 * block.arms)
    for turn in range(int(shared.turn), int(shared.turn + turns)):
        renew_arm(player, block, x, turn % block.arms)
    shared.turn = (shared.turn + turns) % block.arms


@compilable
def renew_arm(player: IndexPlayer, block: Block, x: float, k: int) -> None:
    """Find a point for one arm of all lanes."""
    table, side = player.state.table, player.state.side
    mean, count, hint = (
        line(block.shape, MEAN, k),
        line(block.shape, COUNT, k),
        line(block.shape, HINT, k),
    )
    for lane in range(width_of(block)):
        side[lane], side[LANES + lane] = table[mean + lane], table[count + lane]
        side[2 * LANES + lane] = table[hint + lane]
        side[3 * LANES + lane] = x_at(player, block, k, lane, x)
    find_hints(player, block.lanes)
    find_points(player, block.lanes)
    low, start, rate = (
        line(block.shape, LOW, k),
        line(block.shape, START, k),
        line(block.shape, RATE, k),
    )
    for lane in range(width_of(block)):
        table[low + lane], table[start + lane] = side[lane], side[LANES + lane]
        table[rate + lane], table[hint + lane] = side[2 * LANES + lane], side[3 * LANES + lane]


@compilable
def renew(player: IndexPlayer, block: Block, x: float, arm: Any) -> None:
    """Find a point for every lane's `arm`, side by side."""
    side, table = player.state.side, player.state.table
    for lane in range(width_of(block)):
        side[lane] = pick(table, block, MEAN, arm[lane], lane)
        side[LANES + lane] = pick(table, block, COUNT, arm[lane], lane)
        side[2 * LANES + lane] = pick(table, block, HINT, arm[lane], lane)
        side[3 * LANES + lane] = x_at(player, block, int(arm[lane]), lane, x)
    find_points(player, block.lanes)
    for lane in range(width_of(block)):
        put(table, block, LOW, arm[lane], lane, side[lane])
        put(table, block, START, arm[lane], lane, side[LANES + lane])
        put(table, block, RATE, arm[lane], lane, side[2 * LANES + lane])
        put(table, block, HINT, arm[lane], lane, side[3 * LANES + lane])


@compilable
def compare_tangents(player: IndexPlayer, block: Block, x: float) -> None:
    """Find the three highest tangents, the arms of two, and the lower bound of the first."""
    rows, arm, rival, table = block.rows, block.arm, player.state.gone, player.state.table
    for lane in range(width_of(block)):
        rows[LEAD + lane] = rows[RIVAL + lane] = rows[THIRD + lane] = -math.inf
        rows[SURE + lane] = -math.inf
        arm[lane] = rival[lane] = 0
    for k in range(block.arms):
        low, start = line(block.shape, LOW, k), line(block.shape, START, k)
        rate = line(block.shape, RATE, k)
        for lane in range(width_of(block)):
            high = table[start + lane] + x_at(player, block, k, lane, x) * table[rate + lane]
            first, second, third = rows[LEAD + lane], rows[RIVAL + lane], rows[THIRD + lane]
            least, sure = table[low + lane], rows[SURE + lane]
            leader, runner = arm[lane], rival[lane]
            leads, follows = high > first, high > second
            rows[THIRD + lane] = second if follows else max(third, high)
            rows[RIVAL + lane] = first if leads else high if follows else second
            rival[lane] = leader if leads else k if follows else runner
            rows[LEAD + lane] = high if leads else first
            rows[SURE + lane] = least if leads else sure
            arm[lane] = k if leads else leader
