"""What an index policy remembers of a block of runs, and how it forgets.

Per arm and lane the state has weighted sums of rewards and plays, the mean, and 1/√count.
Discounting would multiply all of them every round; instead the weight of new plays grows, and
everything is read relative to the current weight. So only the arm just played, and the one that
falls out of a window, are touched.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import (
    FAR,
    LEAVING,
    OFF,
    ON,
    REWARD,
    Block,
    Flag,
    line,
    on,
    pick,
    place,
    put,
    width_of,
)
from driftbandit.core.marking import arrays_apart, compilable
from driftbandit.policies.index.live.memory import HEAVIEST
from driftbandit.policies.index.lockstep.groups import distrust_all
from driftbandit.policies.index.lockstep.restart import restart_where_due
from driftbandit.policies.index.lockstep.state import (
    BORN,
    CLOCK,
    COUNT,
    HELD,
    LOST,
    MEAN,
    PLAYED,
    ROOT,
    SQUARE,
    TOTAL,
    Flags,
    IndexPlayer,
    State,
)
from driftbandit.policies.learner import LIGHTEST


@compilable
def learn_forever(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Discount as round t passes and add the plays; none ever leaves."""
    state, flags = player.state, player.flags
    fade = player.rules.factor(float(t), *player.numbers.forget)
    span = player.rules.span(float(t), *player.numbers.forget)
    shared = state.shared[0]
    player.rules.fade(block, state, fade)
    change(block, state, block.arm, REWARD, shared.weight, OFF, flags)
    shared.clock = tick(shared.clock, fade, span, flags)


@compilable
def learn_window(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Take out the plays that leave the window as round t passes, and add the new ones."""
    state, flags = player.state, player.flags
    fade = player.rules.factor(float(t), *player.numbers.forget)
    span = player.rules.span(float(t), *player.numbers.forget)
    shared, size = state.shared[0], state.ring.arm.shape[0]
    player.rules.fade(block, state, fade)
    while shared.oldest <= t - span:
        at = int(shared.oldest) % size
        recall(block, state, at)
        change(block, state, state.gone, LEAVING, -state.ring.weight[at], ON, flags)
        shared.oldest += 1.0
        if shared.oldest <= t - span:
            shared.slope = math.inf  # the bounds on indices assume that at most one play left
    change(block, state, block.arm, REWARD, shared.weight, OFF, flags)
    store(block, state, t % size)
    shared.clock = tick(shared.clock, fade, span, flags)


@compilable
def learn_restarting(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Forget as round t passes, add the plays, and restart where there is reason to."""
    state, flags, shape = player.state, player.flags, block.shape
    fade = player.rules.factor(float(t), *player.numbers.forget)
    span = player.rules.span(float(t), *player.numbers.forget)
    shared, size, table = state.shared[0], state.ring.arm.shape[0], state.table
    player.rules.fade(block, state, fade)
    while size > 0 and shared.oldest <= t - span:
        at = int(shared.oldest) % size
        recall(block, state, at)
        for lane in range(width_of(block)):
            if shared.oldest > table[place(shape, BORN, state.gone[lane], lane)]:
                k, x, weight = state.gone[lane], block.rows[LEAVING + lane], state.ring.weight[at]
                change_one(block, table, lane, k, -weight, x, ON, flags)
        shared.oldest += 1.0
    change(block, state, block.arm, REWARD, shared.weight, OFF, flags)
    if size > 0:
        store(block, state, t % size)
    shared.clock = tick(shared.clock, fade, span, flags)
    for k in range(1 if on(flags.one_clock) else block.arms):
        clock = line(shape, CLOCK, k)
        for lane in range(width_of(block)):
            table[clock + lane] = tick(table[clock + lane], fade, span, flags)
    restart_where_due(player, block, t)


@compilable
def learn_by_arm(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Let every new play take the place of its arm's oldest one, where there are enough."""
    state, flags, shape = player.state, player.flags, block.shape
    span = player.rules.span(float(t), *player.numbers.forget)
    plays, table, rows = state.plays, state.table, block.rows
    size, clocks = plays.round.shape[0] // block.arms, 1 if on(flags.one_clock) else block.arms
    for lane in range(width_of(block)):
        k = block.arm[lane]
        played = pick(table, block, PLAYED, k, lane)
        held = pick(table, block, HELD, k, lane)
        made = 0.0
        if held >= span:
            held -= 1.0
            at = k * size + int(played - held - 1.0) % size
            made = plays.round[at, lane]
            if made > pick(table, block, BORN, k, lane):
                x = plays.reward[at, lane] * block.bound
                change_one(block, table, lane, k, -1.0, x, ON, flags)
        if on(flags.ageing):
            made = 0.0
        for i in range(clocks):  # what leaves counted for the arms forgotten before it was played
            born = table[place(shape, BORN, i, lane)]
            table[place(shape, CLOCK, i, lane)] += 0.0 if made > born else 1.0
        at = k * size + int(played) % size
        plays.round[at, lane] = t
        plays.reward[at, lane] = rows[REWARD + lane] / block.bound
        put(table, block, PLAYED, k, lane, played + 1.0)
        put(table, block, HELD, k, lane, held + 1.0)
    change(block, state, block.arm, REWARD, 1.0, OFF, flags)
    restart_where_due(player, block, t)


@compilable
def tick(clock: float, fade: float, span: float, flags: Flags) -> float:
    """Return the clock after a round: how many are remembered, or all where it is ageing."""
    return fade * clock + 1.0 if on(flags.ageing) else min(fade * clock + 1.0, span)


@compilable
def fade_all(block: Block, state: State, fade: float) -> bool:
    """Discount everything by raising the weight of what comes; return whether it was rescaled."""
    shared = state.shared[0]
    shared.weight /= fade
    heavy = bool(shared.weight > HEAVIEST)
    if heavy:
        rescale(block, state)
    return heavy


@compilable
def fade_groups(block: Block, state: State, fade: float) -> None:
    """Discount everything; after a rescaling, mark the leaders of all groups as out of date."""
    if fade_all(block, state, fade):
        distrust_all(block, state)


@compilable
def rescale(block: Block, state: State) -> None:
    """Make the current weight 1 again, before it overflows; no count reaches zero by it."""
    table, shape, shared = state.table, block.shape, state.shared[0]
    scale, grow = 1.0 / shared.weight, math.sqrt(shared.weight)
    for k in range(block.arms):
        for lane in range(width_of(block)):
            table[place(shape, TOTAL, k, lane)] *= scale
            table[place(shape, LOST, k, lane)] *= scale
            table[place(shape, SQUARE, k, lane)] *= scale
            count, root = place(shape, COUNT, k, lane), place(shape, ROOT, k, lane)
            if table[count] > 0.0:
                table[count] = max(table[count] * scale, LIGHTEST)
                table[root] = min(table[root] * grow, LIGHTEST**-0.5)
    for at in range(state.ring.weight.shape[0]):
        state.ring.weight[at] *= scale
    shared.weight = 1.0


@arrays_apart
@compilable
def change(
    block: Block, state: State, arm: Any, row: int, weight: float, leaving: Flag, flags: Flags
) -> None:
    """Add a play of every lane's arm, or take it out: its weight is then negative."""
    table, rows, row = state.table, block.rows, row & FAR
    for lane in range(width_of(block)):
        change_one(block, table, lane, arm[lane], weight, rows[row + lane], leaving, flags)


@compilable
def change_one(
    block: Block, table: Any, lane: int, k: Any, weight: float, x: float, leaving: Flag,
    flags: Flags,
) -> None:  # fmt: skip  # k, weight, x: the play
    """Add a play to the sums of its arm, or take it out, and renew mean and 1/√count.

    Where plays leave, what rounding loses is kept, so that the sums never drift; sums of zeros and
    ones lose nothing. Whatever is left of an arm weighs at least as much as the play that left.
    """
    amount = weight * x
    before = pick(table, block, TOTAL, k, lane)
    total = before + amount
    count = pick(table, block, COUNT, k, lane) + weight
    left = count > -0.5 * weight if on(leaving) else True
    lost = 0.0
    if not on(flags.exact):
        part = total - before
        lost = pick(table, block, LOST, k, lane)
        lost += (before - (total - part)) + (amount - part)
        put(table, block, LOST, k, lane, lost if left else 0.0)
    if on(flags.variance):
        square = pick(table, block, SQUARE, k, lane) + amount * x
        put(table, block, SQUARE, k, lane, square if left else 0.0)
    mean, root = (total + lost) / count, math.sqrt(1.0 / count)
    put(table, block, TOTAL, k, lane, total if left else 0.0)
    put(table, block, COUNT, k, lane, count if left else 0.0)
    put(table, block, MEAN, k, lane, mean if left else math.inf)
    put(table, block, ROOT, k, lane, root if left else 0.0)


@compilable
def store(block: Block, state: State, at: int) -> None:
    """Remember the round's plays; binary rewards are kept as a byte."""
    arm, rows, ring_arm, ring_reward = block.arm, block.rows, state.ring.arm, state.ring.reward
    bound = block.bound
    for lane in range(width_of(block)):
        ring_arm[at, lane] = arm[lane]
        ring_reward[at, lane] = rows[REWARD + lane] / bound
    state.ring.weight[at] = state.shared[0].weight


@compilable
def recall(block: Block, state: State, at: int) -> None:
    """Read the arms and rewards of a round that leaves the window."""
    gone, rows, ring_arm, ring_reward = state.gone, block.rows, state.ring.arm, state.ring.reward
    bound = block.bound
    for lane in range(width_of(block)):
        gone[lane] = ring_arm[at, lane]
        rows[LEAVING + lane] = ring_reward[at, lane] * bound
