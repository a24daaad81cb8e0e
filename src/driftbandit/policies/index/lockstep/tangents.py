"""Indices that are costly to compute: choose the same arm, computing few of them.

An index of a mean and the share x / count, where x = level(clock) · weight is the same for all
arms and never falls, moves along a concave curve as x grows; only the arm just played, or one
whose play leaves a window, gets another curve. Of every arm are kept its value at some x, and the
tangent there: later the index is at least that value, and at most what the tangent says. So a round
computes the index of the arms that changed, compares tangents as UCB compares lines, and computes
more only where two arms come too close. The decision is that of the plain argmax, to the last bit.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import (
    FIRST,
    LEAVING,
    REWARD,
    SECOND,
    Block,
    line,
    pick,
    place,
    put,
    width_of,
)
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.state import (
    COUNT,
    MEAN,
    RATE,
    START,
    VALUE,
    IndexPlayer,
    State,
)

CLOSE = 1e-11
"""Indices that differ by less than this share are too close for rounding."""

SIDE_BY_SIDE = 6
"""Computing the indices of one arm of all lanes takes as long as those of one lane in so many."""


@compilable
def choose_by_tangents(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest index, computing few of them."""
    state = player.state
    shared = state.shared[0]
    now = player.rules.level(max(shared.clock, 1.0), *player.numbers.explore)
    x = now * shared.weight
    if not x >= shared.slope:
        forget_tangents(block, state)
    shared.slope = x
    if shared.oldest > 1.0:
        renew(player, block, now, state.gone)
    unsettled, before = block.lanes, 2 * block.lanes
    while SIDE_BY_SIDE * unsettled > block.lanes and 2 * unsettled <= before:
        before = unsettled  # the arm just played, and in the next turn the one that seems to lead
        renew(player, block, now, block.arm)
        unsettled = compare_tangents(block, state, x)
    for lane in range(width_of(block)):
        if not block.rows[LEAVING + lane] > 0.0:
            settle(player, block, lane, now, x)


@compilable
def forget_tangents(block: Block, state: State) -> None:
    """Know nothing of any index but that it is finite or not."""
    table, shape = state.table, block.shape
    for k in range(block.arms):
        for lane in range(width_of(block)):
            table[place(shape, VALUE, k, lane)] = -math.inf
            table[place(shape, START, k, lane)] = math.inf
            table[place(shape, RATE, k, lane)] = 0.0


@compilable
def renew(player: IndexPlayer, block: Block, now: float, arm: Any) -> None:
    """Compute the index of every lane's `arm` and its tangent, side by side."""
    rows, table, each = block.rows, player.state.table, 1.0 / player.state.shared[0].weight
    for lane in range(width_of(block)):
        rows[FIRST + lane] = pick(table, block, MEAN, arm[lane], lane)
        rows[SECOND + lane] = pick(table, block, COUNT, arm[lane], lane)
    for lane in range(width_of(block)):
        mean, count = rows[FIRST + lane], rows[SECOND + lane]
        value, start, rate = tangent_of(player, mean, count, now, each)
        rows[FIRST + lane], rows[SECOND + lane], rows[REWARD + lane] = value, start, rate
    for lane in range(width_of(block)):
        put(table, block, VALUE, arm[lane], lane, rows[FIRST + lane])
        put(table, block, START, arm[lane], lane, rows[SECOND + lane])
        put(table, block, RATE, arm[lane], lane, rows[REWARD + lane])


@compilable
def tangent_of(
    player: IndexPlayer, mean: float, count: float, now: float, each: float
) -> tuple[float, float, float]:
    """Return an index and its tangent in x; infinite where no play is remembered."""
    seen = count > 0.0
    share = now / (count * each if seen else 1.0)
    value, rate = player.rules.tangent(mean if seen else 0.0, share, *player.numbers.explore)
    value = value if seen else math.inf
    return value, value - rate * share, rate / count if seen else 0.0


@compilable
def compare_tangents(block: Block, state: State, x: float) -> int:
    """Choose the highest tangent, and note by how much its arm is known to lead the others.

    Return in how many lanes it is not known to lead.
    """
    rows, arm, table, shape = block.rows, block.arm, state.table, block.shape
    for lane in range(width_of(block)):
        rows[FIRST + lane] = rows[SECOND + lane] = rows[REWARD + lane] = -math.inf
        arm[lane] = 0
    for k in range(block.arms):
        value, start, rate = line(shape, VALUE, k), line(shape, START, k), line(shape, RATE, k)
        for lane in range(width_of(block)):
            high, low = table[start + lane] + x * table[rate + lane], table[value + lane]
            lead, second = rows[FIRST + lane], rows[SECOND + lane]
            sure, leader = rows[REWARD + lane], arm[lane]
            better = high > lead
            rows[FIRST + lane] = high if better else lead
            rows[SECOND + lane] = lead if better else high if high > second else second
            rows[REWARD + lane] = low if better else sure
            arm[lane] = k if better else leader
    for lane in range(width_of(block)):
        sure = rows[REWARD + lane]
        rows[LEAVING + lane] = sure - CLOSE * abs(sure) - rows[SECOND + lane]
    unsettled = 0
    for lane in range(width_of(block)):
        unsettled += 0 if rows[LEAVING + lane] > 0.0 else 1
    return unsettled


@compilable
def settle(player: IndexPlayer, block: Block, lane: int, now: float, x: float) -> None:
    """Compute the indices of the arm with the highest tangent and of all that come close to it."""
    table, shape = player.state.table, block.shape
    first = int(block.arm[lane])
    lead, leader = -math.inf, first
    for turn in range(-1, block.arms):
        k = first if turn < 0 else turn
        start, rate = place(shape, START, k, lane), place(shape, RATE, k, lane)
        if not table[start] + x * table[rate] < lead - CLOSE * abs(lead):
            value = renew_one(player, block, lane, k, now)
            if value > lead or (value == lead and k < leader):
                lead, leader = value, k
    block.arm[lane] = leader


@compilable
def renew_one(player: IndexPlayer, block: Block, lane: int, k: int, now: float) -> float:
    """Compute an arm's index and tangent; return the index."""
    table, shape, each = player.state.table, block.shape, 1.0 / player.state.shared[0].weight
    mean, count = table[place(shape, MEAN, k, lane)], table[place(shape, COUNT, k, lane)]
    value, start, rate = tangent_of(player, mean, count, now, each)
    table[place(shape, VALUE, k, lane)] = value
    table[place(shape, START, k, lane)] = start
    table[place(shape, RATE, k, lane)] = rate
    return value
