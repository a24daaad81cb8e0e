"""What a run of a linear world brings, as the engine draws it, and plain ways to play it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import naive_linear
from driftbandit.core import random
from driftbandit.engine.features import FeatureRounds
from driftbandit.linear import LinearPolicy, LinearWorld

Array = NDArray[np.float64]

WINDOW, DISCOUNT = 40, 0.95


class Plain(Protocol):
    def indices(self, features: Array) -> Array: ...

    def learn(self, action: Array, reward: float) -> None: ...


class Rounds(NamedTuple):
    """The rounds of one run: actions (rounds, K, d), means (rounds, K), luck (rounds,)."""

    actions: Array
    means: Array
    luck: Array


def rounds_of(world: LinearWorld, horizon: int, seed: int = 0, run: int = 0) -> Rounds:
    parts = []
    for _, means, _, features in FeatureRounds(world, horizon, seed, run, 1):
        actions = np.broadcast_to(features[:, 0], (len(means), *features.shape[2:]))
        rows = actions.transpose(0, 2, 1), means[:, :, 0]
        parts.append([array.copy() for array in rows])  # the next chunk fills the same arrays
    actions, means = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    stream, luck = random.streams(seed, random.REWARDS, run, 1)[:, 0].copy(), np.empty(horizon)
    with np.errstate(over="ignore"):  # the stream's words wrap around on purpose
        random.uniform_series(stream, luck)
    return Rounds(actions, means, luck)


def shortfall(plain: Plain, world: LinearWorld, chosen: NDArray[np.int64], seed: int = 0) -> float:
    """Return by how much an index of the plain policy is above that of a row chosen, at most."""
    worst = 0.0
    rounds = rounds_of(world, len(chosen), seed)
    for actions, means, luck, row in zip(*rounds, chosen, strict=True):
        indices = plain.indices(actions)
        worst = max(worst, float(indices.max() - indices[row]))
        plain.learn(actions[row], world.law.reward(luck, means[row]))
    return worst


def naive(policy: LinearPolicy, dimension: int) -> naive_linear.LinUCB:
    """Return the naive version of one of the three presets with the settings of this file."""
    if policy.label == "D-LinUCB":
        return naive_linear.DiscountedLinUCB(DISCOUNT, dimension, ridge=policy.ridge)
    if policy.label == "SW-LinUCB":
        return naive_linear.SlidingWindowLinUCB(WINDOW, dimension, ridge=policy.ridge)
    return naive_linear.LinUCB(dimension, ridge=policy.ridge)
