"""What the rounds of a block bring, a chunk at a time: the same for every policy."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from driftbandit.core import random
from driftbandit.core.lanes import Array
from driftbandit.engine.features import FeatureRounds
from driftbandit.engine.job import Job, vectors
from driftbandit.engine.paths import SLAB, Paths
from driftbandit.environments import World
from driftbandit.environments.world import check_means, steady_means

CHUNK = 2048
"""Rounds that a policy plays before it is the next one's turn."""

LONG, QUICK = 8 * CHUNK, 0.05
"""After a chunk that took all policies less than so many seconds, they play so many rounds: threads
hinder each other between chunks, where they are in Python."""

CHUNK_NUMBERS = 2**16
"""Means held at once: of many arms, or of all lanes of a random world, for fewer rounds."""

JOB_NUMBERS = 2**20
"""Up to so many means in all, those of a fixed world are kept for the next block."""


class Rounds(NamedTuple):
    """The rounds of a chunk; means that stay the same have one row."""

    number: int
    means: Array
    """Means by round, arm and lane, in units of the bound; one lane if all have the same."""
    best: Array
    """The largest mean, by round and lane."""
    actions: Array
    """Features by round, lane, coordinate and arm, where the world has features."""

    def between(self, start: int, stop: int) -> Rounds:
        """Return some of these rounds."""
        means, best = (
            rows[start:stop] if len(rows) > 1 else rows for rows in (self.means, self.best)
        )
        actions = self.actions[start:stop] if len(self.actions) > 1 else self.actions
        return Rounds(stop - start, means, best, actions)


NO_ACTIONS = np.zeros((0, 0, 0, 0))


def rounds_of(job: Job, block: int) -> Iterator[tuple[int, Rounds]]:
    """Yield the rounds of a block: (first round, rounds)."""
    world, lanes, first_run = job.world, vectors(job.live(block)), block * job.width
    if not isinstance(world, World):
        yield from (
            (first, Rounds(len(means), means, best, actions))
            for first, means, best, actions in FeatureRounds(
                world, job.horizon, job.seed, first_run, lanes
            )
        )
        return
    width = world.arms * (lanes if world.random else 1)
    size = min(CHUNK if world.random else LONG, job.horizon, _slabs(CHUNK_NUMBERS // width))
    paths = None
    if world.random:
        streams = random.streams(job.seed, random.WORLD, first_run, lanes)
        paths = Paths(world, streams, size)
    first, most = 1, CHUNK
    while first <= job.horizon:
        number = min(most, job.horizon + 1 - first)
        if not world.steady(first, first + number - 1):
            number = min(number, size)
        means, best = (
            fixed_means(job, world, first, number)
            if paths is None
            else path_means(paths, world, first, number)
        )
        start = time.perf_counter()
        yield first, Rounds(number, means, best, NO_ACTIONS)
        first, most = first + number, LONG if time.perf_counter() - start < QUICK else CHUNK


def _slabs(rounds: int) -> int:
    """Round down to whole slabs; at least two rounds, since draws come in pairs."""
    return max(rounds // SLAB * SLAB, 2)


def path_means(paths: Paths, world: World, first: int, rounds: int) -> tuple[Array, Array]:
    """Return means and best means of a random world, in units of the bound."""
    means, best, possible = paths(first, rounds)
    if not possible:
        check_means(world, means * world.bound)
    return means, best


def fixed_means(job: Job, world: World, first: int, rounds: int) -> tuple[Array, Array]:
    """Return means and best means of a fixed world; a short job keeps them for its other blocks."""
    if (first, rounds) in job.means:
        return job.means[first, rounds]
    last = first + rounds - 1
    pair = means_between(world, first, last)
    if job.horizon * world.arms <= JOB_NUMBERS:
        job.means[first, rounds] = pair
    return pair


def means_between(world: World, first: int, last: int) -> tuple[Array, Array]:
    """Return what a fixed world says of its means, checked, in units of the bound."""
    means = steady_means(world, first, last)
    means /= world.bound
    return means[:, :, None], means.max(axis=1)[:, None]
