"""Policies of the literature as their papers print them, all runs at once in plain NumPy.

They share no line with the package: they tell which published numbers a textbook gives, and what
the mistakes of public programs give instead. A policy is a function of (arms, runs, rng) that
returns two functions: `choose(t)`, the arms played in round t of every run, and `learn(t, arms,
rewards)`. Rounds count from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.environments import World

Floats = NDArray[np.float64]
Arms = NDArray[np.int64]
Choose = Callable[[int], Arms]
Learn = Callable[[int, Arms, Floats], None]
Textbook = Callable[[int, int, np.random.Generator], tuple[Choose, Learn]]


def regret(policy: Textbook, world: World, runs: int, seed: int = 0) -> Floats:
    """Play all runs side by side and return the pseudo-regret of each."""
    assert world.horizon is not None
    means, rng = world.mean_rewards(1, world.horizon), np.random.default_rng(seed)
    choose, learn = policy(world.arms, runs, rng)
    total = np.zeros(runs)
    for t, row in enumerate(means, start=1):
        arms = choose(t)
        rewards = (rng.random(runs) < row[arms]).astype(np.float64)
        learn(t, arms, rewards)
        total += row.max() - row[arms]
    return total


def klucb(mean: Floats, level: Floats) -> Floats:
    """Return the largest q with kl(mean, q) ≤ level, by halving."""
    p = np.clip(mean, 1e-12, 1.0 - 1e-12)
    low, high = p.copy(), np.minimum(1.0, p + np.sqrt(level / 2.0))
    for _ in range(20):
        q = np.minimum(0.5 * (low + high), 1.0 - 1e-12)
        inside = p * np.log(p / q) + (1.0 - p) * np.log((1.0 - p) / (1.0 - q)) <= level
        low, high = np.where(inside, q, low), np.where(inside, high, q)
    return low


def _index_arms(sums: Floats, counts: Floats, level: Any, rng: np.random.Generator) -> Arms:
    """Return an arm of the largest kl-UCB index; one that was not played comes first.

    Only rounding and faults make a mean larger than 1; its index is then (mean + 1) / 2.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        means = sums / counts
        index = klucb(np.minimum(means, 1.0), np.maximum(level, 0.0) / counts)
    index = np.where(means > 1.0, (means + 1.0) / 2.0, index)
    index = np.where(counts > 0.0, index, np.inf)
    ties = index == index.max(axis=1, keepdims=True)
    arms: Arms = (ties * rng.random(index.shape)).argmax(axis=1)
    return arms


def kl_ucb(restarts: Sequence[int] = (), one_arm: bool = False) -> Textbook:
    """kl-UCB with the level log t; an oracle that forgets all before the given rounds.

    With `one_arm` it forgets only the arm played in the round before, and not the reward of that
    round, and the level stays log t: the oracle of a public program.
    """

    def policy(K: int, runs: int, rng: np.random.Generator) -> tuple[Choose, Learn]:
        sums, counts, every = np.zeros((runs, K)), np.zeros((runs, K)), np.arange(runs)
        start = [0]

        def choose(t: int) -> Arms:
            if t in restarts and not one_arm:
                sums[:], counts[:], start[0] = 0.0, 0.0, t - 1
            return _index_arms(sums, counts, np.log(t - start[0]), rng)

        def learn(t: int, arms: Arms, rewards: Floats) -> None:
            if one_arm and t + 1 in restarts:
                sums[every, arms] = counts[every, arms] = 0.0
            sums[every, arms] += rewards
            counts[every, arms] += 1.0

        return choose, learn

    return policy


def sliding_kl_ucb(window: int) -> Textbook:
    """SW-klUCB: the last `window` rounds, level log(t ∧ τ)."""

    def policy(K: int, runs: int, rng: np.random.Generator) -> tuple[Choose, Learn]:
        sums, counts, every = np.zeros((runs, K)), np.zeros((runs, K)), np.arange(runs)
        plays: list[tuple[Arms, Floats]] = []

        def choose(t: int) -> Arms:
            return _index_arms(sums, counts, np.log(min(t, window)), rng)

        def learn(t: int, arms: Arms, rewards: Floats) -> None:
            sums[every, arms] += rewards
            counts[every, arms] += 1.0
            plays.append((arms, rewards))
            if len(plays) > window:
                old, gone = plays.pop(0)
                sums[every, old] -= gone
                counts[every, old] -= 1.0

        return choose, learn

    return policy


def discounted_kl_ucb(discount: float, fault: str = "") -> Textbook:
    """D-klUCB: all counts and sums × γ each round, level log n_t(γ).

    Faults of a public program, which held counts in whole numbers. "played", until November 2019:
    an arm is discounted when it is played, by γ for each round since its last play; its count never
    gets beyond 1, and its mean does. An index above 1 was (mean + 1) / 2. "all", in December 2019:
    all arms are discounted, so a count of 1 becomes 0 and its arm is played as if it never was.
    """

    def policy(K: int, runs: int, rng: np.random.Generator) -> tuple[Choose, Learn]:
        sums, counts, every = np.zeros((runs, K)), np.zeros((runs, K)), np.arange(runs)
        last = np.zeros((runs, K))

        def choose(t: int) -> Arms:
            total = np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
            return _index_arms(sums, counts, np.log(total), rng)

        def learn(t: int, arms: Arms, rewards: Floats) -> None:
            factor = np.full((runs, K), discount)
            if fault == "played":
                factor[:] = 1.0
                factor[every, arms] = discount ** (t - last[every, arms])
            sums[:], counts[:] = factor * sums, factor * counts
            if fault:
                counts[:] = np.floor(counts)
            sums[every, arms] += rewards
            counts[every, arms] += 1.0
            last[every, arms] = t

        return choose, learn

    return policy


def thompson(discount: float = 1.0, fault: str = "") -> Textbook:
    """Thompson sampling with Beta(1 + S, 1 + F), S and F discounted for every arm each round.

    Fault "played": only the arm that was played is discounted, its old rewards by γ and then, with
    the new one, once more for each other arm. Fault "prior": the prior is part of what is
    discounted, and another one is added.
    """

    def policy(K: int, runs: int, rng: np.random.Generator) -> tuple[Choose, Learn]:
        prior = 1.0 if fault == "prior" else 0.0
        wins, losses = np.full((runs, K), prior), np.full((runs, K), prior)
        every = np.arange(runs)

        def choose(t: int) -> Arms:
            arms: Arms = rng.beta(1.0 + wins, 1.0 + losses).argmax(axis=1)
            return arms

        def learn(t: int, arms: Arms, rewards: Floats) -> None:
            factor = np.full((runs, K), discount)
            if fault == "played":
                factor[:], factor[every, arms] = 1.0, discount
            wins[:], losses[:] = factor * wins, factor * losses
            wins[every, arms] += rewards
            losses[every, arms] += 1.0 - rewards
            if fault == "played":
                wins[every, arms] *= discount ** (K - 1)
                losses[every, arms] *= discount ** (K - 1)

        return choose, learn

    return policy


def exp3s(exploration: float, sharing: float, share_to_all: bool = True) -> Textbook:
    """EXP3.S; without `share_to_all` only the arm that was played gets its part of the whole."""

    def policy(K: int, runs: int, rng: np.random.Generator) -> tuple[Choose, Learn]:
        weights, every = np.full((runs, K), 1.0 / K), np.arange(runs)

        def chances() -> Floats:
            part = weights / weights.sum(axis=1, keepdims=True)
            mixed: Floats = (1.0 - exploration) * part + exploration / K
            return mixed

        def choose(t: int) -> Arms:
            under = rng.random((runs, 1)) > np.cumsum(chances(), axis=1)
            arms: Arms = np.minimum(under.sum(axis=1), K - 1)
            return arms

        def learn(t: int, arms: Arms, rewards: Floats) -> None:
            gain = np.zeros((runs, K))
            gain[every, arms] = rewards / chances()[every, arms]
            share = math.e * sharing / K * weights.sum(axis=1, keepdims=True)
            played = np.zeros((runs, K), dtype=bool)
            played[every, arms] = True
            grown = weights * np.exp(exploration * gain / K)
            grown = grown + np.where(played | share_to_all, share, 0.0)
            weights[:] = grown / grown.sum(axis=1, keepdims=True)

        return choose, learn

    return policy
