"""Many arms: choose the same arm as the full comparison, looking at few groups of arms.

The index of an arm, mean + slope · root, moves along a line as the slope grows, and only the arm
just played (or one whose play leaves a window) gets another line. The arms of a lane form groups;
of each group are kept the line of its best arm, that arm, and the slope until which no other arm
of the group can overtake it. So a round compares the best arms of the groups, and looks into a
group only if one of its arms has changed or its time is up. The decision is that of the plain
argmax, to the last bit: arms too close for rounding are looked at again at the next slope.

Groups to look into are noted first, of all lanes, and then looked into side by side.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import FAR, FIRST, LANES, SECOND, VECTOR, Block, bounded, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.state import MEAN, ROOT, State

MANY = 192
"""From this many arms on, comparing them by groups is faster than comparing all."""

LINE_MEAN, LINE_ROOT, ARM = range(3)
"""Of the best arm of a group, in `leaders`: its line, and which one it is."""

CLOSE = 1e-12
"""Indices that differ by less than this share are too close for rounding."""

SOONEST = SECOND
"""A shared row: by lane, a slope before which no group's time is up."""

APART = LANES + VECTOR
"""Numbers between two rows of `side`; a power of two would make them share cache lines."""

TOP, BEST, TOP_MEAN, TOP_ROOT, WAIT, LINES = (row * APART for row in range(6))
"""Rows of `side`: the best arms of the groups looked into, and then the lines of all arms."""


@compilable
def distrust_all(block: Block, state: State) -> None:
    """Mark the leaders of all groups as out of date."""
    state.groups.until[:] = -math.inf
    for lane in range(LANES):
        block.rows[SOONEST + lane] = -math.inf


@compilable
def choose_in_groups(block: Block, state: State, slope: float) -> None:
    """Choose the largest mean + slope · root, the lowest of equals.

    The groups of the arm played last and of the one whose play left have changed.
    """
    rows, arm, groups = block.rows, block.arm, state.groups
    noted = 0
    for lane in range(width_of(block)):
        noted = note(block, state, lane, arm[lane] >> groups.shift, noted, slope)
    if state.ring.arm.shape[0] > 0:
        for lane in range(width_of(block)):
            noted = note(block, state, lane, state.gone[lane] >> groups.shift, noted, slope)
    for lane in range(width_of(block)):
        if not slope <= rows[SOONEST + lane]:
            rows[SOONEST + lane] = math.inf
            for group in range(groups.leaders.shape[1]):
                until = groups.until[lane, group]
                if slope <= until:
                    rows[SOONEST + lane] = min(rows[SOONEST + lane], until)
                else:
                    noted = note(block, state, lane, group, noted, slope)
    look(block, state, noted, slope)
    compare(block, state, slope)


@compilable
def compare(block: Block, state: State, slope: float) -> None:
    """Choose the best of the groups' best arms, that of the lowest group of equals."""
    rows, arm, leaders = block.rows, block.arm, state.groups.leaders
    for lane in range(width_of(block)):
        rows[FIRST + lane] = -math.inf
        arm[lane] = 0
    for group in range(leaders.shape[1]):
        for lane in range(width_of(block)):
            index = leaders[LINE_MEAN, group, lane] + slope * leaders[LINE_ROOT, group, lane]
            lead, leader = rows[FIRST + lane], arm[lane]
            better = index > lead
            rows[FIRST + lane] = index if better else lead
            arm[lane] = group if better else leader
    for lane in range(width_of(block)):
        arm[lane] = int(leaders[ARM, arm[lane], lane])


@compilable
def note(block: Block, state: State, lane: int, group: Any, noted: int, slope: float) -> int:
    """Note a group to look into; there is room for LANES of them. Return how many are noted."""
    notes = state.groups.notes
    notes[0, noted] = lane
    notes[1, noted] = group
    if noted + 1 < LANES:
        return noted + 1
    look(block, state, LANES, slope)
    return 0


@compilable
def look(block: Block, state: State, noted: int, slope: float) -> None:
    """Find the best arm of every noted group at this slope, and until when it leads."""
    table, shape, rows, groups = state.table, block.shape, block.rows, state.groups
    side, notes, leaders, until, shift = (
        groups.side,
        groups.notes,
        groups.leaders,
        groups.until,
        groups.shift,
    )
    mean, root, size = MEAN * shape[0], ROOT * shape[0], 1 << shift
    roots = LINES + size * APART
    for at in range(noted):
        first = notes[0, at] * shape[2] + (notes[1, at] << shift)
        for start in range(0, size, VECTOR):
            from_mean, from_root = (mean + first + start) & FAR, (root + first + start) & FAR
            to_mean = (LINES + start * APART + at) & FAR
            to_root = (roots + start * APART + at) & FAR
            for j in range(VECTOR):
                side[to_mean + j * APART] = table[from_mean + j]
                side[to_root + j * APART] = table[from_root + j]
    columns = noted + VECTOR - 1
    find_best(columns, size, slope, side)
    find_wait(columns, size, slope, side)
    for at in range(noted):
        lane, group = notes[0, at] & FAR, notes[1, at] & FAR
        leaders[LINE_MEAN, group, lane] = side[TOP_MEAN + at]
        leaders[LINE_ROOT, group, lane] = side[TOP_ROOT + at]
        leaders[ARM, group, lane] = side[BEST + at] + (group << shift)
        limit, soonest = slope + side[WAIT + at], rows[SOONEST + lane]
        until[lane, group] = limit
        rows[SOONEST + lane] = limit if limit < soonest else soonest


@compilable
def find_best(columns: int, size: int, slope: float, side: Any) -> None:
    """Find the largest index of every column of `side`, the lowest arm of equals."""
    roots = LINES + size * APART
    for at in range(bounded(columns)):
        side[TOP + at] = side[TOP_MEAN + at] = -math.inf
        side[BEST + at] = side[TOP_ROOT + at] = 0.0
    for j in range(size):
        mean, root = (LINES + j * APART) & FAR, (roots + j * APART) & FAR
        for at in range(bounded(columns)):
            one_mean, one_root, top = side[mean + at], side[root + at], side[TOP + at]
            best, top_mean, top_root = side[BEST + at], side[TOP_MEAN + at], side[TOP_ROOT + at]
            index = one_mean + slope * one_root
            better = index > top
            side[TOP + at] = index if better else top
            side[BEST + at] = float(j) if better else best
            side[TOP_MEAN + at] = one_mean if better else top_mean
            side[TOP_ROOT + at] = one_root if better else top_root


@compilable
def find_wait(columns: int, size: int, slope: float, side: Any) -> None:
    """Find by how much the slope may grow before another arm of a column can lead.

    Arm k overtakes the best one, b, when the slope has grown by the lag of its index over
    root_k − root_b. The result holds up to twice the slope: beyond, rounding is larger.
    """
    roots = LINES + size * APART
    for at in range(bounded(columns)):
        side[WAIT + at] = slope
    for j in range(size):
        means, root = (LINES + j * APART) & FAR, (roots + j * APART) & FAR
        for at in range(bounded(columns)):
            top, top_mean, top_root = side[TOP + at], side[TOP_MEAN + at], side[TOP_ROOT + at]
            one_mean, one_root, least = side[means + at], side[root + at], side[WAIT + at]
            lag = top - (one_mean + slope * one_root) - CLOSE * top
            steeper = one_root - top_root
            wait = lag / steeper
            wait = wait if steeper > 0.0 else slope
            wait = wait if lag > 0.0 else 0.0
            wait = slope if (one_mean == top_mean) & (one_root == top_root) else wait
            side[WAIT + at] = wait if wait < least else least
