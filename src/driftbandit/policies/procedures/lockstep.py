"""Procedures in lockstep: the runs of a block one after the other in every round.

A procedure branches as it likes, so its runs cannot share vectors; each has a state of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from driftbandit.core.errors import require
from driftbandit.core.lanes import LANES, REWARD, Array, Block, Player, Shape
from driftbandit.core.marking import compilable
from driftbandit.core.state import State as Fields
from driftbandit.environments import AnyWorld
from driftbandit.policies.setup import Empty, Function, Setup

if TYPE_CHECKING:
    from driftbandit.policies.procedures.policy import Procedure


class Rules(NamedTuple):
    """The functions of the procedure."""

    choose: Function
    learn: Function


class Numbers(NamedTuple):
    """The parameters of the procedure."""

    own: tuple[float, ...]
    draws: int
    bound: float


class RunState(NamedTuple):
    """What a procedure is handed of one run."""

    run: Any
    """The record of the run."""
    arm: Any
    """The records of its arms."""
    room: Any
    """Its other numbers, or records."""


class State(NamedTuple):
    """The state of a block, run after run."""

    run: Any
    arm: Any
    room: Any
    fault: Array
    """The first round in which an arm was named that does not exist, and that arm; or 0."""


ProcedurePlayer = Player[Rules, Numbers, Empty, State]


def setup(policy: Procedure, world: AnyWorld, horizon: int) -> Setup:
    """Return what plays `policy` in lockstep in a world."""
    arms, draws = world.arms, policy.draws(world.arms)
    start = policy.started(arms)
    run, arm = records(policy.run_state, [start.run]), records(policy.arm_state, start.arm)
    named = policy.room_state.numbers > 0
    room = records(policy.room_state, start.room) if named else np.array(start.room, np.float64)

    def make_state(lanes: int, shape: Shape) -> State:
        return State(np.tile(run, lanes), np.tile(arm, lanes), np.tile(room, lanes), np.zeros(2))

    def check(state: State, past: int) -> None:
        t, wrong = int(state.fault[0]), float(state.fault[1])  # which may be NaN
        name = f"arm of {policy.label} in round {t + past}"
        arm = int(wrong) if wrong.is_integer() else wrong
        require(t == 0, name, arm, f"be a whole number from 0 to {arms - 1}")

    return Setup(
        choose=choose,
        learn=learn,
        rules=Rules(policy.choose, policy.learn),
        numbers=Numbers(policy.numbers(), draws, policy.bound),
        make_state=make_state,
        check=check,
        noise=draws,
        lane_numbers=policy.run_state.numbers
        + policy.arm_state.numbers * len(arm)
        + (policy.room_state.numbers if named else 1) * len(room),
        for_few=False,
    )


def records(fields: Fields, states: list[Any]) -> Any:
    """Return the states of a live agent as records; most are blank, and zero anyway."""
    table, blank = np.zeros(len(states), dtype=fields.dtype), fields.blank()
    for row, state in zip(table, states, strict=True):
        if state != blank:
            for name in (*fields.names, *fields.lengths):
                row[name] = getattr(state, name)
    return table


@compilable
def choose(player: ProcedurePlayer, block: Block, t: int, row: int) -> None:
    """Ask every run for its arm; one that does not exist is noted, and arm 0 played instead."""
    numbers, state, arms = player.numbers, player.state, block.arms
    per_run, room = lengths(state)
    for lane in range(block.live):
        own = RunState(  # made here, since compiled functions cannot return a record in a tuple
            state.run[lane],
            state.arm[lane * per_run : (lane + 1) * per_run],
            state.room[lane * room : (lane + 1) * room],
        )
        noise = block.noise[lane : numbers.draws * LANES : LANES]
        arm = player.rules.choose(own, arms, t, noise, *numbers.own)
        exists = 0 <= arm < arms and int(arm) == arm
        block.arm[lane] = arm if exists else 0
        if not exists and state.fault[0] == 0.0:
            state.fault[0], state.fault[1] = t, arm


@compilable
def learn(player: ProcedurePlayer, block: Block, t: int, row: int) -> None:
    """Let every run learn its arm and the reward as a share of the bound."""
    numbers, state, arms = player.numbers, player.state, block.arms
    per_run, room = lengths(state)
    for lane in range(block.live):
        own = RunState(
            state.run[lane],
            state.arm[lane * per_run : (lane + 1) * per_run],
            state.room[lane * room : (lane + 1) * room],
        )
        noise = block.noise[lane : numbers.draws * LANES : LANES]
        arm, reward = int(block.arm[lane]), block.rows[REWARD + lane] / numbers.bound
        player.rules.learn(own, arms, t, arm, reward, noise, *numbers.own)


@compilable
def lengths(state: State) -> tuple[int, int]:
    """Return how many records of arms and other numbers one run has."""
    runs = state.run.shape[0]
    return state.arm.shape[0] // runs, state.room.shape[0] // runs
