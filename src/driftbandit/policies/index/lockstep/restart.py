"""Detectors in lockstep: in which lanes an alarm is raised, and what is forgotten there."""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.lanes import LANES, LEAVING, REWARD, Block, line, on, place, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.state import (
    ALL,
    BORN,
    CLOCK,
    COUNT,
    MEAN,
    IndexPlayer,
    State,
)

ALARM = LEAVING
"""A shared row that is free once the round's plays are learned: whether a lane has an alarm."""


@compilable
def ask(alarm: Any, states: Any, room: Any, at: int, x: float, count: float, numbers: Any) -> Any:
    """Call a detector with its state."""
    return alarm(states[at], x, count, *numbers)


@compilable
def ask_with_room(
    alarm: Any, states: Any, room: Any, at: int, x: float, count: float, numbers: Any
) -> Any:
    """Call a detector with its state and its room."""
    size = room.shape[0] // states.shape[0]
    return alarm(states[at], room[at * size : (at + 1) * size], x, count, *numbers)


@compilable
def restart_where_due(player: IndexPlayer, block: Block, t: int) -> None:
    """Forget an arm, or all, in lanes where the detector raises an alarm or plans a restart."""
    raise_alarms(player, block)
    planned = player.rules.due(float(t), *player.numbers.detect)
    for lane in range(width_of(block)):
        if planned or block.rows[ALARM + lane] > 0.0:
            k, everywhere = int(block.arm[lane]), planned or on(player.flags.restarts_all)
            first, last = (0, block.arms) if everywhere else (k, k + 1)
            restart(block, player.state, lane, first, last, t)
    if on(player.flags.counts_plays):
        count_plays(block, player.state)


@compilable
def count_plays(block: Block, state: State) -> None:
    """Set the clock of all arms to the plays that are remembered of them together."""
    table, clock, weight = state.table, line(block.shape, CLOCK, 0), state.shared[0].weight
    for lane in range(width_of(block)):
        table[clock + lane] = 0.0
    for k in range(block.arms):
        count = line(block.shape, COUNT, k)
        for lane in range(width_of(block)):
            table[clock + lane] += table[count + lane]
    for lane in range(width_of(block)):
        table[clock + lane] /= weight


@compilable
def raise_alarms(player: IndexPlayer, block: Block) -> None:
    """Ask the detector about every lane's play, and note its alarms."""
    state, rules, numbers = player.state, player.rules, player.numbers.detect
    table, weight, rows = state.table, state.shared[0].weight, block.rows
    for lane in range(width_of(block)):
        k = int(block.arm[lane])
        at, count = lane * block.arms + k, table[place(block.shape, COUNT, k, lane)] / weight
        x = rows[REWARD + lane]
        raised = rules.ask(rules.alarm, state.detector, state.room, at, x, count, numbers)
        rows[ALARM + lane] = 1.0 if raised else 0.0


@compilable
def restart(block: Block, state: State, lane: int, first: int, last: int, t: int) -> None:
    """Know nothing of arms first to last − 1 after round t."""
    table, shape, own = state.table, block.shape, lane * block.arms
    size = state.room.shape[0] // state.detector.shape[0]
    for k in range(first, last):
        for row in range(ALL):
            table[place(shape, row, k, lane)] = 0.0
        table[place(shape, MEAN, k, lane)] = math.inf
        table[place(shape, BORN, k, lane)] = t
        state.detector[own + k] = state.blank[0]
    for at in range((own + first) * size, (own + last) * size):
        state.room[at] = 0.0
    state.restarts[lane] += 1.0
    state.restarts[LANES + lane] = t
