"""Lanes in which the tangents of costly indices do not tell which arm leads.

They are gathered in a list, so that vectors are full, and looked at until they are settled.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import LANES, VECTOR, Block, bounded, on, place, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.points import find_hints, find_points, x_at
from driftbandit.policies.index.lockstep.state import (
    COUNT,
    HINT,
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

CLOSE = 1e-11
"""Indices that differ by less than this share are too close for rounding."""


@compilable
def list_unsettled(block: Block, state: State) -> int:
    """List the lanes where the arm with the highest tangent is not known to lead."""
    rows, listed = block.rows, state.listed
    for lane in range(width_of(block)):
        sure = rows[SURE + lane]
        rows[SURE + lane] = surely(sure) - rows[RIVAL + lane]
    number = 0
    for lane in range(width_of(block)):
        if not rows[SURE + lane] > 0.0:
            listed[number] = lane
            number += 1
    return number


@compilable
def renew_listed(player: IndexPlayer, block: Block, x: float, arm: Any, number: int) -> None:
    """Find a point for the `arm` of every lane of the list, side by side."""
    state, shape = player.state, block.shape
    table, side, listed = state.table, state.side, state.listed
    for i in range(number):
        lane, k = int(listed[i]), int(arm[listed[i]])
        side[i] = table[place(shape, MEAN, k, lane)]
        side[LANES + i] = table[place(shape, COUNT, k, lane)]
        side[2 * LANES + i] = table[place(shape, HINT, k, lane)]
        side[3 * LANES + i] = x_at(player, block, k, lane, x)
    find_hints(player, number + VECTOR - 1)
    find_points(player, number + VECTOR - 1)
    for i in range(number):
        lane, k = int(listed[i]), int(arm[listed[i]])
        table[place(shape, LOW, k, lane)] = side[i]
        table[place(shape, START, k, lane)] = side[LANES + i]
        table[place(shape, RATE, k, lane)] = side[2 * LANES + i]
        table[place(shape, HINT, k, lane)] = side[3 * LANES + i]


@compilable
def compare_again(player: IndexPlayer, block: Block, now: float, x: float, number: int) -> int:
    """Compare the two arms that led in the lanes of the list; keep those that are not settled."""
    state, shape, arm, rival = player.state, block.shape, block.arm, player.state.gone
    table, listed, left = state.table, state.listed, 0
    for i in range(number):
        lane = int(listed[i])
        one, other = int(arm[lane]), int(rival[lane])
        low, low_other = table[place(shape, LOW, one, lane)], table[place(shape, LOW, other, lane)]
        if low_other > low:
            one, other, low, low_other = other, one, low_other, low
        high = height(player, block, other, lane, x)
        arm[lane] = one
        settled = surely(low) > max(high, block.rows[THIRD + lane]) or scan(player, block, lane, x)
        if not settled:
            if arm[lane] == one and surely(high) <= low_other:
                settle(player, block, lane, now, x)  # better points will not part them
            else:
                listed[left] = lane
                left += 1
    return left


@compilable
def scan(player: IndexPlayer, block: Block, lane: int, x: float) -> bool:
    """Do as `compare_tangents` in one lane; return whether the leader is known to lead.

    Of arms that are alike, the lowest stands for all.
    """
    first = second = third = -math.inf
    leader = runner = 0
    for k in range(block.arms):
        high = height(player, block, k, lane, x)
        if high > third and not (k > 0 and alike(player, block, leader, k, lane)):
            if high > first:
                first, second, third, leader, runner = high, first, second, k, leader
            elif high > second:
                second, third, runner = high, second, k
            else:
                third = high
    block.arm[lane], player.state.gone[lane], block.rows[THIRD + lane] = leader, runner, third
    low = player.state.table[place(block.shape, LOW, leader, lane)]
    return bool(surely(low) > second)


@compilable
def alike(player: IndexPlayer, block: Block, one: int, other: int, lane: int) -> bool:
    """Say whether two arms have the same mean, count and clock, and so the same index."""
    table, shape = player.state.table, block.shape
    same = table[place(shape, MEAN, one, lane)] == table[place(shape, MEAN, other, lane)]
    same &= table[place(shape, COUNT, one, lane)] == table[place(shape, COUNT, other, lane)]
    clocks = x_at(player, block, one, lane, 0.0) == x_at(player, block, other, lane, 0.0)
    return bool(same & clocks)


@compilable
def height(player: IndexPlayer, block: Block, k: int, lane: int, x: float) -> float:
    """Return what an arm's tangent says of its index."""
    table, shape, x = player.state.table, block.shape, x_at(player, block, k, lane, x)
    return float(table[place(shape, START, k, lane)] + x * table[place(shape, RATE, k, lane)])


@compilable
def surely(low: float) -> float:
    """Return a number that an index with this lower bound is larger than, whatever rounding did."""
    return low - CLOSE * min(abs(low), 1e300)


@compilable
def settle(player: IndexPlayer, block: Block, lane: int, now: float, x: float) -> None:
    """Compute the indices of all arms that could lead, LANES of them side by side."""
    table, side, shape = player.state.table, player.state.side, block.shape
    least = -math.inf
    for k in range(block.arms):
        least = max(least, table[place(shape, LOW, k, lane)])
    least, lead, leader, number = surely(least), -math.inf, 0, 0
    for k in range(block.arms):
        if height(player, block, k, lane, x) >= least:
            side[number] = table[place(shape, MEAN, k, lane)]
            side[LANES + number] = table[place(shape, COUNT, k, lane)]
            side[2 * LANES + number] = k
            side[3 * LANES + number] = x_at(player, block, k, lane, now)
            number += 1
        if number == LANES or k == block.arms - 1:
            compute_indices(player, number + VECTOR - 1)
            for i in range(number):  # the lowest arm of equals stays
                if side[i] > lead:
                    lead, leader = side[i], int(side[2 * LANES + i])
                note_nan(player, i)
            number = 0
    block.arm[lane] = leader


@compilable
def compute_indices(player: IndexPlayer, number: int) -> None:
    """Turn rows of means and counts into a row of indices; infinite where no play is remembered."""
    side, each = player.state.side, 1.0 / player.state.shared[0].weight
    for i in range(bounded(number)):
        mean, count, now = side[i], side[LANES + i], side[3 * LANES + i]
        seen = count > 0.0
        share = now / (count * each if seen else 1.0)
        value, _ = player.rules.tangent(mean if seen else 0.0, share, *player.numbers.explore)
        side[i] = value if seen else math.inf


@compilable
def note_nan(player: IndexPlayer, i: int) -> None:
    """Note that an index is not a number, where a user's rule may have such."""
    side = player.state.side
    if not on(player.flags.trusted) and math.isnan(side[i]):
        player.state.shared[0].nan = 1.0 + side[2 * LANES + i]
