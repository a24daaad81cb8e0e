"""Rules that choose when to play so that rewards look larger than they are; many runs at once."""

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
    reward: Floats
    """The reward of the round before; NaN if it was not seen."""
    mean: Floats
    """Its mean."""
    guess: Floats
    """(S + ½) / (N + 1), the estimate of the next reward that the bets of a band use."""


Rule = Callable[[Seen], NDArray[np.bool_]]
Means = Callable[[Seen], Floats]
"""What the mean of the next reward is, given the past."""


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


def stop_after(reward: float, length: int) -> Rule:
    """Play until `reward` was seen `length` times in a row, and never again."""
    streak: Floats = np.zeros(1)

    def rule(seen: Seen) -> NDArray[np.bool_]:
        nonlocal streak
        stopped = streak >= length
        same = np.where(np.isnan(seen.reward), streak, 0.0)
        streak = np.where(stopped, streak, np.where(seen.reward == reward, streak + 1.0, same))
        playing: NDArray[np.bool_] = streak < length
        return playing

    return rule


def stop_when_won(
    weights: Floats, stakes: Floats, masses: Floats, evidence: float, sign: float
) -> Rule:
    """Stop as soon as the bets of the last round's band have won `evidence` against the truth.

    `weights` are those of the last rounds, by age. If the arm is played up to then, the band
    misses nearly as often as its proof allows.
    """
    wealth: Floats = np.zeros((len(stakes), 1))
    guess: Floats = np.full(1, 0.5)

    def rule(seen: Seen) -> NDArray[np.bool_]:
        nonlocal wealth, guess
        weight = weights[seen.left] if seen.left < len(weights) else 0.0
        bets = sign * weight * stakes[:, np.newaxis]
        won = np.log1p(bets * (seen.reward - guess)) - bets * (seen.mean - guess)
        wealth = wealth + np.nan_to_num(won)
        guess = seen.guess
        playing: NDArray[np.bool_] = np.log(masses @ np.exp(wealth)) < evidence
        return playing

    return rule


def contrary(low: float, high: float) -> Means:
    """Return means that are high where the guess is low, and low where it is high."""
    return lambda seen: np.where(seen.guess < (low + high) / 2.0, high, low)


class Played(NamedTuple):
    """Rewards, means, ratios and weights: one row per round, one column per run."""

    rewards: Floats
    """NaN where nothing was played."""
    means: Floats
    ratio: Floats
    weight: Floats


def play(
    rule: Rule, means: Floats | Means, gamma: float, runs: int, seed: int = 0, rounds: int = 300
) -> Played:
    """Let a rule choose when to see rewards of 0 or 1 with these means.

    There are `rounds` rounds if a function says what the means are.
    """
    luck = np.random.default_rng(seed)
    rounds = rounds if callable(means) else len(means)
    history = Played(*(np.full((rounds, runs), np.nan) for _ in Played._fields))
    excess, weight, ratio, total, count = np.zeros((5, runs))
    reward, mean = np.full((2, runs), np.nan)
    for t in range(rounds):
        guess = (total + 0.5) / (count + 1.0)
        seen = Seen(ratio, weight, rounds - t, reward, mean, guess)
        chosen = rule(seen)
        mean = means(seen) if callable(means) else np.full(runs, means[t])
        drawn = (luck.random(runs) < mean).astype(np.float64)
        excess = gamma * excess + chosen * (drawn - mean)
        weight = gamma * gamma * weight + chosen
        total, count = gamma * total + chosen * drawn, gamma * count + chosen
        ratio = np.where(chosen, excess / np.sqrt(np.where(chosen, weight, 1.0)), ratio)
        reward = np.where(chosen, drawn, np.nan)
        history.rewards[t], history.means[t] = reward, mean
        history.ratio[t], history.weight[t] = ratio, weight
    return history
