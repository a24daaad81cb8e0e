"""Indices that are costly to compute: most arms cannot have the largest now, and it is known.

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
    Known,
    Shape,
    known_lanes,
    line,
    pick,
    place,
    put,
)
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep_memory import (
    CLOCK,
    COUNT,
    MEAN,
    SLOPE,
    TAIL,
    TIME,
    WEIGHT,
)

VALUE, START, RATE, ROWS = range(CLOCK, CLOCK + 4)
"""Rows of an arm in place of those that only a policy with restarts has: a value the index had, and
the tangent START + x · RATE."""

CLOSE = 1e-11
"""Indices that differ by less than this share are too close for rounding."""

SIDE_BY_SIDE = 6
"""Computing the indices of one arm of all lanes takes as long as those of one lane in so many."""


@compilable
def choose_by_lines(
    level: Any, tangent: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Play the largest index, computing few of them."""
    carry = space.carry
    now = level(max(carry[TIME], 1.0), *numbers[1])
    x = now * carry[WEIGHT]
    if not x >= carry[SLOPE]:
        forget_lines(lanes, shape, arms, space)
    carry[SLOPE] = x
    if carry[TAIL] > 1.0:
        renew(tangent, lanes, shape, few, now, space.gone, space, numbers)
    unsettled, before = lanes, 2 * lanes
    while SIDE_BY_SIDE * unsettled > lanes and 2 * unsettled <= before:
        before = unsettled  # the arm just played, and in the next turn the one that seems to lead
        renew(tangent, lanes, shape, few, now, space.arm, space, numbers)
        unsettled = compare_lines(lanes, shape, few, arms, x, space)
    for lane in range(known_lanes(lanes)):
        if not space.rows[LEAVING + lane] > 0.0:
            settle(tangent, lane, shape, arms, now, x, space, numbers)


@compilable
def forget_lines(lanes: int, shape: Shape, arms: int, space: Any) -> None:
    """Know nothing of any index but that it is finite or not."""
    for k in range(arms):
        for lane in range(known_lanes(lanes)):
            space.state[place(shape, VALUE, k, lane)] = -math.inf
            space.state[place(shape, START, k, lane)] = math.inf
            space.state[place(shape, RATE, k, lane)] = 0.0


@compilable
def renew(
    tangent: Any, lanes: int, shape: Shape, few: Known, now: float, arm: Any, space: Any,
    numbers: Any,
) -> None:  # fmt: skip  # as above
    """Compute the index of every lane's `arm` and its tangent, side by side."""
    rows, state, each = space.rows, space.state, 1.0 / space.carry[WEIGHT]
    for lane in range(known_lanes(lanes)):
        rows[FIRST + lane] = pick(state, shape, few, MEAN, arm[lane], lane)
        rows[SECOND + lane] = pick(state, shape, few, COUNT, arm[lane], lane)
    for lane in range(known_lanes(lanes)):
        mean, count = rows[FIRST + lane], rows[SECOND + lane]
        value, start, rate = line_of(tangent, mean, count, now, each, numbers)
        rows[FIRST + lane], rows[SECOND + lane], rows[REWARD + lane] = value, start, rate
    for lane in range(known_lanes(lanes)):
        put(state, shape, few, VALUE, arm[lane], lane, rows[FIRST + lane])
        put(state, shape, few, START, arm[lane], lane, rows[SECOND + lane])
        put(state, shape, few, RATE, arm[lane], lane, rows[REWARD + lane])


@compilable
def line_of(
    tangent: Any, mean: float, count: float, now: float, each: float, numbers: Any
) -> tuple[float, float, float]:
    """Return an index and its tangent in x; infinite where there is no remembered play."""
    seen = count > 0.0
    share = now / (count * each if seen else 1.0)
    value, rate = tangent(mean if seen else 0.0, share, *numbers[1])
    value = value if seen else math.inf
    return value, value - rate * share, rate / count if seen else 0.0


@compilable
def compare_lines(lanes: int, shape: Shape, few: Known, arms: int, x: float, space: Any) -> int:
    """Find the highest tangent, and by how much its arm is known to lead the others.

    Return in how many lanes it is not known to lead.
    """
    rows, arm, state = space.rows, space.arm, space.state
    for lane in range(known_lanes(lanes)):
        rows[FIRST + lane] = rows[SECOND + lane] = rows[REWARD + lane] = -math.inf
        arm[lane] = 0
    for k in range(arms):
        value, start, rate = line(shape, VALUE, k), line(shape, START, k), line(shape, RATE, k)
        for lane in range(known_lanes(lanes)):
            high, low = state[start + lane] + x * state[rate + lane], state[value + lane]
            lead, second = rows[FIRST + lane], rows[SECOND + lane]
            sure, leader = rows[REWARD + lane], arm[lane]
            better = high > lead
            rows[FIRST + lane] = high if better else lead
            rows[SECOND + lane] = lead if better else high if high > second else second
            rows[REWARD + lane] = low if better else sure
            arm[lane] = k if better else leader
    for lane in range(known_lanes(lanes)):
        sure = rows[REWARD + lane]
        rows[LEAVING + lane] = sure - CLOSE * abs(sure) - rows[SECOND + lane]
    unsettled = 0
    for lane in range(known_lanes(lanes)):
        unsettled += 0 if rows[LEAVING + lane] > 0.0 else 1
    return unsettled


@compilable
def settle(
    tangent: Any, lane: int, shape: Shape, arms: int, now: float, x: float, space: Any, numbers: Any
) -> None:
    """Compute the indices of the arm with the highest tangent and of all that come close to it."""
    first = int(space.arm[lane])
    lead, leader = -math.inf, first
    for turn in range(-1, arms):
        k = first if turn < 0 else turn
        start, rate = place(shape, START, k, lane), place(shape, RATE, k, lane)
        if not space.state[start] + x * space.state[rate] < lead - CLOSE * abs(lead):
            value = renew_one(tangent, lane, k, shape, now, space, numbers)
            if value > lead or (value == lead and k < leader):
                lead, leader = value, k
    space.arm[lane] = leader


@compilable
def renew_one(
    tangent: Any, lane: int, k: int, shape: Shape, now: float, space: Any, numbers: Any
) -> float:
    """Compute an arm's index and tangent; return the index."""
    state = space.state
    mean, count = state[place(shape, MEAN, k, lane)], state[place(shape, COUNT, k, lane)]
    value, start, rate = line_of(tangent, mean, count, now, 1.0 / space.carry[WEIGHT], numbers)
    state[place(shape, VALUE, k, lane)] = value
    state[place(shape, START, k, lane)] = start
    state[place(shape, RATE, k, lane)] = rate
    return value
