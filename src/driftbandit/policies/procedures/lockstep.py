"""Procedures in lockstep: the runs of a block one after the other in every round.

A procedure branches as it likes, so its runs cannot share vectors; each has a stretch of `memory`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from driftbandit.core.aligned import aligned
from driftbandit.core.errors import require
from driftbandit.core.lanes import LANES, REWARD, Array, Block, Player, Shape
from driftbandit.core.marking import compilable
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


class State(NamedTuple):
    """The state of a block."""

    memory: Array
    """What every run keeps, flat."""
    kept: int
    """How many numbers that is."""
    fault: Array
    """The first round in which an arm was named that does not exist, and that arm; or 0."""


ProcedurePlayer = Player[Rules, Numbers, Empty, State]


def setup(policy: Procedure, world: AnyWorld, horizon: int) -> Setup:
    """Return what plays `policy` in lockstep in a world."""
    arms, draws = world.arms, policy.draws(world.arms)
    start = np.array(policy.started(arms), dtype=np.float64)

    def make_state(lanes: int, shape: Shape) -> State:
        memory = aligned((lanes * start.size,))
        memory.reshape(lanes, -1)[:] = start
        return State(memory, start.size, np.zeros(2))

    def check(state: State, past: int) -> None:
        t, arm = (int(number) for number in state.fault)
        name = f"arm of {policy.label} in round {t + past}"
        require(t == 0, name, arm, f"lie in 0 to {arms - 1}")

    return Setup(
        choose=choose,
        learn=learn,
        rules=Rules(policy.choose, policy.learn),
        numbers=Numbers(policy.numbers(), draws, policy.bound),
        make_state=make_state,
        check=check,
        noise=draws,
        lane_numbers=start.size,
    )


@compilable
def choose(player: ProcedurePlayer, block: Block, t: int, row: int) -> None:
    """Ask every run for its arm."""
    numbers, state = player.numbers, player.state
    choose_each(
        player.rules.choose, block, t, block.arm, block.noise, state.memory, state.kept,
        state.fault, numbers.draws, numbers.own,
    )  # fmt: skip


@compilable
def choose_each(
    rule: Any, block: Block, t: int, arms: Any, noise: Any, memory: Any, kept: int, fault: Any,
    draws: int, numbers: Any,
) -> None:  # fmt: skip  # arrays one by one: a view in a loop is cheap where no others are near
    """Ask, and note an arm that does not exist; arm 0 is played then, until the chunk ends."""
    for lane in range(block.live):
        drawn = noise[lane : draws * LANES : LANES]
        arm = rule(memory[lane * kept : (lane + 1) * kept], block.arms, t, drawn, *numbers)
        exists = 0 <= arm < block.arms
        arms[lane] = arm if exists else 0
        if not exists and fault[0] == 0.0:
            fault[0], fault[1] = t, arm


@compilable
def learn(player: ProcedurePlayer, block: Block, t: int, row: int) -> None:
    """Let every run learn."""
    numbers, state = player.numbers, player.state
    learn_each(
        player.rules.learn, block, t, block.arm, block.rows, block.noise, state.memory, state.kept,
        numbers.draws, numbers.bound, numbers.own,
    )  # fmt: skip


@compilable
def learn_each(
    rule: Any, block: Block, t: int, arms: Any, rows: Any, noise: Any, memory: Any, kept: int,
    draws: int, bound: float, numbers: Any,
) -> None:  # fmt: skip  # arrays one by one, as above
    """Hand over the arm and the reward as a share of the bound."""
    for lane in range(block.live):
        drawn, k = noise[lane : draws * LANES : LANES], int(arms[lane])
        own, share = memory[lane * kept : (lane + 1) * kept], rows[REWARD + lane] / bound
        rule(own, block.arms, t, k, share, drawn, *numbers)
