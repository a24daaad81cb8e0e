"""Bands of windows: what every bet by itself says, and the truth inside, however it moves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_drift
from driftbandit.logs.drift.bands import (
    FACTORS,
    LARGEST,
    MASSES,
    STEEPEST,
    band,
    least_distance,
)
from driftbandit.logs.evidence import Tally
from driftbandit.logs.rows import Floats
from naive_drift import coin_bet, spread_bet


def tally_of(rewards: list[Floats]) -> Tally:
    columns = [[len(x), x.sum(), (x**2).sum()] for x in rewards]
    counts, sums, squares = np.array(columns, dtype=float).T
    return Tally(counts[:, None], sums[:, None], squares[:, None])


@pytest.mark.parametrize("coins", [True, False])
def test_an_end_is_where_the_first_bet_has_won_enough(coins: bool) -> None:
    rng = np.random.default_rng(0)
    draws = [rng.random(40) < 0.3, rng.random(60) < 0.4] if coins else [rng.beta(3, 6, 40)] * 2
    rewards = [np.asarray(x, dtype=float) for x in draws]
    tally = tally_of(rewards)
    low, high = band(tally, coins, 0.1)
    share = 0.5 * 0.1 / 2
    for turned, end in ((False, low[1, 0]), (True, 1.0 - high[1, 0])):
        first, second = ((1.0 - x if turned else x) for x in rewards)
        guess = (first.sum() + 0.5) / (len(first) + 1.0)
        stake = math.sqrt(2.0 * math.log(1.0 / share) / (len(second) * guess * (1.0 - guess)))
        won = []
        for factor, mass in zip(FACTORS, MASSES, strict=True):
            bets = [coin_bet(second.tolist(), end, min(factor * stake, LARGEST))]
            if not coins:
                bets.append(spread_bet(second.tolist(), end, min(factor * stake, STEEPEST), guess))
            won += [bet + math.log(mass / len(bets)) for bet in bets]
        assert max(won) == pytest.approx(math.log(1.0 / share))


def test_bands_hold_a_mean_that_moves_under_a_player_that_looks() -> None:
    """An arm is played more often after it won: the band is around the mean of its plays."""
    rng, missed = np.random.default_rng(2), 0
    for _ in range(300):
        means = 0.3 + 0.2 * np.sin(np.arange(400) / 60.0)
        rewards: list[list[float]] = [[], []]
        played: list[list[float]] = [[], []]
        last = 1.0
        for t, mean in enumerate(means):
            if rng.random() < (0.8 if last else 0.3):
                last = float(rng.random() < mean)
                rewards[t // 200].append(last)
                played[t // 200].append(mean)
            elif rng.random() < 0.5:
                last = 1.0
        low, high = band(tally_of([np.array(x) for x in rewards]), True, 0.2)
        truth = [np.mean(x) for x in played]
        missed += any(not low[w, 0] <= truth[w] <= high[w, 0] for w in range(2))
    assert missed <= 300 * 0.2


def test_rewards_that_vary_little_have_narrow_bands() -> None:
    rng = np.random.default_rng(3)
    quiet, coins = rng.beta(200, 200, 2_000), (rng.random(2_000) < 0.5).astype(float)
    widths = []
    for x, are_coins in ((quiet, False), (coins, True)):
        low, high = band(tally_of([x, x]), are_coins, 0.05)
        widths.append(float(high[1, 0] - low[1, 0]))
    assert widths[0] < 0.4 * widths[1]


def test_an_arm_that_was_not_played_may_have_any_mean() -> None:
    low, high = band(tally_of([np.array([]), np.array([1.0])]), True, 0.05)
    assert (low[0, 0], high[0, 0]) == (0.0, 1.0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8))
def test_the_least_distance_is_that_of_the_shortest_way(ends: list[tuple[int, int]]) -> None:
    low, high = (np.array([float(pick(pair)) for pair in ends]) for pick in (min, max))
    assert least_distance(low, high) == naive_drift.least_distance(low.tolist(), high.tolist())
