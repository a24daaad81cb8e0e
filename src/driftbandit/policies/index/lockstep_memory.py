"""What an index policy remembers of a block of runs, and how it forgets.

Of every arm and lane are kept: weighted sums of rewards and plays, the mean, and 1/√count.
Discounting would multiply all of them every round; instead the weight of new plays grows, and
everything is read relative to the current weight. So only the arm just played, and the one that
falls out of a window, are touched.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import (
    FAR,
    LANES,
    LEAVING,
    NO,
    REWARD,
    YES,
    Known,
    Shape,
    known_lanes,
    line,
    pick,
    place,
    put,
)
from driftbandit.core.marking import compilable
from driftbandit.policies.index.live_memory import HEAVIEST
from driftbandit.policies.index.lockstep_groups import distrust_all
from driftbandit.policies.learner import LIGHTEST

TOTAL, COUNT, MEAN, ROOT, LOST, SQUARE, CLOCK, BORN, ALL = range(9)
"""Rows of an arm; CLOCK and BORN only where there are restarts. All arms that are forgotten
together have the clock of arm 0."""

PLAYED, HELD, BY_ARM = range(ALL, ALL + 3)
"""Rows of an arm that remembers its own plays: how many there were, and how many it holds."""

ALARM = LEAVING
"""A shared row that is free once the round's plays are learned: whether a lane starts over."""

WEIGHT, TIME, TAIL, SLOPE = range(4)
"""Places of `carry`: the current weight, the clock, the oldest round kept, the last slope."""


@compilable
def learn_for_good(
    factor: Any, span: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Discount as round t passes and add the plays; none ever leaves."""
    fade, kept = factor(float(t), *numbers[0]), span(float(t), *numbers[0])
    fade_all(lanes, shape, arms, space, fade, flags)
    change(lanes, shape, few, space, space.arm, REWARD, space.carry[WEIGHT], NO, flags)
    space.carry[TIME] = tick(space.carry[TIME], fade, kept, flags)


@compilable
def learn_window(
    factor: Any, span: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Take out the plays that leave the window as round t passes, and add the new ones."""
    fade, kept = factor(float(t), *numbers[0]), span(float(t), *numbers[0])
    carry, size = space.carry, space.ring_arm.shape[0]
    fade_all(lanes, shape, arms, space, fade, flags)
    while carry[TAIL] <= t - kept:
        at = int(carry[TAIL]) % size
        recall(lanes, space, at, bound)
        change(lanes, shape, few, space, space.gone, LEAVING, -space.ring_weight[at], YES, flags)
        carry[TAIL] += 1.0
        if carry[TAIL] <= t - kept:
            carry[SLOPE] = math.inf  # what is known of indices reckons with one play that left
    change(lanes, shape, few, space, space.arm, REWARD, carry[WEIGHT], NO, flags)
    store(lanes, space, t % size, bound)
    carry[TIME] = tick(carry[TIME], fade, kept, flags)


@compilable
def learn_restarting(
    factor: Any, span: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Forget as round t passes, add the plays, and start over where there is reason to."""
    fade, kept = factor(float(t), *numbers[0]), span(float(t), *numbers[0])
    carry, size = space.carry, space.ring_arm.shape[0]
    fade_all(lanes, shape, arms, space, fade, flags)
    while size > 0 and carry[TAIL] <= t - kept:
        at = int(carry[TAIL]) % size
        recall(lanes, space, at, bound)
        for lane in range(known_lanes(lanes)):
            if carry[TAIL] > space.state[place(shape, BORN, space.gone[lane], lane)]:
                k, x, weight = space.gone[lane], space.rows[LEAVING + lane], space.ring_weight[at]
                change_one(lane, shape, few, space.state, k, -weight, x, YES, flags)
        carry[TAIL] += 1.0
    change(lanes, shape, few, space, space.arm, REWARD, carry[WEIGHT], NO, flags)
    if size > 0:
        store(lanes, space, t % size, bound)
    carry[TIME] = tick(carry[TIME], fade, kept, flags)
    for k in range(1 if len(flags[3]) > 0 else arms):
        clock = line(shape, CLOCK, k)
        for lane in range(known_lanes(lanes)):
            space.state[clock + lane] = tick(space.state[clock + lane], fade, kept, flags)
    start_over(alarm, due, lanes, shape, arms, t, space, numbers, flags)


@compilable
def learn_by_arm(
    factor: Any, span: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Let every new play take the place of its arm's oldest one, where there are enough."""
    kept, size = span(float(t), *numbers[0]), space.own_round.shape[0] // arms
    state, rows, clocks = space.state, space.rows, 1 if len(flags[3]) > 0 else arms
    for lane in range(known_lanes(lanes)):
        k = space.arm[lane]
        played = pick(state, shape, few, PLAYED, k, lane)
        held = pick(state, shape, few, HELD, k, lane)
        made = 0.0
        if held >= kept:
            held -= 1.0
            at = k * size + int(played - held - 1.0) % size
            made = space.own_round[at, lane]
            if made > pick(state, shape, few, BORN, k, lane):
                x = space.own_reward[at, lane] * bound
                change_one(lane, shape, few, state, k, -1.0, x, YES, flags)
        if len(flags[5]) > 0:
            made = 0.0
        for i in range(clocks):  # what leaves counted for the arms forgotten before it was played
            born = state[place(shape, BORN, i, lane)]
            state[place(shape, CLOCK, i, lane)] += 0.0 if made > born else 1.0
        at = k * size + int(played) % size
        space.own_round[at, lane] = t
        space.own_reward[at, lane] = rows[REWARD + lane] / bound
        put(state, shape, few, PLAYED, k, lane, played + 1.0)
        put(state, shape, few, HELD, k, lane, held + 1.0)
    change(lanes, shape, few, space, space.arm, REWARD, 1.0, NO, flags)
    start_over(alarm, due, lanes, shape, arms, t, space, numbers, flags)


@compilable
def start_over(
    alarm: Any, due: Any, lanes: int, shape: Shape, arms: int, t: int, space: Any, numbers: Any,
    flags: tuple[Known, ...],
) -> None:  # fmt: skip  # as above
    """Forget an arm, or all, in lanes where the detector says so."""
    ask(
        alarm, lanes, shape, arms, space.arm, space.rows, space.state, space.memory, space.kept,
        space.carry[WEIGHT], numbers[2],
    )  # fmt: skip
    planned = due(float(t), *numbers[2])
    for lane in range(known_lanes(lanes)):
        if planned or space.rows[ALARM + lane] > 0.0:
            k, everywhere = int(space.arm[lane]), planned or len(flags[3]) > 0
            first, last = (0, arms) if everywhere else (k, k + 1)
            restart(lane, first, last, shape, arms, t, space)


@compilable
def tick(clock: float, fade: float, kept: float, flags: tuple[Known, ...]) -> float:
    """Return the clock after a round: how many are remembered, or all where it is ageing."""
    return fade * clock + 1.0 if len(flags[5]) > 0 else min(fade * clock + 1.0, kept)


@compilable
def fade_all(
    lanes: int, shape: Shape, arms: int, space: Any, fade: float, flags: tuple[Known, ...]
) -> None:
    """Discount all that is known, by raising the weight of what comes."""
    space.carry[WEIGHT] /= fade
    if space.carry[WEIGHT] > HEAVIEST:
        rescale(lanes, shape, arms, space)
        if len(flags[2]) > 0:
            distrust_all(space)


@compilable
def rescale(lanes: int, shape: Shape, arms: int, space: Any) -> None:
    """Make the current weight 1 again, before it overflows; no count reaches zero by it."""
    state, weight = space.state, space.carry[WEIGHT]
    scale, grow = 1.0 / weight, math.sqrt(weight)
    for k in range(arms):
        for lane in range(known_lanes(lanes)):
            state[place(shape, TOTAL, k, lane)] *= scale
            state[place(shape, LOST, k, lane)] *= scale
            state[place(shape, SQUARE, k, lane)] *= scale
            count, root = place(shape, COUNT, k, lane), place(shape, ROOT, k, lane)
            if state[count] > 0.0:
                state[count] = max(state[count] * scale, LIGHTEST)
                state[root] = min(state[root] * grow, LIGHTEST**-0.5)
    for at in range(space.ring_weight.shape[0]):
        space.ring_weight[at] *= scale
    space.carry[WEIGHT] = 1.0


@compilable
def change(
    lanes: int, shape: Shape, few: Known, space: Any, arm: Any, row: int, weight: float,
    leaving: Known, flags: tuple[Known, ...],
) -> None:  # fmt: skip  # arm, row, weight: the play
    """Add a play of every lane's arm, or take it out: its weight is then negative."""
    state, rows, row = space.state, space.rows, row & FAR
    for lane in range(known_lanes(lanes)):
        change_one(lane, shape, few, state, arm[lane], weight, rows[row + lane], leaving, flags)


@compilable
def change_one(
    lane: int, shape: Shape, few: Known, state: Any, k: int, weight: float, x: float,
    leaving: Known, flags: tuple[Known, ...],
) -> None:  # fmt: skip  # k, weight, x: the play
    """Add a play to the sums of its arm, or take it out, and renew mean and 1/√count.

    Where plays leave, what rounding loses is kept, so that the sums never drift; sums of zeros and
    ones lose nothing. Whatever is left of an arm weighs at least as much as the play that left.
    """
    variance, exact = len(flags[0]) > 0, len(flags[1]) > 0
    amount = weight * x
    before = pick(state, shape, few, TOTAL, k, lane)
    total = before + amount
    count = pick(state, shape, few, COUNT, k, lane) + weight
    left = count > -0.5 * weight if len(leaving) > 0 else True
    lost = 0.0
    if not exact:
        part = total - before
        lost = pick(state, shape, few, LOST, k, lane)
        lost += (before - (total - part)) + (amount - part)
        put(state, shape, few, LOST, k, lane, lost if left else 0.0)
    if variance:
        square = pick(state, shape, few, SQUARE, k, lane) + amount * x
        put(state, shape, few, SQUARE, k, lane, square if left else 0.0)
    mean, root = (total + lost) / count, math.sqrt(1.0 / count)
    put(state, shape, few, TOTAL, k, lane, total if left else 0.0)
    put(state, shape, few, COUNT, k, lane, count if left else 0.0)
    put(state, shape, few, MEAN, k, lane, mean if left else math.inf)
    put(state, shape, few, ROOT, k, lane, root if left else 0.0)


@compilable
def store(lanes: int, space: Any, at: int, bound: float) -> None:
    """Remember the round's plays; binary rewards are kept as a byte."""
    arm, rows, ring_arm, ring_reward = space.arm, space.rows, space.ring_arm, space.ring_reward
    for lane in range(known_lanes(lanes)):
        ring_arm[at, lane] = arm[lane]
        ring_reward[at, lane] = rows[REWARD + lane] / bound
    space.ring_weight[at] = space.carry[WEIGHT]


@compilable
def recall(lanes: int, space: Any, at: int, bound: float) -> None:
    """Read the arms and rewards of a round that leaves the window."""
    gone, rows, ring_arm, ring_reward = space.gone, space.rows, space.ring_arm, space.ring_reward
    for lane in range(known_lanes(lanes)):
        gone[lane] = ring_arm[at, lane]
        rows[LEAVING + lane] = ring_reward[at, lane] * bound


@compilable
def ask(
    alarm: Any, lanes: int, shape: Shape, arms: int, arm: Any, rows: Any, state: Any, memory: Any,
    kept: int, weight: float, numbers: Any,
) -> None:  # fmt: skip  # arrays one by one: a view in a loop is cheap where no others are near
    """Ask the detector about every lane's play, and note its alarms."""
    for lane in range(known_lanes(lanes)):
        k = int(arm[lane])
        own, count = (lane * arms + k) * kept, state[place(shape, COUNT, k, lane)] / weight
        raised = alarm(memory[own : own + kept], rows[REWARD + lane], count, *numbers)
        rows[ALARM + lane] = 1.0 if raised else 0.0


@compilable
def restart(lane: int, first: int, last: int, shape: Shape, arms: int, t: int, space: Any) -> None:
    """Know nothing of arms first to last − 1 after round t."""
    for k in range(first, last):
        for row in range(ALL):
            space.state[place(shape, row, k, lane)] = 0.0
        space.state[place(shape, MEAN, k, lane)] = math.inf
        space.state[place(shape, BORN, k, lane)] = t
    for at in range((lane * arms + first) * space.kept, (lane * arms + last) * space.kept):
        space.memory[at] = 0.0
    space.restarts[lane] += 1.0
    space.restarts[LANES + lane] = t
