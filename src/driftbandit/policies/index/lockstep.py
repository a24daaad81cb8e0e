"""Index policies in lockstep: forget × detect × explore over a block of runs.

Here is how an arm is chosen; `memory` holds how the play is remembered and forgotten. What is kept
of an arm makes the most common index cost one multiplication and one addition.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from driftbandit.core.lanes import (
    FIRST,
    LANES,
    LEAVING,
    NO,
    SECOND,
    YES,
    Known,
    Shape,
    Space,
    known_lanes,
    line,
    place,
)
from driftbandit.core.marking import compilable
from driftbandit.environments import World
from driftbandit.policies.index import lockstep_groups as crowd
from driftbandit.policies.index import lockstep_tangents as lines
from driftbandit.policies.index.lockstep_force import force, force_at_random
from driftbandit.policies.index.lockstep_memory import (
    ALL,
    BY_ARM,
    CLOCK,
    COUNT,
    MEAN,
    ROOT,
    SLOPE,
    SQUARE,
    TAIL,
    TIME,
    WEIGHT,
    learn_by_arm,
    learn_for_good,
    learn_restarting,
    learn_window,
)
from driftbandit.policies.setup import Function, Setup, nothing
from driftbandit.rules.detect import Never
from driftbandit.rules.explore import Explore
from driftbandit.rules.force import Unforced
from driftbandit.rules.forget.rule import unfaded

if TYPE_CHECKING:
    from driftbandit.policies.index.policy import Policy

choose_in_crowd, distrust_all = crowd.choose_in_crowd, crowd.distrust_all
choose_by_lines = lines.choose_by_lines

SLOPES = LEAVING
"""A shared row that is free while an arm is chosen: what 1/√count is multiplied by, by lane."""


def setup(policy: Policy, world: World, horizon: int) -> Setup:
    """Say which functions and how much memory the engine needs to run `policy`."""
    forget, detect, explore = policy.forget, policy.detect, policy.explore
    first, last = (forget.span(float(t), *forget.numbers()) for t in (1, horizon))
    windowed = first < horizon  # a span never shrinks: otherwise nothing ever leaves
    restarts = detect != Never()
    index = explore.width or explore.index
    assert index is not None
    call = by_width if explore.width is not None else adapter(explore)
    several = restarts or (forget.by_arm and windowed)  # clocks: lanes part
    crowded = world.arms >= crowd.MANY and explore.width is not None and not several
    whole = forget.factor is unfaded and world.law.binary and world.bound == 1.0
    choose: Function = choose_by_index if explore.width is None else choose_by_width
    rows = CLOCK
    if several:
        choose = choose_by_clocks if explore.width is None else choose_by_clocks_and_width
        rows = BY_ARM if forget.by_arm else ALL
    elif crowded:
        choose = choose_by_groups
    elif explore.level is not None and explore.tangent is not None:
        choose, index, call, rows = choose_by_lines, explore.level, explore.tangent, lines.ROWS
    learn = learn_restarting if restarts else learn_window if windowed else learn_for_good
    learn = learn_by_arm if forget.by_arm and windowed else learn
    kept = math.ceil(min(last, horizon)) if windowed else 0
    forcing = force_at_random if policy.force.noise else force
    forgetting, told = (forget.factor, forget.span), explore.told(world.arms)
    exact, everywhere = whole or not windowed, detect.scope == "all"
    flags = (explore.variance, exact, crowded, everywhere, explore.prior, forget.ageing)
    return Setup(
        begin=begin,
        choose=choose,
        learn=learn,
        force=forcing if policy.force != Unforced() else nothing,
        functions=(*forgetting, index, call, detect.alarm, detect.due, policy.force.arm),
        numbers=(forget.numbers(), told, detect.numbers(), policy.force.numbers()),
        flags=tuple(YES if flag else NO for flag in flags),
        rows=rows,
        memory=detect.memory,
        noise=world.arms * explore.noise + policy.force.noise,
        ring=0 if forget.by_arm else kept,
        plays=kept if forget.by_arm else 0,
        forced=0 if explore.prior else world.arms,
        crowded=crowded,
    )


def adapter(explore: Explore) -> Function:
    """Return the function that calls an index with what its rule asks for."""
    if explore.noise > 1:
        return with_list_and_variance if explore.variance else with_list
    if explore.noise:
        return with_both if explore.variance else with_noise
    return with_variance if explore.variance else plain


def begin(space: Space, shape: Shape, arms: int) -> None:
    """Forget everything, before the first round; places without an arm are never played."""
    means = space.state[MEAN * shape[0] : (MEAN + 1) * shape[0]]
    means[:] = math.inf
    if shape[1] == 1:
        means.reshape(-1, shape[2])[:, arms:] = -math.inf
    space.carry[WEIGHT] = space.carry[TAIL] = 1.0
    space.carry[SLOPE] = math.inf


@compilable
def by_width(
    width: Any, mean: float, count: float, clock: float, variance: float, drawn: Any, numbers: Any
) -> Any:
    """Return mean + width(clock) / √count."""
    return mean + width(clock, *numbers) * math.sqrt(1.0 / count)


@compilable
def plain(
    index: Any, mean: float, count: float, clock: float, variance: float, drawn: Any, numbers: Any
) -> Any:
    """Call an index that needs neither variance nor noise."""
    return index(mean, count, clock, *numbers)


@compilable
def with_variance(
    index: Any, mean: float, count: float, clock: float, variance: float, drawn: Any, numbers: Any
) -> Any:
    """Call an index that needs the variance."""
    return index(mean, count, clock, variance, *numbers)


@compilable
def with_noise(
    index: Any, mean: float, count: float, clock: float, variance: float, drawn: Any, numbers: Any
) -> Any:
    """Call an index that needs noise."""
    return index(mean, count, clock, drawn[0][drawn[1]], *numbers)


@compilable
def with_both(
    index: Any, mean: float, count: float, clock: float, variance: float, drawn: Any, numbers: Any
) -> Any:
    """Call an index that needs the variance and noise."""
    return index(mean, count, clock, variance, drawn[0][drawn[1]], *numbers)


@compilable
def with_list(
    index: Any, mean: float, count: float, clock: float, variance: float, drawn: Any, numbers: Any
) -> Any:
    """Call an index that needs several random numbers."""
    return index(mean, count, clock, drawn[0][drawn[1] :: drawn[2]], *numbers)


@compilable
def with_list_and_variance(
    index: Any, mean: float, count: float, clock: float, variance: float, drawn: Any, numbers: Any
) -> Any:
    """Call an index that needs the variance and several random numbers."""
    return index(mean, count, clock, variance, drawn[0][drawn[1] :: drawn[2]], *numbers)


@compilable
def slope_of(width: Any, carry: Any, numbers: Any) -> Any:
    """Return what 1/√count is multiplied by in the index mean + width/√count."""
    return width(max(carry[TIME], 1.0), *numbers[1]) * math.sqrt(carry[WEIGHT])


@compilable
def choose_by_width(
    width: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Play the largest mean + width/√count; the width is the same for all arms and lanes."""
    slope, state, arm = slope_of(width, space.carry, numbers), space.state, space.arm
    if len(few) > 0:
        mean, root = MEAN * len(few) * LANES, ROOT * len(few) * LANES
        for lane in range(known_lanes(lanes)):
            lead, leader = state[mean + lane] + slope * state[root + lane], 0
            for k in range(1, len(few)):
                index = state[mean + k * LANES + lane] + slope * state[root + k * LANES + lane]
                better = index > lead
                lead = index if better else lead
                leader = k if better else leader
            arm[lane] = leader
        return
    rows = space.rows
    for lane in range(known_lanes(lanes)):
        rows[FIRST + lane] = -math.inf
        arm[lane] = 0
    for k in range(arms):
        mean, root = line(shape, MEAN, k), line(shape, ROOT, k)
        for lane in range(known_lanes(lanes)):
            index = state[mean + lane] + slope * state[root + lane]
            lead, leader = rows[FIRST + lane], arm[lane]  # read first: selects, not branches
            better = index > lead
            rows[FIRST + lane] = index if better else lead
            arm[lane] = k if better else leader


@compilable
def choose_by_groups(
    width: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Play the same arm without looking at all."""
    slope = slope_of(width, space.carry, numbers)
    if not slope >= space.carry[SLOPE]:
        distrust_all(space)
    space.carry[SLOPE] = slope
    choose_in_crowd(lanes, shape, MEAN * shape[0], ROOT * shape[0], slope, space)


@compilable
def keep_better(lanes: int, k: int, space: Any) -> None:
    """Let arm k take the lead where its index is larger; the lower arm keeps a tie."""
    rows, arm = space.rows, space.arm
    if k == 0:
        for lane in range(known_lanes(lanes)):
            rows[FIRST + lane] = rows[SECOND + lane]
            arm[lane] = 0
        return
    for lane in range(known_lanes(lanes)):
        lead, leader, value = rows[FIRST + lane], arm[lane], rows[SECOND + lane]
        better = value > lead
        rows[FIRST + lane] = value if better else lead
        arm[lane] = k if better else leader


@compilable
def choose_by_index(
    index: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Play the largest index of any form, with one clock for all lanes."""
    clock = max(space.carry[TIME], 1.0)
    for k in range(arms):
        for lane in range(known_lanes(lanes)):
            value = index_of(index, call, k, lane, shape, space, clock, numbers, flags)
            space.rows[SECOND + lane] = value
        keep_better(lanes, k, space)


@compilable
def choose_by_clocks(
    index: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Play the largest index of any form, where arms and lanes have clocks of their own."""
    for k in range(arms):
        for lane in range(known_lanes(lanes)):
            own = place(shape, CLOCK, 0 if len(flags[3]) > 0 else k, lane)
            clock = max(space.state[own], 1.0)
            value = index_of(index, call, k, lane, shape, space, clock, numbers, flags)
            space.rows[SECOND + lane] = value
        keep_better(lanes, k, space)


@compilable
def choose_by_clocks_and_width(
    width: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Play the largest mean + width/√count, where arms and lanes have clocks of their own."""
    rows, state = space.rows, space.state
    for k in range(arms):
        if k == 0 or len(flags[3]) == 0:
            find_slopes(width, lanes, line(shape, CLOCK, k), space, numbers)
        mean, root = line(shape, MEAN, k), line(shape, ROOT, k)
        for lane in range(known_lanes(lanes)):
            rows[SECOND + lane] = state[mean + lane] + rows[SLOPES + lane] * state[root + lane]
        keep_better(lanes, k, space)


@compilable
def find_slopes(width: Any, lanes: int, clocks: int, space: Any, numbers: Any) -> None:
    """Ask for the width of every lane's clock; lanes that have not parted share one."""
    grown, before, slope = math.sqrt(space.carry[WEIGHT]), -1.0, 0.0
    for lane in range(known_lanes(lanes)):
        clock = max(space.state[clocks + lane], 1.0)
        if clock != before:
            before, slope = clock, width(clock, *numbers[1]) * grown
        space.rows[SLOPES + lane] = slope


@compilable
def index_of(
    index: Any, call: Any, k: int, lane: int, shape: Shape, space: Any, clock: float, numbers: Any,
    flags: tuple[Known, ...],
) -> float:  # fmt: skip  # one argument a line would fill a screen
    """Return the index of an arm; infinite, but for a prior, where there is no remembered play."""
    state, arms = space.state, shape[0] // shape[1]
    mean, count = state[line(shape, MEAN, k) + lane], state[line(shape, COUNT, k) + lane]
    seen = count > 0.0
    mean = mean if seen else 0.0
    square = state[line(shape, SQUARE, k) + lane]
    spread = max(square / (count if seen else 1.0) - mean * mean, 0.0)
    size = count * (1.0 / space.carry[WEIGHT])
    drawn = space.noise, k * LANES + lane, arms * LANES  # the arm's first number, and the next ones
    value = call(index, mean, size, clock, spread, drawn, numbers[1])
    return value if seen or len(flags[4]) > 0 else math.inf
