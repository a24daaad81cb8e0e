"""Index policies in lockstep: forget × detect × explore over a block of runs.

Here is how an arm is chosen; `memory` holds how the play is remembered and forgotten. What is kept
of an arm makes the most common index cost one multiplication and one addition.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from driftbandit.engine.families.memory import (
    CLOCK,
    COUNT,
    MEAN,
    MEMORY,
    ROOT,
    SQUARE,
    TAIL,
    TIME,
    WEIGHT,
    learn,
)
from driftbandit.engine.families.setup import Setup
from driftbandit.engine.passes import LANES
from driftbandit.marking import compilable
from driftbandit.policies.detect import Never
from driftbandit.policies.forget.rule import unfaded
from driftbandit.policies.policy import Policy


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
        flags=(explore.variance, restarts, detect.scope == "all", forget.factor is unfaded),
        rows=MEMORY + detect.memory if restarts else CLOCK,
        noise=arms if explore.noise else 0,
        # a span never shrinks: if the first one holds all rounds, nothing ever leaves
        ring=math.ceil(min(last, horizon)) if first < horizon else 0,
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
    step: int,
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
    for lane in range(LANES):
        scratch[0, lane] = state[MEAN, 0, lane] + slope * state[ROOT, 0, lane]
        arm[lane] = 0
    for k in range(1, state.shape[1]):
        for lane in range(LANES):
            index = state[MEAN, k, lane] + slope * state[ROOT, k, lane]
            lead, leader = scratch[0, lane], arm[lane]  # read first: selects, not branches
            better = index > lead
            scratch[0, lane] = index if better else lead
            arm[lane] = np.uint64(k) if better else leader


@compilable
def choose_by_index(
    index: Any,
    call: Any,
    step: int,
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
    step: int,
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
