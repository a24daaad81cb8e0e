"""How an index policy chooses the arms of a block of runs.

What is kept of an arm makes the most common index cost one multiplication and one addition.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import (
    FIRST,
    LANES,
    LEAVING,
    SECOND,
    Block,
    line,
    on,
    width_of,
)
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.groups import choose_in_groups, distrust_all
from driftbandit.policies.index.lockstep.indices import (
    Places,
    index_of,
    index_rules,
    look,
    places_of,
)
from driftbandit.policies.index.lockstep.state import (
    CLOCK,
    MEAN,
    ROOT,
    IndexPlayer,
)

SLOPES = CLOCKS = LEAVING
"""A shared row that is free while an arm is chosen: what 1/√count is multiplied by, by lane; or the
clock, where an index has a draft."""


@compilable
def slope_of(player: IndexPlayer) -> Any:
    """Return what 1/√count is multiplied by in the index mean + width/√count."""
    shared = player.state.shared[0]
    width = player.rules.width(max(shared.clock, 1.0), *player.numbers.explore)
    if not on(player.flags.trusted) and math.isnan(width):
        shared.nan = 1.0
    return width * math.sqrt(shared.weight)


@compilable
def choose_few_by_width(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest mean + width/√count of few arms; all and all lanes have the same width."""
    slope, table, arm, few = slope_of(player), player.state.table, block.arm, block.few
    mean, root = MEAN * len(few) * LANES, ROOT * len(few) * LANES
    for lane in range(width_of(block)):
        lead, leader = table[mean + lane] + slope * table[root + lane], 0
        for k in range(1, len(few)):
            index = table[mean + k * LANES + lane] + slope * table[root + k * LANES + lane]
            better = index > lead
            lead = index if better else lead
            leader = k if better else leader
        arm[lane] = leader


@compilable
def choose_many_by_width(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest mean + width/√count of many arms, one arm of all lanes after another."""
    slope, table, arm, rows = slope_of(player), player.state.table, block.arm, block.rows
    for lane in range(width_of(block)):
        rows[FIRST + lane] = -math.inf
        arm[lane] = 0
    for k in range(block.arms):
        mean, root = line(block.shape, MEAN, k), line(block.shape, ROOT, k)
        for lane in range(width_of(block)):
            index = table[mean + lane] + slope * table[root + lane]
            lead, leader = rows[FIRST + lane], arm[lane]  # read first: selects, not branches
            better = index > lead
            rows[FIRST + lane] = index if better else lead
            arm[lane] = k if better else leader


@compilable
def choose_by_groups(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the same arm as the full comparison, looking at few groups of arms."""
    slope, shared = slope_of(player), player.state.shared[0]
    if not slope >= shared.slope:
        distrust_all(block, player.state)
    shared.slope = slope
    choose_in_groups(block, player.state, slope)


@compilable
def keep_better(block: Block, k: int) -> None:
    """Let arm k take the lead where its index is larger; the lower arm keeps a tie."""
    rows, arm = block.rows, block.arm
    if k == 0:
        for lane in range(width_of(block)):
            rows[FIRST + lane] = rows[SECOND + lane]
            arm[lane] = 0
        return
    for lane in range(width_of(block)):
        lead, leader, value = rows[FIRST + lane], arm[lane], rows[SECOND + lane]
        better = value > lead
        rows[FIRST + lane] = value if better else lead
        arm[lane] = k if better else leader


@compilable
def note_nan(player: IndexPlayer, block: Block, k: int) -> None:
    """Note that an index of arm k is not a number, where a user's rule may have such."""
    if not on(player.flags.trusted):
        rows, shared = block.rows, player.state.shared[0]
        for lane in range(width_of(block)):
            if math.isnan(rows[SECOND + lane]):
                shared.nan = 1.0 + k


@compilable
def choose_by_index(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest index of any form, with one clock for all lanes."""
    rows, table, noise = block.rows, player.state.table, block.noise
    clock, rules = max(player.state.shared[0].clock, 1.0), index_rules(player, player.rules.draft)
    if on(player.flags.drafts):
        for lane in range(width_of(block)):
            rows[CLOCKS + lane] = clock
    for k in range(block.arms):
        places = places_of(block, k)
        for lane in range(width_of(block)):
            arm = look(rules, places, table, noise, lane)
            rows[SECOND + lane] = index_of(rules, arm, clock)
        complete(player, block, places)
        note_nan(player, block, k)
        keep_better(block, k)


@compilable
def choose_by_clocks(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest index of any form, where arms and lanes have clocks of their own."""
    rows, table, noise = block.rows, player.state.table, block.noise
    rules = index_rules(player, player.rules.draft)
    for k in range(block.arms):
        places = places_of(block, k)
        clocks = line(block.shape, CLOCK, 0 if on(player.flags.one_clock) else k)
        for lane in range(width_of(block)):
            arm, clock = look(rules, places, table, noise, lane), max(table[clocks + lane], 1.0)
            rows[CLOCKS + lane] = clock
            rows[SECOND + lane] = index_of(rules, arm, clock)
        complete(player, block, places)
        note_nan(player, block, k)
        keep_better(block, k)


@compilable
def complete(player: IndexPlayer, block: Block, places: Places) -> None:
    """Compute the index of an arm in the lanes where its draft is not a number."""
    if on(player.flags.drafts):
        rows, table, noise = block.rows, player.state.table, block.noise
        rules = index_rules(player, player.rules.index)
        for lane in range(width_of(block)):
            if math.isnan(rows[SECOND + lane]):
                arm = look(rules, places, table, noise, lane)
                rows[SECOND + lane] = index_of(rules, arm, rows[CLOCKS + lane])


@compilable
def choose_by_clocks_and_width(player: IndexPlayer, block: Block, t: int, row: int) -> None:
    """Choose the largest mean + width/√count, where arms and lanes have clocks of their own."""
    rows, table, shape = block.rows, player.state.table, block.shape
    for k in range(block.arms):
        if k == 0 or not on(player.flags.one_clock):
            set_slopes(player, block, line(shape, CLOCK, k))
        mean, root = line(shape, MEAN, k), line(shape, ROOT, k)
        for lane in range(width_of(block)):
            rows[SECOND + lane] = table[mean + lane] + rows[SLOPES + lane] * table[root + lane]
        keep_better(block, k)


@compilable
def set_slopes(player: IndexPlayer, block: Block, clocks: int) -> None:
    """Compute the slope for every lane's clock; lanes that have not parted share one."""
    table = player.state.table
    growth, before, slope = math.sqrt(player.state.shared[0].weight), -1.0, 0.0
    for lane in range(width_of(block)):
        clock = max(table[clocks + lane], 1.0)
        if clock != before:
            before = clock
            slope = player.rules.width(clock, *player.numbers.explore) * growth
        block.rows[SLOPES + lane] = slope
        if not on(player.flags.trusted) and math.isnan(slope):
            player.state.shared[0].nan = 1.0
