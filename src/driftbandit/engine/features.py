"""The rounds of a world with features: its actions, and the means aᵀθ that follow."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from driftbandit.core import random
from driftbandit.core.arrays import real_array
from driftbandit.core.errors import InputError
from driftbandit.core.lanes import Array
from driftbandit.core.marking import compilable
from driftbandit.engine import compiler
from driftbandit.environments.linear import Fixed, LinearWorld, Noise

CHUNK_NUMBERS = 2**17
"""Features and means held at once, about a megabyte."""


class FeatureRounds:
    """The rounds of some runs of a linear world, a chunk at a time."""

    def __init__(
        self, world: LinearWorld, horizon: int, seed: int, first_run: int, lanes: int
    ) -> None:
        self.world, self.horizon = world, horizon
        compiler.check_globals(world.actions.fill)
        self.draw, self.seal = _drawing(world.actions.fill)
        streams = random.streams(seed, random.WORLD, first_run, lanes)
        self.streams = np.ascontiguousarray(streams.T)
        each = lanes if world.actions.drawn else 1
        width = each * (world.dimension + 1) * world.arms + lanes
        self.size = min(horizon, max(1, CHUNK_NUMBERS // width))
        self.actions = self._actions(lanes)
        self.means = np.zeros((self.size, world.arms, each))
        self.best = np.zeros((self.size, each))

    def _actions(self, lanes: int) -> Array:
        """Return the array that every chunk fills: a fresh one costs as much as the drawing."""
        world, actions = self.world, self.world.actions
        if isinstance(actions, Fixed):
            return np.ascontiguousarray(np.array(actions.rows).T[None, None])
        return np.zeros((self.size, lanes, world.dimension, world.arms))

    def __iter__(self) -> Iterator[tuple[int, Array, Array, Array]]:
        """Yield (first round, means, best means, actions), valid until the next chunk."""
        for first in range(1, self.horizon + 1, self.size):
            rounds = min(self.size, self.horizon + 1 - first)
            yield (first, *self._chunk(first, rounds))

    def _chunk(self, first: int, rounds: int) -> tuple[Array, Array, Array]:
        world, drawn = self.world, self.world.actions.drawn
        means, best = self.means[:rounds], self.best[:rounds]
        actions = self.actions[:rounds] if drawn else self.actions
        least, most = (-np.inf, np.inf) if isinstance(world.law, Noise) else (0.0, 1.0)
        theta = theta_between(world, first, first + rounds - 1)
        seal, wrong = self.draw(actions, means, best, theta, self.streams, drawn, least, most)
        compiler.check(seal, self.seal)
        if wrong:
            _refuse_means(world, means, least, most)
        return means, best, actions


def theta_between(world: LinearWorld, first: int, last: int) -> Array:
    """Return what a world says of θ, checked."""
    rounds, name = last - first + 1, type(world).__name__
    theta = real_array(world.theta(first, last))
    if theta is None:
        raise InputError(f"theta of {name} must be an array of real numbers")
    if theta.shape != (rounds, world.dimension):
        raise InputError(
            f"theta of {name} must have the shape {(rounds, world.dimension)} for rounds {first} "
            f"to {last}, got {theta.shape}"
        )
    if not np.isfinite(theta).all():
        raise InputError(f"theta of {name} must be finite in rounds {first} to {last}")
    return np.ascontiguousarray(theta)


def _refuse_means(world: LinearWorld, means: Array, least: float, most: float) -> None:
    """Raise: compiled code relies on possible means."""
    name, law = type(world).__name__, type(world.law).__name__
    wrong = means[~((means >= least) & (means <= most) & (means < np.inf))]
    allowed = f"lie in [{least:g}, {most:g}] for rewards of {law}" if most == 1.0 else "be finite"
    raise InputError(f"means of {name} must {allowed}, got {float(wrong[0])!r}")


@functools.cache
def _drawing(fill: compiler.Function) -> tuple[Any, int]:
    """Return the compiled function that draws a chunk, and its seal."""
    seal = compiler.seal((fill, set_means))

    def draw(
        actions: Any, means: Any, best: Any, theta: Any, streams: Any, drawn: bool, least: float,
        most: float,
    ) -> tuple[int, int]:  # fmt: skip  # what is filled, then what it is filled from
        """Draw actions run after run, and note the means; return how many are impossible."""
        wrong, row = 0, np.zeros(means.shape[1])
        for lane in range(means.shape[2]):
            for step in range(means.shape[0]):
                if drawn:
                    fill(actions[step, lane], streams[lane])
                columns = actions[step if drawn else 0, lane]
                wrong += set_means(columns, theta[step], row, least, most)
                means[step, :, lane] = row
                best[step, lane] = row.max()
        return seal, wrong

    return compiler.compiled(draw, seal), seal


@compilable
def set_means(actions: Any, theta: Any, means: Any, least: float, most: float) -> int:
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
