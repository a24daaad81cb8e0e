"""Detectors in lockstep: in which lanes an alarm is raised, and what is forgotten there."""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import LANES, LEAVING, REWARD, Block, on, place, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.state import ALL, BORN, COUNT, MEAN, IndexPlayer, State

ALARM = LEAVING
"""A shared row that is free once the round's plays are learned: whether a lane has an alarm."""


@compilable
def restart_where_due(player: IndexPlayer, block: Block, t: int) -> None:
    """Forget an arm, or all, in lanes where the detector raises an alarm or plans a restart."""
    state, numbers = player.state, player.numbers.detect
    raise_alarms(
        player.rules.alarm, block, block.arm, block.rows, state.table, state.memory, state.kept,
        state.shared[0].weight, numbers,
    )  # fmt: skip
    planned = player.rules.due(float(t), *numbers)
    for lane in range(width_of(block)):
        if planned or block.rows[ALARM + lane] > 0.0:
            k, everywhere = int(block.arm[lane]), planned or on(player.flags.restarts_all)
            first, last = (0, block.arms) if everywhere else (k, k + 1)
            restart(block, state, lane, first, last, t)


@compilable
def raise_alarms(
    alarm: Any, block: Block, arm: Any, rows: Any, table: Any, memory: Any, kept: int,
    weight: float, numbers: Any,
) -> None:  # fmt: skip  # arrays one by one: a view in a loop is cheap where no others are near
    """Ask the detector about every lane's play, and note its alarms."""
    for lane in range(width_of(block)):
        k = int(arm[lane])
        own, count = (
            (lane * block.arms + k) * kept,
            table[place(block.shape, COUNT, k, lane)] / weight,
        )
        raised = alarm(memory[own : own + kept], rows[REWARD + lane], count, *numbers)
        rows[ALARM + lane] = 1.0 if raised else 0.0


@compilable
def restart(block: Block, state: State, lane: int, first: int, last: int, t: int) -> None:
    """Know nothing of arms first to last − 1 after round t."""
    table, shape, kept = state.table, block.shape, state.kept
    for k in range(first, last):
        for row in range(ALL):
            table[place(shape, row, k, lane)] = 0.0
        table[place(shape, MEAN, k, lane)] = math.inf
        table[place(shape, BORN, k, lane)] = t
    for at in range((lane * block.arms + first) * kept, (lane * block.arms + last) * kept):
        state.memory[at] = 0.0
    state.restarts[lane] += 1.0
    state.restarts[LANES + lane] = t
