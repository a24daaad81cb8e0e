"""The paths the engine draws for all runs of a block are those that `realise` shows for one."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from driftbandit import environments as env
from driftbandit.core import random
from driftbandit.engine.paths import Paths


@dataclasses.dataclass(frozen=True)
class Relay(env.World):
    """A user's own world."""

    arms: int = 2
    random = True
    memory = 1

    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        for row in range(means.shape[0]):
            if random.uniform(rng) < 0.1:
                memory[0] = 1.0 - memory[0]
            means[row] = 0.3
            means[row, int(memory[0])] = 0.8


WORLDS = [
    env.RandomSwitching(3, rate=0.02),
    env.RandomSwitching(4, breakpoints=7, horizon=300, gap=(0.5, 2.0), bound=3.0),
    env.Brownian(3),
    env.Brownian(5, 0.05, low=0.2, high=0.6),
    env.Brownian(2, 0.39, low=0.2, high=0.6),
    env.Brownian(1, 0.05, bound=3.0),
    env.Radio(3, seize=(0.05, 0.2), release=(0.05, 0.2), switch_rate=0.01),
    env.Radio(4, switches=(2, 30, 31), bound=3.0),
    env.NewsFeed(3, half_life=20.0, rate=0.05),
    env.NewsFeed(2, rate=0.001, bound=3.0),
    env.RandomJumps(3, rate=0.05, together=False, low=0.2, high=2.0, bound=3.0),
    Relay(),
]
ROUNDS = 300


def drawn(world: env.World, lanes: int, size: int) -> tuple[NDArray[Any], NDArray[Any], bool]:
    """Return means and best means of a block, drawn `size` rounds at a time."""
    paths = Paths(world, random.streams(5, random.WORLD, 3, lanes), size)
    parts = []
    for first in range(1, ROUNDS + 1, size):
        means, best, possible = paths(first, min(size, ROUNDS + 1 - first))
        parts.append((means.copy(), best.copy(), possible))
    all_means, all_best, in_range = zip(*parts, strict=True)
    return np.concatenate(all_means), np.concatenate(all_best), all(in_range)


@pytest.mark.parametrize("world", WORLDS, ids=repr)
@pytest.mark.parametrize(("lanes", "size"), [(8, 300), (40, 77)])
def test_every_run_meets_the_means_it_is_said_to(world: env.World, lanes: int, size: int) -> None:
    means, best, possible = drawn(world, lanes, size)
    assert possible
    assert np.array_equal(best, means.max(axis=1))
    for lane in (0, 1, lanes - 1):
        expected = world.realise(ROUNDS, seed=5, run=3 + lane).mean_rewards(1, ROUNDS)
        assert means[:, :, lane].tobytes() == (expected / world.bound).tobytes()


@dataclasses.dataclass(frozen=True)
class Slip(env.World):
    """A world in which one arm of some runs has an impossible mean late in its life."""

    wrong: float = 0.5
    arms = 3
    random = True

    def parameters(self) -> NDArray[np.float64]:
        return np.array([self.wrong])

    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        arm = int(3 * random.uniform(rng))
        for row in range(means.shape[0]):
            means[row] = 0.5
            means[row, arm] = parameters[0] if first + row == ROUNDS else 0.6


@dataclasses.dataclass(frozen=True)
class Together(Slip):
    """The same in lockstep."""

    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:] = 0.5

    @staticmethod
    def lockstep(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:] = 0.5
        if first + means.shape[0] > ROUNDS:
            means[-1, 1, 3] = parameters[0]


@pytest.mark.parametrize("kind", [Slip, Together])
@pytest.mark.parametrize("bound", [1.0, 0.8])
@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, -1e-300, 1.0 + 2**-52])
def test_an_impossible_mean_is_noticed(kind: Any, bound: float, wrong: float) -> None:
    assert drawn(kind(wrong=0.4, bound=bound), 8, ROUNDS)[2]
    assert not drawn(kind(wrong=wrong, bound=bound), 8, ROUNDS)[2]


def test_who_replaces_the_path_of_a_world_does_not_keep_its_lockstep() -> None:
    class Still(env.Brownian):
        @staticmethod
        def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
            means[:] = 0.25

    class Renamed(env.Brownian):
        """The same world by another name."""

    assert np.all(drawn(Still(), 8, ROUNDS)[0] == 0.25)
    assert Renamed.lockstep is env.Brownian.lockstep
