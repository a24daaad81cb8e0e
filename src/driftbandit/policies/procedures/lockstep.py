"""Procedures: a block of runs, one after the other in every round.

A procedure branches as it likes, so its runs cannot share vectors; each has a stretch of `memory`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from driftbandit.core.lanes import LANES, REWARD, Known, Shape, Space, known_lanes
from driftbandit.core.marking import compilable
from driftbandit.environments import World
from driftbandit.policies.setup import Setup, nothing

if TYPE_CHECKING:
    from driftbandit.policies.procedures.policy import Procedure

ROUND = 0
"""Place of `carry`: how many rounds have been learned."""


def setup(policy: Procedure, world: World, horizon: int) -> Setup:
    """Say which functions and how much memory the engine needs to run `policy`."""
    draws = policy.draws(world.arms)
    return Setup(
        begin=begin,
        choose=choose,
        learn=learn,
        functions=(policy.learn, nothing, policy.choose, *(nothing,) * 4),
        numbers=(policy.numbers(), (float(draws), policy.bound)),
        flags=(),
        rows=0,
        noise=draws,
        ring=0,
        own=np.array(policy.started(world.arms), dtype=np.float64),
    )


def begin(space: Space, shape: Shape, arms: int) -> None:
    """Nothing to set up: every run's memory begins as the setup says."""


@compilable
def choose(
    rule: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Ask every run for its arm."""
    choose_each(
        rule, lanes, arms, int(space.carry[ROUND]) + 1, space.arm, space.memory, space.kept,
        space.noise, space.wrong, int(numbers[1][0]), numbers[0],
    )  # fmt: skip


@compilable
def choose_each(
    rule: Any, lanes: int, arms: int, t: int, arm: Any, memory: Any, kept: int, noise: Any,
    wrong: Any, draws: int, numbers: Any,
) -> None:  # fmt: skip  # arrays one by one: a view in a loop is cheap where no others are near
    """Ask, and note an arm that there is not; arm 0 is played then, until the chunk ends."""
    for lane in range(known_lanes(lanes)):
        drawn = noise[lane : draws * LANES : LANES]
        found = rule(memory[lane * kept : (lane + 1) * kept], arms, t, drawn, *numbers)
        fits = 0 <= found < arms
        arm[lane] = found if fits else 0
        if not fits and wrong[0] == 0.0:
            wrong[0], wrong[1] = t, found


@compilable
def learn(
    rule: Any, call: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Let every run learn."""
    space.carry[ROUND] = t
    learn_each(
        rule, lanes, arms, t, space.arm, space.rows, space.memory, space.kept, space.noise,
        int(numbers[1][0]), numbers[1][1], numbers[0],
    )  # fmt: skip


@compilable
def learn_each(
    rule: Any, lanes: int, arms: int, t: int, arm: Any, rows: Any, memory: Any, kept: int,
    noise: Any, draws: int, top: float, numbers: Any,
) -> None:  # fmt: skip  # arrays one by one, as above
    """Hand over the arm and the reward as a share of the bound."""
    for lane in range(known_lanes(lanes)):
        drawn, k = noise[lane : draws * LANES : LANES], int(arm[lane])
        own, share = memory[lane * kept : (lane + 1) * kept], rows[REWARD + lane] / top
        rule(own, arms, t, k, share, drawn, *numbers)
