"""Bands hold whatever chose the rounds: rules and means that were made to break them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from driftbandit import theory
from driftbandit.theory.ends import LEAST, METHODS, Averages
from driftbandit.theory.memory import Memory
from driftbandit.theory.stakes import all_rounds, one_round
from previsible import (
    Means,
    Played,
    Rule,
    always,
    contrary,
    forget_bad_luck,
    play,
    stop_above,
    stop_after,
    stop_late,
    stop_when_won,
)

Floats = NDArray[np.float64]
MEMORIES: list[dict[str, Any]] = [
    {"discount": 0.9},
    {"discount": 0.99},
    {"discount": 1.0},
    {"window": 30},
]
COLUMNS = 250
"""How many runs a band is computed for at once; more would take much memory."""


def memory_of(mask: Floats, memory: dict[str, Any]) -> Memory:
    return Memory.of(mask, memory.get("discount", 1.0), memory.get("window"))


def winning(memory: dict[str, Any], rounds: int, miss: float, together: bool, sign: float) -> Rule:
    """Return the rule that stops where the band of the last round just misses."""
    known = memory_of(np.ones((rounds, 1)), memory)
    mixture = all_rounds(known, miss, rounds) if together else one_round(known, miss)
    last = [bets.log_mass[:, -1, 0] for bets in mixture.bets]
    stakes = np.concatenate([bets.stakes for bets in mixture.bets]) * mixture.scale[-1, 0]
    weights = memory.get("discount", 1.0) ** np.arange(memory.get("window", rounds))
    few = stakes < 1.0  # the larger ones have no limit but on one side
    masses = np.exp(np.concatenate(last))[few]
    return stop_when_won(weights, stakes[few], masses, float(mixture.evidence[-1, 0]), sign)


def rules(memory: dict[str, Any], rounds: int, level: float, together: bool) -> list[Rule]:
    """Return rules that stop where a band would just miss, if they can get there."""
    gamma = memory.get("discount", 1.0)
    miss = (1.0 - level) / 2.0
    delta = 0.6 * theory.maximal_threshold(miss, rounds, **memory)
    if not together:
        delta = 0.7 * theory.deviation_threshold(miss, rounds, **memory)
    freezing = [stop_above(delta), forget_bad_luck(delta), stop_late(delta, gamma, LEAST)]
    few, many = (stop_after(reward, length) for reward, length in ((0.0, 12), (1.0, 3)))
    low, high = (winning(memory, rounds, miss, together, sign) for sign in (-1.0, 1.0))
    return [always, *freezing, few, many, high, low]


def misses(
    history: Played, memory: dict[str, Any], level: float, together: bool, method: str
) -> NDArray[np.bool_]:
    """Return whether the weighted mean of the means lies outside, per round and run.

    Every run has a band of its own, so none of them pays for the others.
    """
    rounds, runs = history.rewards.shape
    result = np.zeros((rounds, runs), dtype=np.bool_)
    for start in range(0, runs, COLUMNS):
        columns = slice(start, start + COLUMNS)
        rewards, means = history.rewards[:, columns], history.means[:, columns]
        mask = (~np.isnan(rewards)).astype(np.float64)
        known = memory_of(mask, memory)
        miss = (1.0 - level) / 2.0
        low, high = METHODS[method](
            np.nan_to_num(rewards), mask, known, miss, rounds if together else None
        )
        truth = Averages.of(means * mask, mask, known).mean
        result[:, columns] = (truth < low - 1e-12) | (truth > high + 1e-12)
    return result


def lowest_coverage(missed: NDArray[np.bool_], together: bool) -> float:
    """Return the coverage of all rounds at once, or the lowest of a single round."""
    return 1.0 - float(missed.any(axis=0).mean() if together else missed.mean(axis=1).max())


def waves(middle: float, height: float, rounds: int) -> Floats:
    return middle + height * np.sin(np.arange(rounds) / 20.0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("together", [True, False])
def test_bands_hold_whatever_chose_the_rounds(
    memory: dict[str, Any], together: bool, method: str
) -> None:
    level, rounds, runs = 0.6, 200, 200
    gamma = memory.get("discount", 0.97)
    worlds: list[Floats | Means] = [waves(0.5, 0.3, rounds), contrary(0.05, 0.4)]
    for number, rule in enumerate(rules(memory, rounds, level, together)):
        history = play(rule, worlds[number % 2], gamma, runs, seed=2, rounds=rounds)
        coverage = lowest_coverage(misses(history, memory, level, together, method), together)
        assert coverage >= level - 3.0 * math.sqrt(level * (1.0 - level) / runs)


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("together", [True, False])
def test_bands_that_know_the_drift_hold_for_the_mean_of_each_round(
    memory: dict[str, Any], together: bool
) -> None:
    level, runs = 0.6, 50
    means = waves(0.5, 0.3, 200)
    drift = float(np.abs(np.diff(means)).max())
    history = play(always, means, memory.get("discount", 0.97), runs, seed=4)
    held = []
    for rewards in history.rewards.T:
        band = theory.confidence_band(
            rewards, level=level, simultaneous=together, drift=drift, **memory
        )
        held.append((band.low <= means) & (means <= band.high))
    rounds = np.array(held)
    share = rounds.all(axis=1).mean() if together else rounds.mean(axis=0).min()
    assert share >= level - 3.0 * math.sqrt(level * (1.0 - level) / runs)


@pytest.mark.parametrize("method", METHODS)
def test_a_band_of_single_rounds_taken_for_all_rounds_fails(method: str) -> None:
    """So these tests can tell: they see a band that is too narrow."""
    memory, level = {"discount": 0.8}, 0.1
    history = play(always, np.full(3_000, 0.5), 0.8, 40, seed=3)
    single = misses(history, memory, level, False, method)
    assert lowest_coverage(single, together=True) < level < lowest_coverage(single, together=False)
    assert lowest_coverage(misses(history, memory, level, True, method), together=True) > level


@pytest.mark.parametrize("memory", [{"discount": 0.99}, {"window": 200}, {"discount": 1.0}])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_rule_made_for_these_bands_uses_up_a_good_part_of_what_they_allow(
    memory: dict[str, Any], sign: float
) -> None:
    """It stops when the bets have won: one end of the band for the last round misses."""
    level, runs, rounds = 0.5, 300, 400
    rule = winning(memory, rounds, 0.25, False, sign)
    gamma = memory.get("discount", 1.0)
    history = play(rule, np.full(rounds, 0.2), gamma, runs, seed=5)
    missed = misses(history, memory, level, False, "betting")[-1].mean()
    assert 0.05 < missed <= 0.25 + 3.0 * math.sqrt(0.25 * 0.75 / runs)


@pytest.mark.slow
@pytest.mark.parametrize("memory", [{"discount": 0.99}, {"window": 200}])
@pytest.mark.parametrize("together", [True, False])
def test_bands_hold_at_their_level(memory: dict[str, Any], together: bool) -> None:
    level, rounds, runs = 0.95, 1_500, 2_000
    gamma = memory.get("discount", 1.0)
    rates = waves(0.06, 0.04, rounds)
    worlds: list[Floats | Means] = [rates, contrary(0.02, 0.1)]
    for world in worlds:
        for rule in rules(memory, rounds, level, together):
            history = play(rule, world, gamma, runs, seed=6, rounds=rounds)
            coverage = lowest_coverage(
                misses(history, memory, level, together, "betting"), together
            )
            assert coverage >= level
