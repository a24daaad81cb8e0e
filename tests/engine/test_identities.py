"""Identities that hold to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

import driftbandit as db
from driftbandit.engine import rounds
from driftbandit.environments import laws

SLOW = pytest.mark.slow  # others like them are tested by the quick ones, and these compile
WORLD = db.environments.two_swaps(1_500)
RANDOM = db.environments.Brownian(arms=3, sigma=0.02)


def regrets(policy: db.Strategy, world: db.environments.World = WORLD) -> db.Outcome:
    return db.simulate(policy, world, horizon=1_500, runs=200, seed=3)[policy.label]


def same(one: db.Outcome, two: db.Outcome) -> bool:
    return np.array_equal(one.regret, two.regret) and np.array_equal(one.plays, two.plays)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (db.DiscountedUCB(1.0, padding=1.0), db.UCB1()),
        (db.DiscountedUCB(1.0, xi=0.5), db.UCB1(xi=2.0)),
        (db.SlidingWindowUCB(1_500), db.UCB1()),
        (db.SlidingWindowUCB(9_999), db.UCB1()),
        (db.SlidingWindowUCB.tuned(horizon=1_500, breakpoints=0), db.UCB1()),
        (db.DiscountedUCB.tuned(horizon=1_500, breakpoints=0, padding=1.0), db.UCB1()),
        (db.EXP3S(0.1, 0.0), db.EXP3(0.1)),
        (db.EXP3(1.0), db.Uniform()),
        (db.Policy(), db.UCB1()),
    ],
    ids=str,
)
def test_equal_policies(one: db.Strategy, two: db.Strategy) -> None:
    assert same(regrets(one), regrets(two))


def test_a_window_forgets_nothing_before_it_is_full() -> None:
    arms = [db.trace(p, WORLD, horizon=700, seed=1) for p in (db.SlidingWindowUCB(650), db.UCB1())]
    assert np.array_equal(arms[0][:651], arms[1][:651])


@pytest.mark.parametrize(
    "policy",
    [
        db.SlidingWindowUCB(30),
        db.SlidingWindowKLUCB(30),
        pytest.param(db.SlidingWindowThompson(30), marks=SLOW),
        pytest.param(db.Policy(forget=db.Window(40), explore=db.UCBVariance(zeta=0.5)), marks=SLOW),
    ],
    ids=lambda policy: policy.label,
)
def test_a_window_of_coins_is_a_window_of_numbers(policy: db.Policy) -> None:
    """Coins are remembered as bytes, other rewards as floating-point numbers."""
    coins = np.random.default_rng(6).integers(0, 2, (300, 3)).astype(float)
    bytes_, numbers = (
        db.trace(policy, db.environments.Table(coins, law=law), horizon=300, runs=9, seed=2)
        for law in (laws.Bernoulli(), laws.Exact())
    )
    assert np.array_equal(bytes_, numbers)


@pytest.mark.parametrize("law", [laws.Bernoulli(), laws.Uniform(half_width=0.3)], ids=str)
@pytest.mark.parametrize(
    "make",
    [
        lambda bound: db.UCB1(bound=bound),
        lambda bound: db.DiscountedUCB(0.99, bound=bound),
        lambda bound: db.SlidingWindowUCB(100, bound=bound),
        lambda bound: db.UCBV(bound=bound),
        lambda bound: db.EXP3S(0.1, 0.001, bound=bound),
    ],
    ids=["UCB-1", "D-UCB", "SW-UCB", "UCB-V", "EXP3.S"],
)
def test_scaling_rewards_and_bound_together_changes_nothing(make: object, law: laws.Law) -> None:
    plays = []
    for bound in (1.0, 4.0):
        means = bound * np.array([0.5, 0.3, 0.6])
        world = db.environments.Stationary(means=means, bound=bound, law=law)
        outcome = regrets(make(bound), world)  # type: ignore[operator]  # a lambda above
        plays.append(outcome.plays)
        assert np.allclose(outcome.final_regret, outcome.plays @ (means.max() - means))
    assert np.array_equal(plays[0], plays[1])


@pytest.mark.parametrize("world", [WORLD, RANDOM], ids=["fixed", "random"])
def test_threads_runs_company_checkpoints_and_chunks_change_no_bit(
    world: db.environments.World, monkeypatch: pytest.MonkeyPatch
) -> None:
    policies = [db.SlidingWindowUCB(80), db.EXP3S(0.1, 0.001), db.DiscountedUCB(0.98)]
    full = db.simulate(policies, world, horizon=1_500, runs=300, seed=5, workers=1)
    threads = db.simulate(policies, world, horizon=1_500, runs=300, seed=5, workers=3)
    fewer = db.simulate(policies[1:], world, horizon=1_500, runs=130, seed=5, checkpoints=[7, 700])
    monkeypatch.setattr(rounds, "CHUNK", 37)
    chunks = db.simulate(policies, world, horizon=1_500, runs=300, seed=5)
    for label in full:
        assert same(full[label], threads[label])
        assert same(full[label], chunks[label])
        assert np.array_equal(full[label].play_share, threads[label].play_share)
        assert np.array_equal(full[label].share_error, chunks[label].share_error)
    for label in fewer:
        assert np.array_equal(full[label].final_regret[:130], fewer[label].final_regret)
        assert np.array_equal(full[label].suboptimal_plays[:130], fewer[label].suboptimal_plays)
    assert fewer.times.tolist() == [7, 700, 1_500]
    other = db.simulate(policies, world, horizon=1_500, runs=300, seed=6)
    assert not same(full["SW-UCB"], other["SW-UCB"])


def test_curves_are_what_the_trace_says() -> None:
    policy = db.SlidingWindowUCB(90)
    arms = db.trace(policy, WORLD, horizon=1_500, runs=150, seed=2)
    result = db.simulate(policy, WORLD, horizon=1_500, runs=150, seed=2, checkpoints=30)
    outcome = result["SW-UCB"]
    means = WORLD.mean_rewards(1, 1_500)
    loss = means.max(axis=1)[:, None] - np.take_along_axis(means, arms, axis=1)
    assert np.allclose(outcome.regret.T, loss.cumsum(axis=0)[result.times - 1])
    for arm in range(3):
        share = (arms == arm).cumsum(axis=0)[result.times - 1] / result.times[:, None]
        assert np.allclose(outcome.play_share[:, arm], share.mean(axis=1))
        assert np.allclose(outcome.share_error[:, arm], share.std(axis=1, ddof=1) / np.sqrt(150))
        assert np.array_equal(
            outcome.suboptimal_plays[:, arm], ((arms == arm) & (loss > 0)).sum(axis=0)
        )


def test_a_random_world_is_the_one_it_says() -> None:
    arms = db.trace(db.Oracle(), RANDOM, horizon=400, runs=130, seed=4)
    for run in (0, 1, 129):
        assert np.array_equal(arms[:, run], RANDOM.best_arm(400, seed=4, run=run))


def test_the_oracle_has_no_regret_in_any_world() -> None:
    for world in (WORLD, RANDOM, db.environments.Radio(), db.environments.NewsFeed()):
        outcome = db.simulate(db.Oracle(), world, horizon=500, runs=50)["oracle"]
        assert np.all(outcome.regret == 0.0)
        assert np.all(outcome.suboptimal_plays == 0.0)
