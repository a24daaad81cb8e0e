"""The means of a random world, for all runs of a block and one chunk of rounds at a time."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.aligned import aligned
from driftbandit.core.errors import InputError, shown
from driftbandit.core.lanes import FEW, Flag, bounded
from driftbandit.core.marking import compilable
from driftbandit.engine import compiler, complaints
from driftbandit.environments import World, drawing

Array = NDArray[np.float64]

TILE = 8
"""Runs that are drawn one after the other and then copied side by side; it divides the lanes."""

SLAB = 8
"""Rounds that are drawn in lockstep and then checked, while they are in the cache."""


class Paths:
    """The paths of the runs of a block; every call returns the rounds after the last call's."""

    def __init__(self, world: World, streams: NDArray[np.uint64], rounds: int) -> None:
        lanes = streams.shape[1]
        few = (0,) * world.arms if world.arms <= FEW else ()
        path = world.lockstep or world.path
        compiler.check_globals(path)
        self.function = path
        self.foreign, self.world = compiler.foreign((path,)), world
        self.fill, self.seal = _filling(world.path, world.lockstep, few)
        self.numbers, self.bound = world.parameters(), world.bound
        self.memory = aligned((max(world.memory, 1), lanes))
        self.streams = aligned(streams.shape, np.uint64)
        self.streams[:] = streams
        self.opening = np.ascontiguousarray(streams[:, 0])
        self.means = aligned((rounds, world.arms, lanes))
        self.best = aligned((rounds, lanes))

    def __call__(self, first: int, rounds: int) -> tuple[Array, Array, bool]:
        """Return means and best means in units of the bound, and whether all means are possible.

        Every call overwrites the same arrays.
        """
        means, best = self.means[:rounds], self.best[:rounds]
        with complaints.of_rules(self.foreign):
            seal, wrong = self.fill(
                means, best, self.memory, self.streams, first, self.numbers, self.bound
            )
        compiler.check(seal, self.seal)
        if self.foreign and first == 1 and wrong == 0:
            self._compare(means[: drawing.CUTS[-1], :, 0] * self.bound)
        return means, best, wrong == 0

    def _compare(self, means: Array) -> None:
        """Raise if the means of the first run are not those of plain Python.

        Compiled whole numbers wrap around beyond 64 bits. Or `lockstep` is not what `path` is.
        """
        plain = drawing.drawn_from(self.world, self.opening, (len(means),))
        if not np.allclose(means, plain, rtol=1e-6):
            row = int(np.argmin(np.isclose(means, plain, rtol=1e-6).all(axis=1)))
            own, numbers = means[row].tolist(), plain[row].tolist()
            hint = "count with fractions: compiled whole numbers have 64 bits"
            if self.world.lockstep is not None:
                hint = "lockstep must draw what path does"
            raise InputError(
                f"{self.function.__qualname__} draws {shown(own)} in round {row + 1}, and "
                f"{type(self.world).__name__}.path in plain Python {shown(numbers)}: {hint}"
            )


@functools.cache
def _filling(
    path: compiler.Function, lockstep: compiler.Function | None, few: Flag
) -> tuple[Any, int]:
    """Return the compiled function that fills a chunk, and its seal."""
    return _one_by_one(path, few) if lockstep is None else _together(lockstep, few)


def _one_by_one(path: compiler.Function, few: Flag) -> tuple[Any, int]:
    seal = compiler.seal((path, side_by_side, look), repr(few))

    def fill(
        means: Any, best: Any, memory: Any, rng: Any, first: int, parameters: Any, bound: float
    ) -> tuple[int, int]:
        """Draw the path of one run after the other; the means of an arm lie next to each other."""
        rounds, arms, lanes = means.shape
        tile = np.empty(
            (TILE, arms * rounds + TILE)
        )  # rows a power of 2 apart would collide in the cache
        for start in range(0, lanes, TILE):
            for run in range(TILE):
                own = tile[run, : arms * rounds].reshape((arms, rounds)).T
                path(own, memory[:, start + run], rng[:, start + run], first, parameters)
            side_by_side(tile, means, start)
        wrong = 0
        for step in range(rounds):
            wrong += look(means[step], best[step], bound, few)
        return seal, wrong

    return compiler.compiled(fill, seal), seal


def _together(lockstep: compiler.Function, few: Flag) -> tuple[Any, int]:
    seal = compiler.seal((lockstep, look), repr(few))

    def fill(
        means: Any, best: Any, memory: Any, rng: Any, first: int, parameters: Any, bound: float
    ) -> tuple[int, int]:
        """Draw the paths of all runs together."""
        wrong = 0
        for start in range(0, means.shape[0], SLAB):
            slab = means[start : start + SLAB]
            lockstep(slab, memory, rng, first + start, parameters)
            for step in range(slab.shape[0]):
                wrong += look(slab[step], best[start + step], bound, few)
        return seal, wrong

    return compiler.compiled(fill, seal), seal


@compilable
def side_by_side(tile: Any, means: Any, start: int) -> None:
    """Copy a tile, one row per run with its means arm by arm, to the lanes from `start` on."""
    rounds = means.shape[0]
    for k in range(means.shape[1]):
        paths, lanes = tile[:, k * rounds : (k + 1) * rounds], means[:, k, start : start + TILE]
        for step in range(rounds):
            for run in range(TILE):
                lanes[step, run] = paths[run, step]


@compilable
def look(means: Any, best: Any, bound: float, few: Flag) -> int:
    """Divide a round's means by the bound and fill the best; return how many are impossible."""
    lanes, wrong = best.shape[0], 0
    if bound != 1.0:
        for k in range(means.shape[0]):
            row = means[k]
            for lane in range(lanes):
                row[lane] /= bound
    if len(few) > 0:
        for lane in range(bounded(lanes)):
            top, possible = 0.0, True
            for k in range(len(few)):
                mean = means[k, lane]
                possible &= mean >= 0.0  # so that NaN is wrong too
                top = mean if mean > top else top
            best[lane] = top
            wrong += 0 if possible & (top <= 1.0) else 1
        return wrong
    best[:] = 0.0
    for k in range(means.shape[0]):
        row = means[k]
        for lane in range(lanes):
            mean, top = row[lane], best[lane]
            wrong += 0 if mean >= 0.0 else 1
            best[lane] = mean if mean > top else top
    for lane in range(lanes):
        wrong += 1 if best[lane] > 1.0 else 0
    return wrong
