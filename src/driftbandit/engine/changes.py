"""How often the best arm of a world changes, found at compiled speed and in little memory."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.engine import compiling
from driftbandit.engine.asking import horizon_of
from driftbandit.environments import World

NUMBERS = 2**18
"""Means held at once."""


def best_arm_changes(world: World, horizon: int, seed: int = 0, run: int = 0) -> int:
    """Return how often the best arm changes up to `horizon`; in a random world, in this run.

    It is the number of changes in `world.best_arm(horizon, seed, run)`, without that array.

    >>> import driftbandit as db
    >>> best_arm_changes(db.environments.two_swaps(), horizon=10_000)
    2
    """
    changes, last = 0, -1
    with compiling.explained():
        for means in _means(world, horizon_of(world, horizon), seed, run):
            best = means.argmax(axis=1)
            changes += int(np.count_nonzero(np.diff(best)))
            changes += int(last not in (-1, best[0]))
            last = int(best[-1])
    return changes


def _means(world: World, horizon: int, seed: int, run: int) -> Iterator[NDArray[np.float64]]:
    """Yield the means that a run meets, some rounds at a time."""
    size = max(1, NUMBERS // world.arms)
    stream = np.ascontiguousarray(random.streams(seed, random.WORLD, run, 1)[:, 0])
    memory, parameters = np.zeros(max(world.memory, 1)), world.parameters()
    for first in range(1, horizon + 1, size):
        last = min(first + size - 1, horizon)
        if not world.random:
            yield world.mean_rewards(first, last)
            continue
        means = np.empty((last + 1 - first, world.arms))
        _walk(world.path)(means, memory, stream, first, parameters)
        yield means


@functools.cache
def _walk(path: compiling.Function) -> Any:
    """Return the compiled function that draws some rounds of a random world's means."""
    seal = compiling.seal((path,))

    def walk(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> int:
        """Fill the means of one run."""
        path(means, memory, rng, first, parameters)
        return seal

    return compiling.compiled(walk, seal)
