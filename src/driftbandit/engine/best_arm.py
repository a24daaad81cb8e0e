"""How often the best arm of a world changes, counted at compiled speed and in little memory."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.errors import horizon_of, is_several, require
from driftbandit.engine import compiler, first_use
from driftbandit.environments import World
from driftbandit.environments.world import run_of, steady_means

NUMBERS = 2**18
"""Means held at once."""

WORLD = "be a world of driftbandit.environments, without features"

RUNS = 16
"""Runs over which the changes of a random world are averaged."""


def changes(worlds: World | Iterable[World], horizon: int) -> int:
    """Return how often the best arm changes: the Υ that rules are tuned for.

    In a world that moves in every round these changes are what costs regret. The number of a random
    world is the mean over its first 16 runs with seed 0, so that it belongs to the world and not to
    a simulation. The number of several worlds is the mean over them. It is rounded at the end.

    >>> import driftbandit as db
    >>> changes(db.environments.PROBLEMS["besson-4"](), horizon=5_000)
    3
    """
    several: list[Any] = list(worlds) if is_several(worlds) else [worlds]
    require(len(several) > 0, "worlds", several, "hold at least one world")
    return round(float(np.mean([_mean_changes(world, horizon) for world in several])))


def _mean_changes(world: World, horizon: int) -> float:
    require(isinstance(world, World), "world", world, WORLD)
    runs = range(RUNS if world.random else 1)
    return float(np.mean([best_arm_changes(world, horizon, run=run) for run in runs]))


def best_arm_changes(world: World, horizon: int, seed: int = 0, run: int = 0) -> int:
    """Return how often the best arm changes up to `horizon`; in a random world, in this run.

    It is the number of changes in `world.best_arm(horizon, seed, run)`, without that array.

    >>> import driftbandit as db
    >>> best_arm_changes(db.environments.two_swaps(), horizon=10_000)
    2
    """
    require(isinstance(world, World), "world", world, WORLD)
    seed, run = run_of(seed, run)
    total, last = 0, -1
    with first_use.explained():
        for means in _means(world, horizon_of(horizon, world.horizon), seed, run):
            best = means.argmax(axis=1)
            total += int(np.count_nonzero(np.diff(best)))
            total += int(last not in (-1, best[0]))
            last = int(best[-1])
    return total


def _means(world: World, horizon: int, seed: int, run: int) -> Iterator[NDArray[np.float64]]:
    """Yield the means of a run, some rounds at a time; one row where no mean changes."""
    size = max(1, NUMBERS // world.arms)
    stream = np.ascontiguousarray(random.streams(seed, random.WORLD, run, 1)[:, 0])
    memory, parameters = np.zeros(max(world.memory, 1)), world.parameters()
    for first in range(1, horizon + 1, size):
        last = min(first + size - 1, horizon)
        if not world.random:
            yield steady_means(world, first, last)
            continue
        means = np.empty((last + 1 - first, world.arms))
        compiler.check_globals(world.path)
        walk, seal = _walk(world.path)
        compiler.check(walk(means, memory, stream, first, parameters), seal)
        yield means


@functools.cache
def _walk(path: compiler.Function) -> tuple[Any, int]:
    """Return the compiled function that draws rounds of a random world's means, and its seal."""
    seal = compiler.seal((path,))

    def walk(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> int:
        """Fill the means of one run."""
        path(means, memory, rng, first, parameters)
        return seal

    return compiler.compiled(walk, seal), seal
