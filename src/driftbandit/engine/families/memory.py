"""What an index policy remembers of a block of runs, and how it forgets.

An arm of a lane is a column of `state`: weighted sums of rewards and plays, the mean, and
1/√count. Discounting would multiply all of them every round; instead the weight of new plays
grows, and everything is read relative to the current weight. So only the arm just played, and the
one that falls out of a window, are touched.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from driftbandit.engine.passes import FEW, LANES, ONES
from driftbandit.marking import compilable
from driftbandit.policies.learners import HEAVIEST, LIGHTEST

TOTAL, COUNT, MEAN, ROOT, LOST, SQUARE, CLOCK, BORN, MEMORY = range(9)
WEIGHT, TIME, TAIL = range(3)
"""Rows of `state`, and places of `carry`: the current weight, the clock, the oldest round kept."""


@compilable
def learn(
    factor: Any,
    span: Any,
    alarm: Any,
    t: int,
    state: Any,
    carry: Any,
    ring: Any,
    numbers: Any,
    flags: Any,
    scratch: Any,
    gone: Any,
    bound: float,
    arm: Any,
    x: Any,
) -> None:
    """Forget as round t passes, add the plays, and start over where there is an alarm."""
    fade, kept = factor(float(t), *numbers[0]), span(float(t), *numbers[0])
    variance, restarts, everywhere, unfaded = flags
    ring_arm, ring_reward, ring_weight = ring
    exact = unfaded and ring_reward.itemsize == 1 and bound == 1.0  # sums of zeros and ones
    carry[WEIGHT] /= fade
    if carry[WEIGHT] > HEAVIEST:
        rescale(state, carry, ring_weight)
    size = ring_arm.shape[0]
    while size > 0 and carry[TAIL] <= t - kept:
        recall(ring, int(carry[TAIL]) % size, bound, gone, scratch[2])
        weight = ring_weight[int(carry[TAIL]) % size]
        if restarts:
            remove_known(state, gone, scratch[2], weight, carry[TAIL], variance)
        else:
            change(state, gone, scratch[2], -weight, scratch, not exact, variance)
            renew(state, gone, scratch)
            clear_empty(state, gone, scratch, weight)
        carry[TAIL] += 1.0
    change(state, arm, x, carry[WEIGHT], scratch, size > 0 and not exact, variance)
    renew(state, arm, scratch)
    if size > 0:
        store(ring, t % size, bound, arm, x)
        ring_weight[t % size] = carry[WEIGHT]
    carry[TIME] = min(fade * carry[TIME] + 1.0, kept)
    if restarts:
        pass_time(state[CLOCK], fade, kept)
        detect(alarm, t, state, carry[WEIGHT], numbers[2], everywhere, arm, x)


@compilable
def rescale(state: Any, carry: Any, ring_weight: Any) -> None:
    """Make the current weight 1 again, before it overflows; no count reaches zero by it."""
    scale = 1.0 / carry[WEIGHT]
    grow = math.sqrt(carry[WEIGHT])
    for k in range(state.shape[1]):
        for lane in range(LANES):
            state[TOTAL, k, lane] *= scale
            state[LOST, k, lane] *= scale
            state[SQUARE, k, lane] *= scale
            if state[COUNT, k, lane] > 0.0:
                state[COUNT, k, lane] = max(state[COUNT, k, lane] * scale, LIGHTEST)
                state[ROOT, k, lane] = min(state[ROOT, k, lane] * grow, LIGHTEST**-0.5)
    for at in range(ring_weight.shape[0]):
        ring_weight[at] *= scale
    carry[WEIGHT] = 1.0


@compilable
def change(
    state: Any, arm: Any, x: Any, weight: float, scratch: Any, keep_lost: bool, variance: bool
) -> None:
    """Add a play of every lane's arm, or take it out if `weight` is negative.

    The arm's new sums end up in rows 0 and 1 of `scratch`.
    """
    if keep_lost:
        change_exactly(state, arm, x, weight, scratch)
    else:
        add_to(state, TOTAL, arm, weight, x, scratch, 0)
    if variance:
        for lane in range(LANES):
            state[SQUARE, arm[lane], lane] += weight * x[lane] * x[lane]
    add_to(state, COUNT, arm, weight, scratch[ONES], scratch, 1)


@compilable
def add_to(
    state: Any, row: int, arm: Any, weight: float, values: Any, scratch: Any, out: int
) -> None:
    """Add weight · values to a row of every lane's arm; the new numbers also go to scratch[out].

    With few arms, going through all of them vectorises and beats jumping to the right one.
    """
    if state.shape[1] > FEW:
        for lane in range(LANES):
            scratch[out, lane] = state[row, arm[lane], lane] + weight * values[lane]
            state[row, arm[lane], lane] = scratch[out, lane]
        return
    for lane in range(LANES):
        scratch[out, lane] = 0.0
    for k in range(state.shape[1]):
        for lane in range(LANES):
            old, hit = state[row, k, lane], arm[lane] == np.uint64(k)
            new = old + weight * values[lane]
            state[row, k, lane] = new if hit else old
            scratch[out, lane] += new if hit else 0.0


@compilable
def put(state: Any, arm: Any, scratch: Any) -> None:
    """Replace mean and 1/√count of every lane's arm by rows 0 and 1 of `scratch`."""
    if state.shape[1] > FEW:
        for lane in range(LANES):
            state[MEAN, arm[lane], lane] = scratch[0, lane]
            state[ROOT, arm[lane], lane] = scratch[1, lane]
        return
    for k in range(state.shape[1]):
        for lane in range(LANES):
            mean, root, hit = state[MEAN, k, lane], state[ROOT, k, lane], arm[lane] == np.uint64(k)
            new_mean, new_root = scratch[0, lane], scratch[1, lane]
            state[MEAN, k, lane] = new_mean if hit else mean
            state[ROOT, k, lane] = new_root if hit else root


@compilable
def change_exactly(state: Any, arm: Any, x: Any, weight: float, scratch: Any) -> None:
    """Change the sums and keep what rounding loses, so that a window's sums never drift."""
    for lane in range(LANES):
        k = arm[lane]
        before = state[TOTAL, k, lane]
        amount = weight * x[lane]
        after = before + amount
        part = after - before
        state[LOST, k, lane] += (before - (after - part)) + (amount - part)
        state[TOTAL, k, lane] = after
        scratch[0, lane] = after + state[LOST, k, lane]


@compilable
def renew(state: Any, arm: Any, scratch: Any) -> None:
    """Renew mean and 1/√count of the arms whose new sums are in `scratch`."""
    for lane in range(LANES):
        plays = scratch[1, lane]
        scratch[0, lane] = scratch[0, lane] / plays
        scratch[1, lane] = math.sqrt(1.0 / plays)
    put(state, arm, scratch)


@compilable
def clear_empty(state: Any, arm: Any, scratch: Any, weight: float) -> None:
    """Make arms untried that have no play left; any that were left would weigh more than this."""
    most = 1.0 / math.sqrt(0.5 * weight)
    for lane in range(LANES):
        if not scratch[1, lane] < most:  # 1/√count, not a number where rounding went below zero
            forget_arm(state, arm[lane], lane)


@compilable
def store(ring: Any, at: int, bound: float, arm: Any, x: Any) -> None:
    """Remember the round's plays; binary rewards are kept as a byte."""
    ring_arm, ring_reward, _ = ring
    for lane in range(LANES):
        ring_arm[at, lane] = arm[lane]
        ring_reward[at, lane] = x[lane] / bound


@compilable
def recall(ring: Any, at: int, bound: float, arm: Any, x: Any) -> None:
    """Read the arms and rewards of a round that leaves the window."""
    ring_arm, ring_reward, _ = ring
    for lane in range(LANES):
        arm[lane] = ring_arm[at, lane]
        x[lane] = ring_reward[at, lane] * bound


@compilable
def remove_known(
    state: Any, arm: Any, x: Any, weight: float, played: float, variance: bool
) -> None:
    """Take out plays lane by lane, but not those that a restart has already forgotten."""
    for lane in range(LANES):
        k = arm[lane]
        if played <= state[BORN, k, lane]:
            continue
        state[COUNT, k, lane] -= weight
        if state[COUNT, k, lane] < 0.5 * weight:
            forget_arm(state, k, lane)
            continue
        before, amount = state[TOTAL, k, lane], -weight * x[lane]
        after = before + amount
        part = after - before
        state[LOST, k, lane] += (before - (after - part)) + (amount - part)
        state[TOTAL, k, lane] = after
        state[MEAN, k, lane] = (after + state[LOST, k, lane]) / state[COUNT, k, lane]
        state[ROOT, k, lane] = math.sqrt(1.0 / state[COUNT, k, lane])
        if variance:
            state[SQUARE, k, lane] -= weight * x[lane] * x[lane]


@compilable
def forget_arm(state: Any, k: int, lane: int) -> None:
    """Make an arm untried; its clock and its detector's memory stay."""
    for row in (TOTAL, COUNT, ROOT, LOST, SQUARE):
        state[row, k, lane] = 0.0
    state[MEAN, k, lane] = math.inf


@compilable
def pass_time(clock: Any, fade: float, kept: float) -> None:
    """Advance the clock of every arm."""
    for k in range(clock.shape[0]):
        for lane in range(LANES):
            clock[k, lane] = min(fade * clock[k, lane] + 1.0, kept)


@compilable
def detect(
    alarm: Any, t: int, state: Any, weight: float, numbers: Any, everywhere: bool, arm: Any, x: Any
) -> None:
    """Ask the detector about every lane's play, and forget the arm, or all arms, on an alarm."""
    for lane in range(LANES):
        k = arm[lane]
        memory = state[MEMORY:, k, lane]
        if alarm(memory, x[lane], state[COUNT, k, lane] / weight, *numbers):
            first, last = (0, state.shape[1]) if everywhere else (k, k + 1)
            for each in range(first, last):
                state[:, each, lane] = 0.0
                state[MEAN, each, lane] = math.inf
                state[BORN, each, lane] = t
