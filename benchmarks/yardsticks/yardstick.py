"""What a yardstick is, and the two that need nothing else: plain Python and the live agent."""

from __future__ import annotations

import dataclasses
import time
import warnings
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.yardsticks import plain
from benchmarks.yardsticks.recipe import recipe
from driftbandit.core.errors import InputError
from driftbandit.policies import Strategy

Means = NDArray[np.float64]
Player = tuple[Callable[[], Any], Callable[[int, float], Any]]
"""Choose an arm; learn an arm's reward."""

FEW = 100
"""The most arms that a library plays step by step: with more, some need milliseconds per step."""


class Yardstick(Protocol):
    """A program to compare with."""

    @property
    def name(self) -> str:
        """Its name in tables."""

    def knows(self, policy: Strategy, means: Means) -> bool:
        """Return whether it can play this policy in this game."""

    def seconds(self, policy: Strategy, means: Means) -> float:
        """Time a game of coins with these means, one row per round; return seconds per round."""


@dataclasses.dataclass(frozen=True)
class Absent:
    """A program that is not on this machine, and why."""

    name: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Stepwise:
    """A library that plays one run, one step at a time, from Python.

    `players` maps a kind of policy to a maker: maker(arms, **numbers) returns choose and learn.
    """

    name: str
    players: Mapping[str, Callable[..., Player]]
    most: int = FEW
    """The largest number of arms that it is measured with."""

    def knows(self, policy: Strategy, means: Means) -> bool:
        """Return whether the library has the policy."""
        mine = recipe(policy)
        return mine is not None and mine.kind in self.players and means.shape[1] <= self.most

    def seconds(self, policy: Strategy, means: Means) -> float:
        """Play one run and time it; warnings of the library are ignored."""
        mine = recipe(policy)
        if mine is None:
            raise InputError(f"{self.name} does not know {policy.label}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            player = self.players[mine.kind](means.shape[1], **mine.numbers)
            return seconds_per_step(player, means)


@dataclasses.dataclass(frozen=True)
class Live:
    """The live agent of this package, step by step."""

    name: str = "driftbandit, live agent"

    def knows(self, policy: Strategy, means: Means) -> bool:
        """Return whether there are few enough arms: every policy has an agent."""
        return bool(means.shape[1] <= FEW)

    def seconds(self, policy: Strategy, means: Means) -> float:
        """Play one run and time it."""
        agent = policy.agent(means.shape[1], seed=1)
        return seconds_per_step((agent.choose, agent.learn), means)


PLAIN = Stepwise("plain Python", plain.PLAYERS, most=10_000)


def seconds_per_step(player: Player, means: Means) -> float:
    """Time a run over rows of means, rewards and regret included, after one play per arm."""
    arms, draw = int(means.shape[1]), Random(1).random
    rows, tops = means.tolist(), means.max(axis=1).tolist()
    play(player, rows[:arms], tops[:arms], draw)
    start = time.perf_counter()
    play(player, rows[arms:], tops[arms:], draw)
    return (time.perf_counter() - start) / max(1, len(rows) - arms)


def play(
    player: Player, rows: list[list[float]], tops: list[float], draw: Callable[[], float]
) -> float:
    """Play a run over rows of means; `tops` are their maxima. Return the regret."""
    choose, learn = player
    regret = 0.0
    for row, top in zip(rows, tops, strict=True):
        arm = choose()
        mean = row[arm]
        learn(arm, 1.0 if draw() < mean else 0.0)
        regret += top - mean
    return regret
