"""Index policies in lockstep: forget × detect × explore over a block of runs.

An arm of a lane is a column of `state`: weighted sums of rewards and plays, the mean, and
1/√count. Discounting would multiply all of them every round; instead the weight of new plays
grows, and everything is read relative to the current weight. So only the arm just played (and the
one that falls out of a window) is touched, and an index costs one multiplication and one addition.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from driftbandit.compilable import compilable
from driftbandit.engine.families.setup import Setup
from driftbandit.engine.passes import LANES
from driftbandit.policies.detect import Never
from driftbandit.policies.learners import HEAVIEST, LIGHTEST
from driftbandit.policies.policy import Policy

TOTAL, COUNT, MEAN, ROOT, LOST, SQUARE, CLOCK, BORN, MEMORY = range(9)
WEIGHT, TIME, TAIL = range(3)
"""Rows of `state`, and places of `carry`: the current weight, the clock, the oldest round kept."""


def setup(policy: Policy, arms: int, horizon: int) -> Setup:
    """Say which functions and how much memory the engine needs to run `policy`."""
    forget, detect, explore = policy.forget, policy.detect, policy.explore
    first, last = (forget.span(float(t), *forget.numbers()) for t in (1, horizon))
    restarts = detect != Never()
    adapter = {(0, 0): plain, (1, 0): with_variance, (0, 1): with_noise, (1, 1): with_both}
    index = explore.width or explore.index
    assert index is not None
    calm = choose_by_index if explore.width is None else choose_by_width
    call = adapter[explore.variance, explore.noise] if explore.width is None else by_width
    return Setup(
        choose=choose_restarting if restarts else calm,
        learn=learn,
        functions=(forget.factor, forget.span, index, call, detect.alarm),
        numbers=(forget.numbers(), explore.numbers(), detect.numbers()),
        flags=(explore.variance, restarts, detect.scope == "all"),
        rows=MEMORY + detect.memory if restarts else CLOCK,
        noise=arms if explore.noise else 0,
        # a span never shrinks: if the first one holds all rounds, nothing ever leaves
        ring=int(min(last, horizon)) if first < horizon else 0,
        forced=arms,
    )


def begin(state: Any, carry: Any) -> None:
    """Forget everything, before the first round."""
    state[:] = 0.0
    state[MEAN] = math.inf
    carry[WEIGHT] = carry[TAIL] = 1.0


@compilable
def by_width(
    width: Any, mean: float, count: float, clock: float, variance: float, u: float, numbers: Any
) -> Any:
    """Return mean + width(clock) / √count."""
    return mean + width(clock, *numbers) * math.sqrt(1.0 / count)


@compilable
def plain(
    index: Any, mean: float, count: float, clock: float, variance: float, u: float, numbers: Any
) -> Any:
    """Call an index that needs neither variance nor noise."""
    return index(mean, count, clock, *numbers)


@compilable
def with_variance(
    index: Any, mean: float, count: float, clock: float, variance: float, u: float, numbers: Any
) -> Any:
    """Call an index that needs the variance."""
    return index(mean, count, clock, variance, *numbers)


@compilable
def with_noise(
    index: Any, mean: float, count: float, clock: float, variance: float, u: float, numbers: Any
) -> Any:
    """Call an index that needs noise."""
    return index(mean, count, clock, u, *numbers)


@compilable
def with_both(
    index: Any, mean: float, count: float, clock: float, variance: float, u: float, numbers: Any
) -> Any:
    """Call an index that needs the variance and noise."""
    return index(mean, count, clock, variance, u, *numbers)


@compilable
def keep_better(index: Any, best: Any, arm: Any, k: int) -> None:
    """Let arm k take the lead where its index is larger; the lower arm keeps a tie."""
    for lane in range(LANES):
        lead, leader, value = best[lane], arm[lane], index[lane]
        better = value > lead
        best[lane] = value if better else lead
        arm[lane] = np.uint64(k) if better else leader


@compilable
def choose_by_width(
    width: Any,
    call: Any,
    state: Any,
    carry: Any,
    numbers: Any,
    noise: Any,
    means: Any,
    scratch: Any,
    arm: Any,
) -> None:
    """Play the largest mean + width/√count; the width is the same for all arms and lanes."""
    clock = max(carry[TIME], 1.0)
    slope = width(clock, *numbers[1]) * math.sqrt(carry[WEIGHT])
    best = scratch[0]
    for lane in range(LANES):
        best[lane] = state[MEAN, 0, lane] + slope * state[ROOT, 0, lane]
        arm[lane] = 0
    for k in range(1, state.shape[1]):
        mean, root = state[MEAN, k], state[ROOT, k]
        for lane in range(LANES):
            index = mean[lane] + slope * root[lane]
            lead, leader = best[lane], arm[lane]
            better = index > lead
            best[lane] = index if better else lead
            arm[lane] = np.uint64(k) if better else leader


@compilable
def choose_by_index(
    index: Any,
    call: Any,
    state: Any,
    carry: Any,
    numbers: Any,
    noise: Any,
    means: Any,
    scratch: Any,
    arm: Any,
) -> None:
    """Play the largest index of any form, with one clock for all lanes."""
    clock, scale = max(carry[TIME], 1.0), 1.0 / carry[WEIGHT]
    best, row = scratch[0], scratch[1]
    best[:] = -math.inf
    arm[:] = 0
    for k in range(state.shape[1]):
        mean, count, square = state[MEAN, k], state[COUNT, k], state[SQUARE, k]
        luck = noise[k] if noise.shape[0] > 1 else noise[0]
        for lane in range(LANES):
            spread = max(square[lane] / count[lane] - mean[lane] * mean[lane], 0.0)
            value = call(
                index, mean[lane], count[lane] * scale, clock, spread, luck[lane], numbers[1]
            )
            row[lane] = value if count[lane] > 0.0 else math.inf
        keep_better(row, best, arm, k)


@compilable
def choose_restarting(
    index: Any,
    call: Any,
    state: Any,
    carry: Any,
    numbers: Any,
    noise: Any,
    means: Any,
    scratch: Any,
    arm: Any,
) -> None:
    """Play the largest index of any form, where every arm has a clock of its own."""
    scale = 1.0 / carry[WEIGHT]
    best, row = scratch[0], scratch[1]
    best[:] = -math.inf
    arm[:] = 0
    for k in range(state.shape[1]):
        mean, count, square, clock = (
            state[MEAN, k],
            state[COUNT, k],
            state[SQUARE, k],
            state[CLOCK, k],
        )
        luck = noise[k] if noise.shape[0] > 1 else noise[0]
        for lane in range(LANES):
            spread = max(square[lane] / count[lane] - mean[lane] * mean[lane], 0.0)
            age = max(clock[lane], 1.0)
            value = call(
                index, mean[lane], count[lane] * scale, age, spread, luck[lane], numbers[1]
            )
            row[lane] = value if count[lane] > 0.0 else math.inf
        keep_better(row, best, arm, k)


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
    bound: float,
    arm: Any,
    x: Any,
) -> None:
    """Forget as round t passes, add the plays, and start over where there is an alarm."""
    fade, kept = factor(float(t), *numbers[0]), span(float(t), *numbers[0])
    variance, restarts, everywhere = flags
    ring_arm, ring_reward, ring_weight = ring
    carry[WEIGHT] /= fade
    if carry[WEIGHT] > HEAVIEST:
        rescale(state, carry, ring_weight)
    size = ring_arm.shape[0]
    while size > 0 and carry[TAIL] <= t - kept:
        at = int(carry[TAIL]) % size
        restore(ring_arm[at], ring_reward[at], bound, scratch)
        remove(state, scratch, ring_weight[at], carry[TAIL], variance, restarts)
        carry[TAIL] += 1.0
    add(state, arm, x, carry[WEIGHT], scratch, size > 0, variance)
    if size > 0:
        store(ring_arm[t % size], ring_reward[t % size], bound, arm, x)
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
def add(
    state: Any, arm: Any, x: Any, weight: float, scratch: Any, keep_lost: bool, variance: bool
) -> None:
    """Add every lane's play to its arm, then renew that arm's mean and 1/√count."""
    total, count, mean, root = state[TOTAL], state[COUNT], state[MEAN], state[ROOT]
    sums, plays = scratch[0], scratch[1]
    if keep_lost:
        add_exactly(state, arm, x, weight, sums)
    else:
        for lane in range(LANES):
            sums[lane] = total[arm[lane], lane] + weight * x[lane]
            total[arm[lane], lane] = sums[lane]
    if variance:
        for lane in range(LANES):
            state[SQUARE, arm[lane], lane] += weight * x[lane] * x[lane]
    for lane in range(LANES):
        plays[lane] = count[arm[lane], lane] + weight
        count[arm[lane], lane] = plays[lane]
    for lane in range(LANES):
        sums[lane] = sums[lane] / plays[lane]
        plays[lane] = math.sqrt(1.0 / plays[lane])
    for lane in range(LANES):
        mean[arm[lane], lane] = sums[lane]
        root[arm[lane], lane] = plays[lane]


@compilable
def add_exactly(state: Any, arm: Any, x: Any, weight: float, sums: Any) -> None:
    """Add to the sums and keep what rounding loses, so that a window's sums never drift."""
    for lane in range(LANES):
        k = arm[lane]
        before = state[TOTAL, k, lane]
        amount = weight * x[lane]
        after = before + amount
        part = after - before
        state[LOST, k, lane] += (before - (after - part)) + (amount - part)
        state[TOTAL, k, lane] = after
        sums[lane] = after + state[LOST, k, lane]


@compilable
def store(ring_arm: Any, ring_reward: Any, bound: float, arm: Any, x: Any) -> None:
    """Remember the round's plays; binary rewards are kept as a byte."""
    for lane in range(LANES):
        ring_arm[lane] = arm[lane]
        ring_reward[lane] = x[lane] / bound


@compilable
def restore(ring_arm: Any, ring_reward: Any, bound: float, scratch: Any) -> None:
    """Recall the plays of a round that leaves the window: arms to row 2, rewards to row 3."""
    for lane in range(LANES):
        scratch[2, lane] = ring_arm[lane]
        scratch[3, lane] = ring_reward[lane] * bound


@compilable
def remove(
    state: Any, scratch: Any, weight: float, played: float, variance: bool, restarts: bool
) -> None:
    """Take the plays of a round out of the sums; an arm left without any is to be tried first."""
    for lane in range(LANES):
        k = int(scratch[2, lane])
        if restarts and played <= state[BORN, k, lane]:
            continue
        x = scratch[3, lane]
        before = state[TOTAL, k, lane]
        amount = -weight * x
        after = before + amount
        part = after - before
        lost = state[LOST, k, lane] + ((before - (after - part)) + (amount - part))
        count = state[COUNT, k, lane] - weight
        some = count > 0.0
        state[TOTAL, k, lane] = after if some else 0.0
        state[LOST, k, lane] = lost if some else 0.0
        state[COUNT, k, lane] = count if some else 0.0
        state[MEAN, k, lane] = (after + lost) / count if some else math.inf
        state[ROOT, k, lane] = math.sqrt(1.0 / count) if some else 0.0
        if variance:
            square = state[SQUARE, k, lane] - weight * x * x
            state[SQUARE, k, lane] = square if some else 0.0


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
