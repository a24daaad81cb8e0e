"""A comparison in a linear world: blocks of runs, played like those of any other job."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.errors import InputError
from driftbandit.engine import compiling
from driftbandit.engine.block import SHARED, Job, Piece
from driftbandit.engine.linear import driver
from driftbandit.engine.linear.given import Chunks, Given
from driftbandit.environments.linear import LinearWorld
from driftbandit.policies import Strategy
from driftbandit.policies.linear import LinearPolicy
from driftbandit.policies.linear.live import lost
from driftbandit.rules.forget.rule import unfaded

WIDTH = 64
"""The most runs of a block."""

RING_NUMBERS = 2**22
"""Numbers that the windows of a block hold: with long windows it has fewer runs."""

FAMILIES = {"linear": driver.LINEAR, "uniform": driver.UNIFORM, "oracle": driver.ORACLE}
"""The families that can play in a linear world."""


@dataclasses.dataclass(frozen=True, eq=False)
class LinearJob(Job):
    """A job whose world is a linear one."""

    world: LinearWorld  # type: ignore[assignment]  # a world of another kind

    @functools.cached_property
    def width(self) -> int:
        """The runs of a block: a function of the job alone, so that blocks can be kept."""
        held = max(1, *(capacity(policy, self.horizon) for policy in self.policies))
        roomy = RING_NUMBERS // (held * (self.world.dimension + 2))
        return max(1, min(WIDTH, roomy, -(-self.runs // SHARED)))

    def chunks(self, block: int) -> Iterator[tuple[int, int, Given]]:
        """Return the rounds of a block."""
        first_run = block * self.width
        return iter(Chunks(self.world, self.horizon, self.seed, first_run, self.live(block)))

    def player(self, policy: Strategy, block: int, trace: bool) -> LinearPlayer:
        """Return a policy that is ready to play a block."""
        return LinearPlayer(self, policy, block, trace)


def capacity(policy: Strategy, horizon: int) -> int:
    """Return how many plays a policy must hold to forget them one by one."""
    if not isinstance(policy, LinearPolicy):
        return 0
    span = policy.forget.span(float(horizon), *policy.forget.numbers())
    return 0 if span == math.inf else min(math.ceil(span), horizon)


class LinearPlayer:
    """One policy in one block of a linear world: its state, and what it has done so far."""

    def __init__(self, job: LinearJob, policy: Strategy, block: int, trace: bool) -> None:
        world, runs, marks = job.world, job.live(block), len(job.marks)
        self.policy, self.held, self.ridge = policy, 0, 0.0
        self.plain, self.schedule = True, None
        if isinstance(policy, LinearPolicy):
            self.ridge, self.schedule = policy.ridge, policy.schedule(world.dimension)
            self.plain = policy.forget.factor is unfaded
        self.how = FAMILIES[policy.family]
        streams = random.streams(job.seed, random.POLICY, block * job.width, runs)
        self.space = _room(world, runs, capacity(policy, job.horizon), streams)
        self.advance, self.seal = driver.driver(world.law.quantile)
        self.numbers = np.asarray(world.law.parameters(), dtype=np.float64)
        self.marks = np.array(job.marks, dtype=np.int64)
        self.curves = np.zeros((runs, marks))
        self.totals = np.zeros((2, marks, world.arms))
        self.trace = np.zeros((job.horizon if trace else 0, runs), dtype=np.int64)

    def play(self, first: int, rounds: int, given: Given) -> None:
        """Play the rounds of a chunk."""
        table = np.zeros((rounds, 4)) if self.schedule is None else self.schedule.table(rounds)
        seal, self.held, well = self.advance(
            first, self.held, self.how, self.plain, self.ridge, *given, table, self.numbers,
            self.space, self.marks, self.curves, self.totals, self.trace[first - 1 :],
        )  # fmt: skip  # the driver's arguments, in its order
        compiling.check(seal, self.seal)
        if not well and isinstance(self.policy, LinearPolicy):
            raise InputError(lost(self.policy))

    def piece(self) -> Piece:
        """Return what was done."""
        plays, bad = self.space.plays.astype(np.float64)
        return Piece(self.curves, bad, plays, self.totals[0], self.totals[1], self.trace)


def _room(world: LinearWorld, runs: int, held: int, streams: NDArray[np.uint64]) -> driver.Room:
    d, arms = world.dimension, world.arms
    return driver.Room(
        sums=np.zeros((runs, d, d)),
        squares=np.zeros((runs, d, d)),
        targets=np.zeros((runs, d)),
        ring=np.zeros((runs, held, d + 2)),
        plays=np.zeros((2, runs, arms), dtype=np.int64),
        regret=np.zeros(runs),
        rng=np.ascontiguousarray(streams.T),
        matrices=np.zeros((4, d, d)),
        vectors=np.zeros((2, d + 2)),
        lines=np.zeros((2, arms)),
    )
