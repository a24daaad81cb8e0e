"""Levels between changes: as good as the best of all cuts, and rarely a false change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftbandit.logs.drift.column import Column, dispersion
from driftbandit.logs.drift.steps import levels, penalty, steps
from driftbandit.logs.rows import Floats
from naive_drift import best_cut, worth

CELL = st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


@given(
    cells=st.lists(CELL, min_size=1, max_size=8),
    cost=st.floats(0.5, 12.0),
    spread=st.floats(0.2, 3.0),
)
def test_no_cut_is_better(cells: list[tuple[int, int]], cost: float, spread: float) -> None:
    counts, sums = np.array(cells, dtype=float).T
    borders = steps(counts, sums, spread, cost).tolist()
    mine = worth(counts.tolist(), sums.tolist(), borders, spread) - cost * len(borders)
    best = best_cut(counts.tolist(), sums.tolist(), spread, cost)
    assert mine == pytest.approx(best, abs=1e-8)


def test_levels_are_the_means_between_borders() -> None:
    counts, sums = np.array([10.0, 10.0, 20.0]), np.array([1.0, 3.0, 15.0])
    n, means = levels(counts, sums, np.array([2]))
    assert n.tolist() == [20.0, 20.0]
    assert means.tolist() == [0.2, 0.75]


@pytest.mark.parametrize(("cells", "mean"), [(40, 0.3), (150, 0.02)])
def test_still_rewards_have_a_change_as_often_as_stated(cells: int, mean: float) -> None:
    """5 % of 400, give or take three standard errors."""
    rng, cost, false = np.random.default_rng(cells), penalty(0.05, cells), 0
    for _ in range(400):
        sums = rng.binomial(30, mean, cells).astype(float)
        false += len(steps(np.full(cells, 30.0), sums, 1.0, cost)) > 0
    assert false / 400 <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("cells", [10, 30, 100, 300, 1_000])
@pytest.mark.parametrize("miss", [0.05, 0.01])
def test_the_penalty_keeps_what_it_promises(cells: int, miss: float) -> None:
    rng, cost, runs = np.random.default_rng([cells, int(1_000 * miss)]), penalty(miss, cells), 1_000
    false = sum(
        len(steps(np.full(cells, 20.0), rng.binomial(20, 0.3, cells).astype(float), 1.0, cost)) > 0
        for _ in range(runs)
    )
    assert false / runs <= miss + 3 * (miss * (1 - miss) / runs) ** 0.5


def column(counts: Floats, sums: Floats, squares: Floats) -> Column:
    places = np.arange(len(counts))
    return Column(places, places.astype(float), counts, sums, squares)


def test_dispersion_is_one_for_coins_and_less_for_other_rewards() -> None:
    rng = np.random.default_rng(0)
    counts = np.full(200, 50.0)
    coins = rng.binomial(50, 0.3, 200).astype(float)
    assert dispersion(column(counts, coins, coins)) == pytest.approx(1.0)
    rewards = rng.beta(6.0, 14.0, (200, 50))
    tame = column(counts, rewards.sum(axis=1), (rewards**2).sum(axis=1))
    assert dispersion(tame) == pytest.approx(1.0 / 21.0, rel=0.1)


@pytest.mark.parametrize("plays", [1, 2, 3])
def test_dispersion_holds_for_few_plays_per_block(plays: int) -> None:
    rng = np.random.default_rng(plays)
    rewards = rng.beta(1.5, 3.5, (2_000, plays))
    tame = column(np.full(2_000, float(plays)), rewards.sum(axis=1), (rewards**2).sum(axis=1))
    assert dispersion(tame) == pytest.approx(1.0 / 6.0, rel=0.05)


def test_rewards_in_clumps_make_no_changes() -> None:
    """Blocks whose rates differ by chance: the noise of a rate is more than that of coins."""
    rng, false = np.random.default_rng(1), 0
    for _ in range(100):
        rates = rng.beta(15.0, 35.0, 100)
        sums = rng.binomial(100, rates).astype(float)
        blocks = column(np.full(100, 100.0), sums, sums)
        assert dispersion(blocks) > 1.5
        false += len(steps(blocks.counts, sums, dispersion(blocks), penalty(0.05, 100))) > 0
    assert false <= 12
