"""The rounds of a block of a linear world, a chunk at a time: the same for every policy."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.errors import InputError
from driftbandit.core.marking import compilable
from driftbandit.core.random import uniform
from driftbandit.engine import compiling
from driftbandit.environments.linear import Fixed, LinearWorld, Noise

Array = NDArray[np.float64]

CHUNK_NUMBERS = 2**17
"""Features and means held at once, about a megabyte."""


class Given(NamedTuple):
    """What a chunk of rounds brings; actions that stay the same are given once."""

    actions: Array
    """Features, by round, run, coordinate and action."""
    means: Array
    """The means aᵀθ, by round, run and action."""
    best: Array
    """The largest mean, by round and run."""
    luck: Array
    """The uniform number that becomes the reward, by round and run."""


class Chunks:
    """The rounds of some runs of a linear world."""

    def __init__(
        self, world: LinearWorld, horizon: int, seed: int, first_run: int, runs: int
    ) -> None:
        self.world, self.horizon, self.runs = world, horizon, runs
        self.draw, self.seal = _drawing(world.actions.fill)
        self.streams, self.luck = (
            np.ascontiguousarray(random.streams(seed, purpose, first_run, runs).T)
            for purpose in (random.WORLD, random.REWARDS)
        )
        self.each = runs if world.actions.drawn else 1
        width = self.each * (world.dimension + 1) * world.arms + runs
        self.size = min(horizon, max(1, CHUNK_NUMBERS // width))
        self.room = self._room()

    def _room(self) -> Given:
        """Return the arrays that every chunk fills anew: fresh ones cost as much as the drawing."""
        world, actions = self.world, self.world.actions
        shape = (self.size, self.runs) if actions.drawn else (1, 1)
        room = Given(
            np.zeros((*shape, world.dimension, world.arms)),
            np.zeros((self.size, self.each, world.arms)),
            np.zeros((self.size, self.each)),
            np.zeros((self.size, self.runs)),
        )
        if isinstance(actions, Fixed):
            room.actions[0, 0] = np.array(actions.rows).T
        return room

    def __iter__(self) -> Iterator[tuple[int, int, Given]]:
        """Yield (first round, rounds, what they bring), until the next ones are asked for."""
        for first in range(1, self.horizon + 1, self.size):
            rounds = min(self.size, self.horizon + 1 - first)
            yield first, rounds, self._given(first, rounds)

    def _given(self, first: int, rounds: int) -> Given:
        world, drawn = self.world, self.world.actions.drawn
        given = Given(*(array[:rounds] for array in self.room))
        most = np.inf if isinstance(world.law, Noise) else 1.0
        least = -np.inf if isinstance(world.law, Noise) else 0.0
        theta = _asked_theta(world, first, rounds)
        seal, wrong = self.draw(*given, theta, self.streams, self.luck, drawn, least, most)
        compiling.check(seal, self.seal)
        if wrong:
            _explain(world, given, least, most)
        return given


def _asked_theta(world: LinearWorld, first: int, rounds: int) -> Array:
    """Ask a world for θ, and check what it says."""
    last, name = first + rounds - 1, type(world).__name__
    theta = np.array(world.theta(first, last), dtype=np.float64, order="C")
    if theta.shape != (rounds, world.dimension):
        raise InputError(
            f"theta of {name} must have the shape {(rounds, world.dimension)} for rounds {first} "
            f"to {last}, got {theta.shape}"
        )
    if not np.isfinite(theta).all():
        raise InputError(f"theta of {name} must be finite in rounds {first} to {last}")
    return theta


def _explain(world: LinearWorld, given: Given, least: float, most: float) -> None:
    """Raise: compiled code relies on possible means."""
    name, law = type(world).__name__, type(world.law).__name__
    wrong = given.means[~((given.means >= least) & (given.means <= most) & (given.means < np.inf))]
    allowed = f"lie in [{least:g}, {most:g}] for rewards of {law}" if most == 1.0 else "be finite"
    raise InputError(f"means of {name} must {allowed}, got {float(wrong[0])!r}")


@functools.cache
def _drawing(fill: compiling.Function) -> tuple[Any, int]:
    """Return the compiled function that draws a chunk, and its seal."""
    seal = compiling.seal((fill, look, uniform))

    def draw(
        actions: Any, means: Any, best: Any, luck: Any, theta: Any, streams: Any, lucks: Any,
        drawn: bool, least: float, most: float,
    ) -> tuple[int, int]:  # fmt: skip  # what is filled, then what it is filled from
        """Draw actions and luck run after run, and note the means."""
        wrong = 0
        for run in range(luck.shape[1]):
            for step in range(luck.shape[0]):
                luck[step, run] = uniform(lucks[run])
        for run in range(means.shape[1]):
            for step in range(means.shape[0]):
                if drawn:
                    fill(actions[step, run], streams[run])
                columns = actions[step if drawn else 0, run]
                wrong += look(columns, theta[step], means[step, run], least, most)
                best[step, run] = means[step, run].max()
        return seal, wrong

    return compiling.compiled(draw, seal), seal


@compilable
def look(actions: Any, theta: Any, means: Any, least: float, most: float) -> int:
    """Fill the means aᵀθ of a round; return how many are impossible."""
    wrong = 0
    for k in range(means.shape[0]):
        means[k] = 0.0
    for i in range(theta.shape[0]):
        for k in range(means.shape[0]):
            means[k] += theta[i] * actions[i, k]
    for k in range(means.shape[0]):
        possible = (means[k] >= least) & (means[k] <= most) & (abs(means[k]) < np.inf)
        wrong += 0 if possible else 1
    return wrong
