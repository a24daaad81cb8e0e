"""The path of one run of a random world, drawn in plain Python, and what it must keep to."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.arithmetic import called, with_numpy
from driftbandit.core.errors import InputError
from driftbandit.core.handlers import from_a_handler

if TYPE_CHECKING:
    from driftbandit.environments.world import World

CUTS = (8, 24, 40)
"""The last rounds of the calls in which a path is drawn once more: the engine cuts at multiples
of 8."""


def drawn(
    world: World, rounds: int, seed: int = 0, run: int = 0, calls: Sequence[int] = ()
) -> NDArray[np.float64]:
    """Return the means of the first rounds of a run, drawn in one call, or in several.

    A row that the path does not fill is NaN.
    """
    stream = random.streams(seed, random.WORLD, run, 1)[:, 0]
    return drawn_from(world, stream, calls or (rounds,))


def drawn_from(
    world: World, stream: NDArray[np.uint64], calls: Sequence[int]
) -> NDArray[np.float64]:
    """Return the means that a path draws from a stream in several calls."""
    function = type(world).path
    path: Callable[..., Any] = function
    try:
        return _walk(path, world, stream.copy(), calls)
    except Exception as error:  # whatever a user's function raises, where compiled code may go on
        if from_a_handler(error):
            raise
        path = functools.partial(called, with_numpy(function))
    return _walk(path, world, stream.copy(), calls)


def _walk(
    path: Callable[..., Any], world: World, stream: NDArray[np.uint64], calls: Sequence[int]
) -> NDArray[np.float64]:
    means, memory = np.full((sum(calls), world.arms), np.nan), np.zeros(world.memory)
    first = 0
    with np.errstate(all="ignore"):  # the stream's words wrap around on purpose
        for number in calls:
            path(means[first : first + number], memory, stream, first + 1, world.parameters())
            first += number
    return means


def check_path(world: World) -> None:
    """Raise unless a path fills all its rows, however the rounds are cut into calls."""
    name, last = type(world).__name__, world.horizon or CUTS[-1]
    calls = [end - start for start, end in pairwise((0, *CUTS)) if end <= last] or [last]
    rounds = sum(calls)
    once, again = drawn(world, rounds), drawn(world, rounds)
    in_parts = drawn(world, rounds, calls=calls)
    if not np.array_equal(once, again, equal_nan=True):
        raise InputError(
            f"{name}.path draws from something which does not follow the seed: draw from rng, with "
            "the functions of driftbandit.core.random"
        )
    if np.isnan(once).any():
        row, arm = np.argwhere(np.isnan(once))[0].tolist()
        raise InputError(
            f"{name}.path must set the mean of every arm in every round, got none or nan for arm "
            f"{arm} in round {row + 1}"
        )
    differ = (once != in_parts).any(axis=1)
    if differ.any():
        raise InputError(
            f"{name}.path must draw the same means however rounds are cut into calls, but those of "
            f"round {int(np.argmax(differ)) + 1} differ: what the next call needs belongs in memory"
        )
