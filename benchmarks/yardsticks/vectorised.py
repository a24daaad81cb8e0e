"""The paper's policies and Thompson sampling as NumPy programs over many runs at once.

They are also an independent truth, written from the papers' formulas, with NumPy's own random
numbers: nothing is shared with the package, so that its regrets can be held against these.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Choose = Callable[[int], NDArray[np.int64]]
Learn = Callable[[int, NDArray[np.int64], Array], None]
Steps = tuple[Choose, Learn]
Rewards = Callable[[np.random.Generator, Array], Array]
"""Draw the rewards of arms with these means."""


def ucb1(arms: int, runs: int, rng: np.random.Generator, xi: float = 0.5) -> Steps:
    return _ucb(arms, runs, 1.0, xi)


def discounted_ucb(
    arms: int, runs: int, rng: np.random.Generator, discount: float = 0.9975, xi: float = 2.0
) -> Steps:
    return _ucb(arms, runs, discount, xi)


def _ucb(arms: int, runs: int, discount: float, xi: float) -> Steps:
    counts, sums, rows = np.zeros((runs, arms)), np.zeros((runs, arms)), np.arange(runs)
    clock = 0.0

    def choose(t: int) -> NDArray[np.int64]:
        if t <= arms:
            return np.full(runs, t - 1)
        bonus = xi * math.log(clock)
        inverse = 1.0 / counts
        best: NDArray[np.int64] = (sums * inverse + np.sqrt(bonus * inverse)).argmax(axis=1)
        return best

    def learn(t: int, arm: NDArray[np.int64], reward: Array) -> None:
        nonlocal counts, sums, clock
        if discount < 1.0:
            counts *= discount
            sums *= discount
        clock = discount * clock + 1.0
        counts[rows, arm] += 1.0
        sums[rows, arm] += reward

    return choose, learn


def sliding_window_ucb(
    arms: int, runs: int, rng: np.random.Generator, window: int = 1213, xi: float = 0.5
) -> Steps:
    counts, sums, rows = np.zeros((runs, arms)), np.zeros((runs, arms)), np.arange(runs)
    past_arm, past = np.zeros((window, runs), dtype=np.int64), np.zeros((window, runs))

    def choose(t: int) -> NDArray[np.int64]:
        if t <= arms:
            return np.full(runs, t - 1)
        bonus = xi * math.log(min(t - 1, window))
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / counts
            index = sums * inverse + np.sqrt(bonus * inverse)
        best: NDArray[np.int64] = np.where(counts > 0, index, np.inf).argmax(axis=1)
        return best

    def learn(t: int, arm: NDArray[np.int64], reward: Array) -> None:
        at = t % window
        if t > window:
            counts[rows, past_arm[at]] -= 1.0
            sums[rows, past_arm[at]] -= past[at]
        past_arm[at], past[at] = arm, reward
        counts[rows, arm] += 1.0
        sums[rows, arm] += reward

    return choose, learn


def exp3s(
    arms: int,
    runs: int,
    rng: np.random.Generator,
    exploration: float = 0.0638305,
    sharing: float = 1e-4,
) -> Steps:
    weights, rows = np.full((runs, arms), 1.0 / arms), np.arange(runs)
    p = weights.copy()

    def choose(t: int) -> NDArray[np.int64]:
        nonlocal p
        p = (1.0 - exploration) * weights + exploration / arms
        level = rng.random(runs)[:, None]
        arm: NDArray[np.int64] = (p.cumsum(axis=1)[:, :-1] <= level).sum(axis=1)
        return arm

    def learn(t: int, arm: NDArray[np.int64], reward: Array) -> None:
        nonlocal weights
        weights[rows, arm] *= np.exp(exploration * reward / (p[rows, arm] * arms))
        weights += math.e * sharing / arms  # the weights of the round before add up to one
        weights /= weights.sum(axis=1, keepdims=True)

    return choose, learn


def thompson(
    arms: int,
    runs: int,
    rng: np.random.Generator,
    success: float = 1.0,
    failure: float = 1.0,
) -> Steps:
    wins, losses = np.full((runs, arms), success), np.full((runs, arms), failure)
    rows = np.arange(runs)

    def choose(t: int) -> NDArray[np.int64]:
        if t <= arms:
            return np.full(runs, t - 1)
        best: NDArray[np.int64] = rng.beta(wins, losses).argmax(axis=1)
        return best

    def learn(t: int, arm: NDArray[np.int64], reward: Array) -> None:
        wins[rows, arm] += reward
        losses[rows, arm] += 1.0 - reward

    return choose, learn


KINDS: dict[str, Callable[..., Steps]] = {
    "ucb-1": ucb1,
    "exp3.s": exp3s,
    "d-ucb": discounted_ucb,
    "sw-ucb": sliding_window_ucb,
    "thompson": thompson,
}


def coins(rng: np.random.Generator, mean: Array) -> Array:
    return (rng.random(len(mean)) < mean).astype(np.float64)


def beta(rng: np.random.Generator, mean: Array, concentration: float) -> Array:
    return rng.beta(concentration * mean, concentration * (1.0 - mean))


def regrets(
    make: Callable[[int, int, np.random.Generator], Steps],
    means: Array,
    runs: int,
    seed: int,
    rewards: Rewards = coins,
) -> Array:
    """Play rewards of these means (rounds, arms); return the regret of every run."""
    rng = np.random.default_rng(seed)
    choose, learn = make(means.shape[1], runs, rng)
    regret = np.zeros(runs)
    for t, row in enumerate(means, start=1):
        arm = choose(t)
        mean = row[arm]
        learn(t, arm, rewards(rng, mean))
        regret += row.max() - mean
    return regret
