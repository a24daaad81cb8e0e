"""A job: what to simulate, checked before anything is computed, and how it is cut into blocks."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from driftbandit.core.arrays import listed
from driftbandit.core.errors import InputError, horizon_of, is_number, is_several, require, whole
from driftbandit.core.lanes import LANES, VECTOR, Array
from driftbandit.core.rounds import LONGEST
from driftbandit.engine import compiler
from driftbandit.engine.rewards import Payer, levels_of, payer_of
from driftbandit.engine.small import MIDDLING, small_plays
from driftbandit.engine.stages import Stage, stages
from driftbandit.environments import AnyWorld, World
from driftbandit.environments.laws import Law
from driftbandit.environments.linear import LinearWorld, Noise
from driftbandit.environments.world import check_declarations
from driftbandit.policies import Strategy

BLOCK_NUMBERS = 2**17
"""Arms times lanes of a block, at most: with many arms it has fewer lanes, to stay in the cache."""

STATE_NUMBERS = 2**24
"""Numbers that the windows, detectors or procedures of a block keep, at most: where a lane needs
many, a block has fewer lanes."""

SHARED = 4
"""A job of few runs is split into this many blocks, to occupy the cores, if they stay wide."""

POINTS, FALL, MISS = 500, 0.02, 0.002
"""Points at which a user's law is averaged, how far it may fall between two of them, and how far
from its mean the average may be: for a law that never falls it is 1 / 2 · POINTS off at most."""

WIDE = 64
"""Lanes below which a block gets slow for its size."""


@dataclasses.dataclass(frozen=True, eq=False)
class Job:
    """A comparison to simulate; blocks of it can run anywhere, in any order.

    A job is equal to itself alone: worlds of a user's own may not know when they are equal.
    """

    policies: tuple[Strategy, ...]
    world: AnyWorld
    horizon: int
    runs: int
    seed: int
    marks: tuple[int, ...]
    lanes: int | None = None
    """The width of the blocks of a longer or shorter job that this one goes on with."""
    small: int = dataclasses.field(default_factory=small_plays, repr=False)
    """Rounds × lanes × arms up to which loops need not be compiled."""
    means: dict[tuple[int, int], tuple[Array, Array]] = dataclasses.field(
        default_factory=dict, repr=False
    )
    """Means of a fixed world that the blocks of a short job share."""

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the means and what was planned: a job travels as kilobytes."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {**fields, "means": {}}

    @functools.cached_property
    def stages(self) -> list[list[Stage]]:
        """What plays each policy, and from which round on."""
        return [stages(policy, self.world, self.horizon) for policy in self.policies]

    @functools.cached_property
    def room(self) -> int:
        """The most lanes that a block may have."""
        numbers = max(1, *(each.setup.lane_numbers for stages in self.stages for each in stages))
        return max(VECTOR, min(LANES, BLOCK_NUMBERS // self.world.arms, STATE_NUMBERS // numbers))

    @functools.cached_property
    def width(self) -> int:
        """The lanes of a block: a function of what is played alone, so that blocks can be kept."""
        if self.lanes is not None:
            return self.lanes
        return vectors(min(self.room, max(WIDE, -(-self.runs // SHARED)), self.runs))

    @functools.cached_property
    def payer(self) -> Payer:
        """What turns luck into rewards: the law, with a table if it has one for this world."""
        return payer_of(self.world.law, levels_of(self.world))

    def with_width(self, width: Any) -> Job:
        """Return the same job in blocks of this width, if they can be had and are not slow."""
        possible = isinstance(width, int) and width % VECTOR == 0 and width <= self.room
        wide_enough = possible and width >= min(WIDE, self.width)
        return dataclasses.replace(self, lanes=width) if wide_enough else self

    @property
    def is_small(self) -> bool:
        """Whether plain Python plays the job sooner than its loops are compiled."""
        return self.plays <= self.small and self.payer.own

    @property
    def is_middling(self) -> bool:
        """Whether lean loops play the job sooner than the quickest are compiled."""
        return self.small > 0 and self.plays <= MIDDLING

    @property
    def plays(self) -> int:
        """Rounds × lanes × arms."""
        return self.horizon * self.blocks * self.width * self.world.arms

    @property
    def blocks(self) -> int:
        """How many blocks of runs the job has."""
        return -(-self.runs // self.width)

    def live(self, block: int) -> int:
        """Return how many lanes of this block are runs of the job."""
        return min(self.width, self.runs - block * self.width)


def make_job(
    policies: Strategy | Iterable[Strategy],
    world: AnyWorld,
    horizon: int | None,
    runs: int,
    seed: int,
    checkpoints: int | Sequence[int],
    name: str = "horizon",
) -> Job:
    """Return the job for these arguments of `simulate`, or raise; `name` is that of the horizon.

    >>> import driftbandit as db
    >>> job = make_job(db.UCB1(), db.environments.two_swaps(), None, 1_000, 0, 200)
    >>> job.horizon, job.width, job.blocks
    (10000, 128, 8)
    """
    policies, world = _in_order(policies, world)
    players, rounds = _policies(policies, world), horizon_of(horizon, world.horizon, name)
    whole(name, rounds, most=LONGEST)
    return Job(
        policies=players,
        world=world,
        horizon=rounds,
        runs=whole("runs", runs),
        seed=whole("seed", seed, least=0, most=None),
        marks=_marks(checkpoints, rounds),
    )


def _in_order(one: Any, other: Any) -> tuple[Any, Any]:
    """Return policies and world, whichever came first."""
    return (other, one) if isinstance(one, World | LinearWorld) else (one, other)


def _policies(policies: Any, world: AnyWorld) -> tuple[Strategy, ...]:
    """Return the policies, or raise unless all can play in the world."""
    several = is_several(policies)
    players = listed("policies", policies, "be policies") if several else [policies]
    ours = isinstance(world, World | LinearWorld)
    require(ours, "world", world, "be a world of driftbandit.environments")
    if isinstance(world, World):
        check_declarations(world)
    require(len(players) > 0, "policies", players, "hold at least one policy")
    for policy in players:
        require(isinstance(policy, Strategy), "policies", policy, "hold policies only")
        policy.check_world(world)
    labels = [policy.label for policy in players]
    require(len(set(labels)) == len(labels), "labels", labels, "be different from each other")
    _check_law(world)
    return tuple(players)


def _check_law(world: AnyWorld) -> None:
    """Try the law at a few points; a user's own may pay what compiled code does not expect."""
    law: Law = world.law
    if isinstance(law, Noise):
        if world.actions is None:
            name = type(world).__name__
            raise InputError(f"law of {name} must pay rewards in [0, 1], got {law!r}")
        return
    if not type(law).__module__.startswith("driftbandit."):
        compiler.check_globals(law.quantile)  # one that draws would be told that it falls
    for mean in (0.0, 0.1, 0.5, 1.0):
        for u in (1e-9, 0.25, 0.75, 1.0 - 1e-9):
            name, where = f"{type(law).__name__}.quantile", f"for u = {u:g} and mean = {mean:g}"
            try:
                reward = law.reward(u, mean)
            except Exception as error:  # whatever a user's function raises
                raise InputError(f"{name} fails {where}: {error!r}") from error
            if not 0.0 <= reward <= 1.0:
                raise InputError(f"{name} must pay rewards in [0, 1], got {reward!r} {where}")
    if not type(law).__module__.startswith("driftbandit."):
        _check_expectation(law)


def _check_expectation(law: Law) -> None:
    """Raise if a user's own law does not grow with u, or pays another mean on average.

    Regret is counted by means: such a law would give numbers that say nothing.
    """
    name, points = f"{type(law).__name__}.quantile", (np.arange(POINTS) + 0.5) / POINTS
    for mean in (0.1, 0.5, 0.8):
        rewards = np.array([law.reward(u, mean) for u in points.tolist()])
        rising = bool((np.diff(rewards) >= -FALL).all())
        require(rising, name, float(np.diff(rewards).min()), "never fall with u")
        paid = float(rewards.mean())
        close = abs(paid - mean) <= MISS
        require(close, name, paid, f"pay {mean:g} on average for mean = {mean:g}")


def _marks(checkpoints: Any, horizon: int) -> tuple[int, ...]:
    """Return the rounds at which curves are recorded, the last one always among them."""
    if is_number(checkpoints):
        count = min(whole("checkpoints", checkpoints), horizon)
        return tuple(sorted({round(horizon * (i + 1) / count) for i in range(count)}))
    rounds = listed("checkpoints", checkpoints, "be a number of rounds, or the rounds themselves")
    marks = [whole("checkpoints", mark) for mark in rounds]
    rising = all(early < late for early, late in itertools.pairwise(marks))
    inside = bool(marks) and marks[-1] <= horizon
    require(rising and inside, "checkpoints", marks, f"rise from 1 to at most {horizon}")
    return tuple(marks) if marks[-1] == horizon else (*marks, horizon)


def vectors(lanes: int) -> int:
    """Return the least multiple of a vector that holds so many lanes."""
    return -(-lanes // VECTOR) * VECTOR
