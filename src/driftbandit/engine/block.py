"""A block of runs: a pure function of (policies, world, horizon, seed, checkpoints, block)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit import random
from driftbandit.engine import compiling, driver
from driftbandit.engine.families import FAMILIES
from driftbandit.engine.passes import BAD, LANES
from driftbandit.engine.paths import Paths
from driftbandit.environments import World
from driftbandit.errors import InputError
from driftbandit.policies import Strategy

Array = NDArray[np.float64]

CHUNK = 256
"""Rounds whose luck is drawn at once and shared by all policies."""

CHUNK_NUMBERS = 2**19
"""Means held at once; with many arms a chunk has fewer rounds."""

MEMO_NUMBERS = 2**20
"""Up to so many means in all, those of a fixed world are kept for the next block."""


@dataclasses.dataclass(frozen=True, eq=False)
class Job:
    """A comparison to simulate; blocks of it can run anywhere, in any order.

    A job is equal to itself alone: worlds of a user's own may not know when they are equal.
    """

    policies: tuple[Strategy, ...]
    world: World
    horizon: int
    runs: int
    seed: int
    marks: tuple[int, ...]
    memo: dict[int, tuple[Array, Array]] = dataclasses.field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the memo: a job travels as kilobytes."""
        return {**vars(self), "memo": {}}

    @property
    def blocks(self) -> int:
        """How many blocks of runs the job has."""
        return -(-self.runs // LANES)

    def live(self, block: int) -> int:
        """Return how many lanes of this block are runs that were asked for."""
        return min(LANES, self.runs - block * LANES)


@dataclasses.dataclass(frozen=True)
class Piece:
    """What one policy did in one block; lanes that were not asked for are cut off."""

    regret: Array
    suboptimal_plays: Array
    plays: Array
    play_totals: Array
    play_squares: Array
    arms: NDArray[np.int64]


class Chunks:
    """The rounds of a block, a chunk at a time: luck and means, the same for every policy."""

    def __init__(self, job: Job, block: int) -> None:
        world, first_run = job.world, block * LANES
        self.job = job
        self.luck = random.streams(job.seed, random.REWARDS, first_run, LANES)
        width = world.arms * (LANES if world.random else 1)
        self.size = max(1, min(CHUNK, job.horizon, CHUNK_NUMBERS // width))
        self.uniforms = np.empty((self.size, LANES))
        if world.random:
            streams = random.streams(job.seed, random.WORLD, first_run, LANES)
            self.paths = Paths(world, streams, self.size)

    def __iter__(self) -> Iterator[tuple[int, Array, Array, Array]]:
        """Yield (first round, uniforms, means, best means), means in units of the bound."""
        for first in range(1, self.job.horizon + 1, self.size):
            rounds = min(self.size, self.job.horizon + 1 - first)
            uniforms = self.uniforms[:rounds]
            driver.luck()(self.luck, uniforms)
            yield (first, uniforms, *self._means(first, rounds))

    def _means(self, first: int, rounds: int) -> tuple[Array, Array]:
        world = self.job.world
        if not world.random:
            return _fixed_means(self.job, first, rounds)
        means, best, possible = self.paths(first, rounds)
        if not possible:
            _check_means(world, means * world.bound)
        return means, best


def _fixed_means(job: Job, first: int, rounds: int) -> tuple[Array, Array]:
    """Return means and best means of a fixed world; a short job keeps them for its other blocks."""
    if first not in job.memo:
        found = _asked_means(job.world, first, first + rounds - 1)
        if job.horizon * job.world.arms > MEMO_NUMBERS:
            return found
        job.memo[first] = found
    return job.memo[first]


def _asked_means(world: World, first: int, last: int) -> tuple[Array, Array]:
    """Ask a fixed world for its means, and check what it says."""
    rounds = last - first + 1
    means = np.array(world.means(first, last), dtype=np.float64, order="C")
    if means.shape != (rounds, world.arms):
        raise InputError(
            f"means of {type(world).__name__} must have the shape {(rounds, world.arms)} for "
            f"rounds {first} to {last}, got {means.shape}"
        )
    _check_means(world, means)
    means /= world.bound
    return means[:, :, None], means.max(axis=1)[:, None]


def _check_means(world: World, means: Array) -> None:
    """Raise unless all means lie in [0, bound]; compiled code relies on it."""
    wrong = means[~((means >= 0.0) & (means <= world.bound))]
    if wrong.size:
        name = type(world).__name__
        raise InputError(
            f"means of {name} must lie in [0, {world.bound:g}], got {float(wrong[0])!r}"
        )


class Player:
    """One policy in one block: its state, its own random stream, and what it has done so far."""

    def __init__(self, job: Job, policy: Strategy, block: int, trace: bool) -> None:
        arms, world = job.world.arms, job.world
        family = FAMILIES[policy.family]
        self.setup = family.setup(policy, arms, job.horizon)
        self.state, self.carry = np.empty((self.setup.rows, arms, LANES)), np.zeros(3)
        family.begin(self.state, self.carry)
        self.ring = _ring(self.setup.ring, arms, world.law.binary)
        self.advance, self.seal = driver.driver(self.setup, world.law.quantile, self.ring)
        self.scratch = np.ones((6, LANES))
        self.noise = np.zeros((max(self.setup.noise, 1), LANES))
        self.rng = random.streams(job.seed, random.POLICY, block * LANES, LANES)
        self.parameters = np.asarray(world.law.parameters(), dtype=np.float64)
        self.bound = world.bound
        self.live, self.marks = job.live(block), np.array(job.marks, dtype=np.int64)
        self.regret = np.zeros(LANES)
        self.tally = np.zeros((arms, LANES), dtype=np.int64)
        self.curves = np.zeros((len(self.marks), LANES))
        self.totals = np.zeros((len(self.marks), arms))
        self.squares = np.zeros((len(self.marks), arms))
        self.arms = np.zeros((job.horizon if trace else 0, LANES), dtype=np.int64)

    def play(self, first: int, uniforms: Array, means: Array, best: Array) -> None:
        """Play the rounds of a chunk."""
        seal = self.advance(
            first, self.setup.forced, self.state, self.carry, self.ring, self.scratch,
            self.setup.noise, self.noise, self.rng, self.setup.numbers, self.setup.flags,
            means, best, uniforms,
            self.parameters, self.bound, self.regret, self.tally, self.marks,
            self.curves, self.totals, self.squares, self.live, self.arms[first - 1 :],
        )  # fmt: skip  # the driver's arguments, in its order
        compiling.check(seal, self.seal)

    @property
    def plays(self) -> NDArray[np.int64]:
        """The plays of every arm and lane so far."""
        return self.tally % BAD

    def piece(self) -> Piece:
        """Return what was done, in the world's units of reward."""
        return Piece(
            regret=self.bound * self.curves[:, : self.live].T,
            suboptimal_plays=(self.tally // BAD)[:, : self.live].T.astype(np.float64),
            plays=self.plays[:, : self.live].T.astype(np.float64),
            play_totals=self.totals,
            play_squares=self.squares,
            arms=self.arms[:, : self.live].copy(),
        )


def _ring(size: int, arms: int, binary: bool) -> tuple[Any, Any, Array]:
    """Return room for the arms and rewards of `size` rounds; a byte a reward if it is 0 or 1."""
    arm_type = np.uint16 if arms <= 2**16 else np.uint32
    reward_type = np.uint8 if binary else np.float64
    shape = (size, LANES)
    return np.zeros(shape, arm_type), np.zeros(shape, reward_type), np.zeros(size)


def play_block(
    job: Job, block: int, tick: Callable[[int], None] | None = None, trace: bool = False
) -> list[Piece]:
    """Play one block of runs with every policy; `tick` hears of the rounds done."""
    players = [Player(job, policy, block, trace) for policy in job.policies]
    for first, uniforms, means, best in Chunks(job, block):
        for player in players:
            player.play(first, uniforms, means, best)
            if tick is not None:
                tick(len(uniforms) * job.live(block))
    return [player.piece() for player in players]
