"""Rules that choose when to play so that a ratio looks large; many runs at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Seen(NamedTuple):
    """What a rule may use, one number per run."""

    ratio: Floats
    """(S − M) / √N(γ²)."""
    weight: Floats
    """N(γ²)."""
    left: int
    """Rounds to come."""


Rule = Callable[[Seen], NDArray[np.bool_]]


def always(seen: Seen) -> NDArray[np.bool_]:
    return np.ones(seen.ratio.shape, dtype=np.bool_)


def stop_above(delta: float) -> Rule:
    """Play until the ratio exceeds δ, and never again: it stays where it is."""
    return lambda seen: seen.ratio <= delta


def stop_late(delta: float, gamma: float, least: float) -> Rule:
    """Stop above δ as soon as N(γ²) will still be `least` at the end."""

    def rule(seen: Seen) -> NDArray[np.bool_]:
        heavy: NDArray[np.bool_] = seen.weight * gamma ** (2.0 * seen.left) >= least
        return (seen.ratio <= delta) | ~heavy

    return rule


def forget_bad_luck(delta: float) -> Rule:
    """Stop above δ; after bad luck, wait until it is forgotten."""
    return lambda seen: (seen.ratio <= delta) & ((seen.ratio > -0.5) | (seen.weight < 0.1))


class Played(NamedTuple):
    """Rewards, ratios and weights: one row per round, one column per run."""

    rewards: Floats
    """NaN where nothing was played."""
    ratio: Floats
    weight: Floats


def play(rule: Rule, means: Floats, gamma: float, runs: int, seed: int = 0) -> Played:
    """Let a rule choose when to see rewards of 0 or 1 with these means."""
    luck = np.random.default_rng(seed)
    rounds = len(means)
    history = Played(*(np.full((rounds, runs), np.nan) for _ in Played._fields))
    excess, weight, ratio = np.zeros(runs), np.zeros(runs), np.zeros(runs)
    for t, mean in enumerate(means):
        chosen = rule(Seen(ratio, weight, rounds - t))
        reward = (luck.random(runs) < mean).astype(np.float64)
        excess = gamma * excess + chosen * (reward - mean)
        weight = gamma * gamma * weight + chosen
        ratio = np.where(chosen, excess / np.sqrt(np.where(chosen, weight, 1.0)), ratio)
        history.rewards[t] = np.where(chosen, reward, np.nan)
        history.ratio[t], history.weight[t] = ratio, weight
    return history
