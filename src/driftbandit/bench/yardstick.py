"""Yardsticks: other programs that play the same policies, and the folder that lists them."""

from __future__ import annotations

import dataclasses
import importlib
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from driftbandit.bench import plain
from driftbandit.bench.recipe import recipe
from driftbandit.core.errors import InputError
from driftbandit.policies import Strategy

Means = NDArray[np.float64]
Player = tuple[Callable[[], Any], Callable[[int, float], Any]]
"""Choose an arm; learn an arm's reward."""

FEW = 100
"""Arms that a library plays step by step at most: with more, some need milliseconds a step."""

FILE = "yardsticks.py"
"""What a folder of yardsticks has: a function `yardsticks()` that returns them."""


class Yardstick(Protocol):
    """A program to compare with."""

    @property
    def name(self) -> str:
        """What it is called in tables."""

    def knows(self, policy: Strategy, means: Means) -> bool:
        """Say whether it can play this policy in this game."""

    def seconds(self, policy: Strategy, means: Means) -> float:
        """Time a game of coins with these means, row by row; return seconds a round and run."""


@dataclasses.dataclass(frozen=True)
class Absent:
    """A program that is not there, and why."""

    name: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Stepwise:
    """A library that plays one run, one step at a time, from Python.

    `players` are makers by kind of policy: maker(arms, **numbers) returns its choose and learn.
    """

    name: str
    players: Mapping[str, Callable[..., Player]]
    most: int = FEW
    """The largest number of arms it is measured with."""

    def knows(self, policy: Strategy, means: Means) -> bool:
        """Say whether the library has the policy."""
        found = recipe(policy)
        return found is not None and found.kind in self.players and means.shape[1] <= self.most

    def seconds(self, policy: Strategy, means: Means) -> float:
        """Play one run and time it; what the library warns of is its own affair."""
        found = recipe(policy)
        if found is None:
            raise InputError(f"{self.name} does not know {policy.label}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            player = self.players[found.kind](means.shape[1], **found.numbers)
            return seconds_a_step(player, means)


@dataclasses.dataclass(frozen=True)
class Live:
    """The live agent of this package, step by step as its users play it."""

    name: str = "driftbandit, live agent"

    def knows(self, policy: Strategy, means: Means) -> bool:
        """Say that there is an agent of every policy, measured with not too many arms."""
        return bool(means.shape[1] <= FEW)

    def seconds(self, policy: Strategy, means: Means) -> float:
        """Play one run and time it."""
        agent = policy.agent(means.shape[1], seed=1)
        return seconds_a_step((agent.choose, agent.learn), means)


PLAIN = Stepwise("plain Python", plain.PLAYERS, most=10_000)


def seconds_a_step(player: Player, means: Means) -> float:
    """Time a run over rows of means, rewards and regret included, after one play of every arm."""
    arms, draw = int(means.shape[1]), Random(1).random
    rows, tops = means.tolist(), means.max(axis=1).tolist()
    play(player, rows[:arms], tops[:arms], draw)
    start = time.perf_counter()
    play(player, rows[arms:], tops[arms:], draw)
    return (time.perf_counter() - start) / max(1, len(rows) - arms)


def play(
    player: Player, rows: list[list[float]], tops: list[float], draw: Callable[[], float]
) -> float:
    """Play a run over rows of means, whose largest are `tops`; return its regret."""
    choose, learn = player
    regret = 0.0
    for row, top in zip(rows, tops, strict=True):
        arm = choose()
        mean = row[arm]
        learn(arm, 1.0 if draw() < mean else 0.0)
        regret += top - mean
    return regret


def load(folder: str | Path) -> list[Yardstick | Absent]:
    """Return the yardsticks of a folder, which is a package with a file `yardsticks.py`."""
    place = Path(folder).resolve()
    if not (place / FILE).is_file():
        raise InputError(f"yardsticks must be a folder with a file {FILE}, got {str(folder)!r}")
    sys.path.insert(0, str(place.parent))
    try:
        module = importlib.import_module(f"{place.name}.{Path(FILE).stem}")
    finally:
        sys.path.remove(str(place.parent))
    if Path(module.__file__ or "").resolve().parent != place:
        raise InputError(f"yardsticks: another package is called {place.name}; rename the folder")
    found: list[Yardstick | Absent] = module.yardsticks()
    return found
