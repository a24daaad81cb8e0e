"""Many arms: most of them cannot have the largest index now, nor for a while, and it is known.

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

from driftbandit.core.lanes import FAR, FIRST, LANES, SECOND, VECTOR, Shape, known_lanes
from driftbandit.core.marking import compilable

MANY = 192
"""From this many arms on, comparing them by groups is faster than comparing all."""

MEAN, ROOT, ARM = range(3)
"""Of the best arm of a group: its line, and which one it is."""

CLOSE = 1e-12
"""Indices that differ by less than this share are too close for rounding."""

SOONEST = SECOND
"""A shared row: by lane, a slope before which no group's time is up."""

APART = LANES + VECTOR
"""Numbers between two rows of `Space.side`; a power of two would make them share cache lines."""

TOP, BEST, TOP_MEAN, TOP_ROOT, WAIT, LINES = (row * APART for row in range(6))
"""Rows of `Space.side`: what is found in the groups looked into, and then the lines of all arms."""


@compilable
def distrust_all(space: Any) -> None:
    """End the time of all groups."""
    space.until[:] = -math.inf
    for lane in range(LANES):
        space.rows[SOONEST + lane] = -math.inf


@compilable
def choose_in_crowd(
    lanes: int, shape: Shape, mean: int, root: int, slope: float, space: Any
) -> None:
    """Play the largest mean + slope · root, the lowest of equals.

    `mean` and `root` say where in `state` these rows begin. The groups of the arm played last and
    of the one whose play left have changed.
    """
    rows, arm, leaders = space.rows, space.arm, space.leaders
    noted = 0
    for lane in range(known_lanes(lanes)):
        noted = note(lane, arm[lane] >> space.shift, noted, shape, mean, root, slope, space)
    if space.ring_arm.shape[0] > 0:
        for lane in range(known_lanes(lanes)):
            group = space.gone[lane] >> space.shift
            noted = note(lane, group, noted, shape, mean, root, slope, space)
    for lane in range(known_lanes(lanes)):
        if not slope <= rows[SOONEST + lane]:
            rows[SOONEST + lane] = math.inf
            for group in range(leaders.shape[1]):
                until = space.until[lane, group]
                if slope <= until:
                    rows[SOONEST + lane] = min(rows[SOONEST + lane], until)
                else:
                    noted = note(lane, group, noted, shape, mean, root, slope, space)
    look(noted, shape, mean, root, slope, space)
    compare(lanes, slope, space)


@compilable
def compare(lanes: int, slope: float, space: Any) -> None:
    """Play the best of the groups' best arms, that of the lowest group of equals."""
    rows, arm, leaders = space.rows, space.arm, space.leaders
    for lane in range(known_lanes(lanes)):
        rows[FIRST + lane] = -math.inf
        arm[lane] = 0
    for group in range(leaders.shape[1]):
        for lane in range(known_lanes(lanes)):
            index = leaders[MEAN, group, lane] + slope * leaders[ROOT, group, lane]
            lead, leader = rows[FIRST + lane], arm[lane]
            better = index > lead
            rows[FIRST + lane] = index if better else lead
            arm[lane] = group if better else leader
    for lane in range(known_lanes(lanes)):
        arm[lane] = int(leaders[ARM, arm[lane], lane])


@compilable
def note(
    lane: int, group: int, noted: int, shape: Shape, mean: int, root: int, slope: float, space: Any
) -> int:
    """Note a group to look into; there is room for LANES of them. Return how many are noted."""
    space.notes[0, noted] = lane
    space.notes[1, noted] = group
    if noted + 1 < LANES:
        return noted + 1
    look(LANES, shape, mean, root, slope, space)
    return 0


@compilable
def look(noted: int, shape: Shape, mean: int, root: int, slope: float, space: Any) -> None:
    """Find the best arm of every noted group at this slope, and until when it will be."""
    state, side, notes, leaders = space.state, space.side, space.notes, space.leaders
    until, rows, shift = space.until, space.rows, space.shift
    size = 1 << shift
    roots = LINES + size * APART
    for at in range(noted):
        first = notes[0, at] * shape[2] + (notes[1, at] << shift)
        for start in range(0, size, VECTOR):
            from_mean, from_root = (mean + first + start) & FAR, (root + first + start) & FAR
            to_mean = (LINES + start * APART + at) & FAR
            to_root = (roots + start * APART + at) & FAR
            for j in range(VECTOR):
                side[to_mean + j * APART] = state[from_mean + j]
                side[to_root + j * APART] = state[from_root + j]
    columns = noted + VECTOR - 1
    find_best(columns, size, slope, side)
    find_wait(columns, size, slope, side)
    for at in range(noted):
        lane, group = notes[0, at] & FAR, notes[1, at] & FAR
        leaders[MEAN, group, lane] = side[TOP_MEAN + at]
        leaders[ROOT, group, lane] = side[TOP_ROOT + at]
        leaders[ARM, group, lane] = side[BEST + at] + (group << shift)
        limit, soonest = slope + side[WAIT + at], rows[SOONEST + lane]
        until[lane, group] = limit
        rows[SOONEST + lane] = limit if limit < soonest else soonest


@compilable
def find_best(columns: int, size: int, slope: float, side: Any) -> None:
    """Find the largest index of every column of `side`, the lowest arm of equals."""
    roots = LINES + size * APART
    for at in range(known_lanes(columns)):
        side[TOP + at] = side[TOP_MEAN + at] = -math.inf
        side[BEST + at] = side[TOP_ROOT + at] = 0.0
    for j in range(size):
        mean, root = (LINES + j * APART) & FAR, (roots + j * APART) & FAR
        for at in range(known_lanes(columns)):
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
    root_k − root_b. What is found holds up to twice the slope: beyond, rounding is larger.
    """
    roots = LINES + size * APART
    for at in range(known_lanes(columns)):
        side[WAIT + at] = slope
    for j in range(size):
        means, root = (LINES + j * APART) & FAR, (roots + j * APART) & FAR
        for at in range(known_lanes(columns)):
            top, top_mean, top_root = side[TOP + at], side[TOP_MEAN + at], side[TOP_ROOT + at]
            one_mean, one_root, least = side[means + at], side[root + at], side[WAIT + at]
            lag = top - (one_mean + slope * one_root) - CLOSE * top
            steeper = one_root - top_root
            wait = lag / steeper
            wait = wait if steeper > 0.0 else slope
            wait = wait if lag > 0.0 else 0.0
            wait = slope if (one_mean == top_mean) & (one_root == top_root) else wait
            side[WAIT + at] = wait if wait < least else least
