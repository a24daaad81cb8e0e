"""A block of runs: a pure function of (policies, world, horizon, seed, checkpoints, block)."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.errors import InputError, require
from driftbandit.core.lanes import (
    FEW,
    LANES,
    REGRET,
    ROWS,
    VECTOR,
    Shape,
    Space,
    group_shift,
    groups_of,
    shape_of,
)
from driftbandit.engine import compiling, driver
from driftbandit.engine.aligned import aligned
from driftbandit.engine.passes import BAD
from driftbandit.engine.paths import SLAB, Paths
from driftbandit.engine.stages import Stage, stages
from driftbandit.environments import World
from driftbandit.policies import Strategy
from driftbandit.policies.setup import Setup

Array = NDArray[np.float64]
Streams = NDArray[np.uint64]

CHUNK = 2048
"""Rounds that a policy plays before it is the next one's turn."""

CHUNK_NUMBERS = 2**16
"""Means held at once: of many arms, or of all lanes of a random world, for fewer rounds."""

BLOCK_NUMBERS = 2**17
"""Arms times lanes of a block, at most: with many arms it has fewer lanes, to stay in the cache."""

RING_PLAYS = 2**24
"""Plays that the windows of a block remember, or numbers that its detectors or procedures keep, at
most: with long windows or many numbers it has fewer lanes."""

SHARED = 4
"""A job of few runs is cut into so many blocks, for the cores to share, while they stay wide."""

WIDE = 64
"""Lanes below which a block gets slow for its size."""

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
        """Leave out the memo and what was worked out: a job travels as kilobytes."""
        told = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {**told, "memo": {}}

    @functools.cached_property
    def stages(self) -> list[list[Stage]]:
        """What the engine needs to run each policy."""
        return [stages(policy, self.world, self.horizon) for policy in self.policies]

    @functools.cached_property
    def width(self) -> int:
        """The lanes of a block: a function of the job alone, so that blocks can be kept."""
        arms = self.world.arms
        setups = [stage.setup for each in self.stages for stage in each]
        kept = [max(each.ring, (each.plays + each.memory) * arms, each.own.size) for each in setups]
        plays = RING_PLAYS // max(1, *kept)
        roomy = max(VECTOR, min(LANES, BLOCK_NUMBERS // arms, plays))
        return _vectors(min(roomy, max(WIDE, -(-self.runs // SHARED)), self.runs))

    @property
    def blocks(self) -> int:
        """How many blocks of runs the job has."""
        return -(-self.runs // self.width)

    def live(self, block: int) -> int:
        """Return how many lanes of this block are runs that were asked for."""
        return min(self.width, self.runs - block * self.width)

    def chunks(self, block: int) -> Iterator[tuple[Any, ...]]:
        """Return the rounds of a block: (first round, rounds, and what they bring)."""
        return iter(Chunks(self, block))

    def player(self, policy: Strategy, block: int, trace: bool) -> Any:
        """Return a policy that is ready to `play` the chunks of a block."""
        return Player(self, policy, block, trace)


def _vectors(lanes: int) -> int:
    """Return the least multiple of a vector that holds so many lanes."""
    return -(-lanes // VECTOR) * VECTOR


def _slabs(rounds: int) -> int:
    """Return so many rounds in whole slabs, or two where a slab is too much, to draw in pairs."""
    return max(rounds // SLAB * SLAB, 2)


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
        world, first_run = job.world, block * job.width
        self.job, self.lanes = job, _vectors(job.live(block))
        width = world.arms * (self.lanes if world.random else 1)
        self.size = min(CHUNK, job.horizon, _slabs(CHUNK_NUMBERS // width))
        if world.random:
            streams = random.streams(job.seed, random.WORLD, first_run, self.lanes)
            self.paths = Paths(world, streams, self.size)

    def __iter__(self) -> Iterator[tuple[int, int, Array, Array]]:
        """Yield (first round, rounds, means, best means), means in units of the bound.

        Means that stay the same are given once.
        """
        first, horizon, world = 1, self.job.horizon, self.job.world
        while first <= horizon:
            rounds = min(CHUNK, horizon + 1 - first)
            if not world.steady(first, first + rounds - 1):
                rounds = min(rounds, self.size)
            yield (first, rounds, *self._means(first, rounds))
            first += rounds

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
        last = first + rounds - 1
        found = _asked_means(job.world, first, first if job.world.steady(first, last) else last)
        if job.horizon * job.world.arms > MEMO_NUMBERS:
            return found
        job.memo[first] = found
    return job.memo[first]


def _asked_means(world: World, first: int, last: int) -> tuple[Array, Array]:
    """Ask a fixed world for its means, and check what it says."""
    rounds = last - first + 1
    means = np.array(world.mean_rewards(first, last), dtype=np.float64, order="C")
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
        self.world, self.arms = job.world, job.world.arms
        self.label, self.live = policy.label, job.live(block)
        self.lanes = _vectors(self.live)
        self.waiting = list(job.stages[job.policies.index(policy)])
        luck, noise = _streams(job, random.REWARDS, block), np.zeros(4 * LANES, dtype=np.uint64)
        if any(stage.setup.noise for stage in self.waiting):
            noise = _streams(job, random.POLICY, block)
        self.few = (0,) * self.arms if self.arms <= FEW else ()
        self.parameters = np.asarray(job.world.law.parameters(), dtype=np.float64)
        self.bound, self.marks = job.world.bound, np.array(job.marks, dtype=np.int64)
        apart = LANES if self.few else self.lanes
        self.tally = aligned((self.arms * apart,), np.int64)
        self.curves = np.zeros((self.live, len(self.marks)))
        self.totals = np.zeros((len(self.marks), self.arms))
        self.squares = np.zeros((len(self.marks), self.arms))
        self.trace = np.zeros((job.horizon if trace else 0, self.live), dtype=np.int64)
        self._enter(self.waiting.pop(0), luck, noise, np.zeros(LANES))

    def _enter(self, stage: Stage, luck: Streams, noise: Streams, regret: Array) -> None:
        """Begin a stage with nothing learned; the random streams and the regret go on."""
        self.setup, self.past = stage.setup, stage.start - 1
        self.shape = shape_of(self.arms, self.lanes, self.setup.crowded)
        self.space = _space(self.setup, self.shape, self.arms, self.lanes, self.world.law.binary)
        self.space.luck[:], self.space.rng[:] = luck, noise
        self.space.rows[REGRET : REGRET + LANES] = regret
        stage.setup.begin(self.space, self.shape, self.arms)
        types = f"{self.space.ring_arm.itemsize}/{self.space.ring_reward.itemsize}"
        self.advance, self.seal = driver.driver(
            self.setup, self.world.law.quantile, self.few, types
        )

    def play(self, first: int, rounds: int, means: Array, best: Array) -> None:
        """Play the rounds of a chunk, which is cut where a stage begins."""
        end = first + rounds
        cuts = [stage.start for stage in self.waiting if first < stage.start < end]
        for start, stop in itertools.pairwise([first, *cuts, end]):
            if self.waiting and self.waiting[0].start == start:
                regret = self.space.rows[REGRET : REGRET + LANES]
                self._enter(self.waiting.pop(0), self.space.luck, self.space.rng, regret)
            rows = slice(start - first, stop - first) if len(means) > 1 else slice(None)
            self._advance(start, stop - start, means[rows], best[rows])

    def _advance(self, first: int, rounds: int, means: Array, best: Array) -> None:
        """Play rounds of one stage, which counts them from its own first one."""
        mark = int(np.searchsorted(self.marks, first))
        seal = self.advance(
            first - self.past, mark, self.setup.forced, self.space, self.lanes, self.shape,
            self.arms, self.setup.noise, self.setup.numbers, means, best, rounds,
            self.parameters, self.bound, self.tally, self.marks - self.past, self.curves,
            self.totals, self.squares, self.live, self.trace[first - 1 :],
        )  # fmt: skip  # the driver's arguments, in its order
        compiling.check(seal, self.seal)
        t, arm = (int(number) for number in self.space.wrong)
        name = f"arm of {self.label} in round {t + self.past}"
        require(t == 0, name, arm, f"lie in 0 to {self.arms - 1}")

    @property
    def plays(self) -> NDArray[np.int64]:
        """The plays of every arm and lane so far."""
        return self._tally % BAD

    @property
    def _tally(self) -> NDArray[np.int64]:
        return self.tally.reshape(self.arms, -1)[:, : self.live]

    def piece(self) -> Piece:
        """Return what was done, in the world's units of reward."""
        return Piece(
            regret=self.bound * self.curves if self.bound != 1.0 else self.curves,
            suboptimal_plays=(self._tally // BAD).T.astype(np.float64),
            plays=self.plays.T.astype(np.float64),
            play_totals=self.totals,
            play_squares=self.squares,
            arms=self.trace,
        )


def _space(setup: Setup, shape: Shape, arms: int, lanes: int, binary: bool) -> Space:
    """Return the arrays for a policy; in a window, a reward that is 0 or 1 takes a byte.

    Without a window all have the same types, and the compiler works them through once.
    """
    windowed = setup.ring > 0
    memory = aligned((lanes * (setup.own.size or arms * setup.memory),))
    if setup.own.size:
        memory.reshape(lanes, -1)[:] = setup.own
    return Space(
        rows=aligned((ROWS * LANES,)),
        state=aligned((setup.rows * shape[0],)),
        memory=memory,
        kept=setup.own.size or setup.memory,
        restarts=aligned((2 * LANES,)),
        carry=np.zeros(4),
        wrong=np.zeros(2),
        arm=aligned((LANES,), np.uint32),
        gone=aligned((LANES,), np.uint32),
        ring_arm=np.zeros((setup.ring, lanes), np.min_scalar_type(arms - 1 if windowed else 0)),
        ring_reward=np.zeros((setup.ring, lanes), np.uint8 if binary and windowed else np.float64),
        ring_weight=np.zeros(setup.ring),
        own_reward=np.zeros(
            (setup.plays * arms, lanes), np.uint8 if binary and setup.plays > 0 else np.float64
        ),
        own_round=np.zeros((setup.plays * arms, lanes)),
        leaders=aligned((3, groups_of(arms) if setup.crowded else 0, lanes)),
        until=np.zeros((lanes, groups_of(arms) if setup.crowded else 0)),
        shift=group_shift(arms),
        notes=np.zeros((2, LANES if setup.crowded else 0), dtype=np.int64),
        side=aligned(((6 + (2 << group_shift(arms)) if setup.crowded else 0) * (LANES + VECTOR),)),
        luck=aligned((4 * LANES,), np.uint64),
        noise=aligned((max(setup.noise, 1) * LANES,)),
        rng=aligned((4 * LANES,), np.uint64),
    )


def _streams(job: Job, purpose: int, block: int) -> Streams:
    """Return the random streams of a block's lanes, flat, LANES apart."""
    streams = np.zeros((4, LANES), dtype=np.uint64)
    lanes = _vectors(job.live(block))
    streams[:, :lanes] = random.streams(job.seed, purpose, block * job.width, lanes)
    return streams.ravel()


def play_block(
    job: Job, block: int, tick: Callable[[int], None] | None = None, trace: bool = False
) -> list[Piece]:
    """Play one block of runs with every policy; `tick` hears of the rounds done."""
    players = [job.player(policy, block, trace) for policy in job.policies]
    for first, rounds, *given in job.chunks(block):
        for player in players:
            player.play(first, rounds, *given)
            if tick is not None:
                tick(rounds * job.live(block))
    return [player.piece() for player in players]
