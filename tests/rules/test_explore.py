"""What exploration rules are known to do: laws of their draws, published regrets, bad input."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from scipy import stats

import driftbandit as db
from driftbandit.core.numerics import bernoulli_divergence


def lai_robbins(means: list[float]) -> float:
    """Σ Δ / kl(μ, μ*): what regret over log T tends to at best (Lai & Robbins 1985)."""
    best = max(means)
    return sum((best - mean) / bernoulli_divergence(mean, best) for mean in means if mean < best)


def test_kl_ucb_and_thompson_come_near_the_least_regret_and_ucb_does_not() -> None:
    means, horizon = [0.1, 0.05, 0.02], 20_000
    world = db.environments.Stationary(means)
    policies = [db.StationaryKLUCB(), db.Thompson(), db.UCB1(), db.UCBTuned()]
    result = db.simulate(policies, world, horizon=horizon, runs=256, checkpoints=[2_000, horizon])
    least = lai_robbins(means)
    final = {label: result[label].mean_regret[-1] / (least * math.log(horizon)) for label in result}
    slope = {
        label: (result[label].mean_regret[-1] - result[label].mean_regret[0])
        / (least * math.log(10.0))
        for label in result
    }
    # The slope of KL-UCB falls to 1 as T grows, that of Thompson rises to it; 1.4, 0.8 at 10⁵.
    assert 1.0 < slope["KL-UCB"] < 1.7
    assert 0.6 < slope["Thompson"] < 1.1
    assert slope["UCB-1"] > 4.0
    assert 0.6 < final["KL-UCB"] < 1.0
    assert 0.4 < final["Thompson"] < 0.8
    assert final["UCB-tuned"] < final["UCB-1"]
    assert final["UCB-1"] > 2.0 * final["KL-UCB"]


def test_greedy_play_reaches_every_arm_with_the_same_chance() -> None:
    world = db.environments.Stationary([1.0, 0.0, 0.0], law=db.environments.laws.Exact())
    plays = db.simulate(db.EpsilonGreedy(0.2), world, horizon=2_003, runs=100)["ε-greedy"].plays
    others = plays[:, 1:].sum(axis=0) - 100.0  # but for the first rounds
    expected = 100 * 2_000 * 0.2 / 3
    assert stats.chisquare(others, [expected] * 2, sum_check=False).pvalue > 0.01


def test_decaying_greed_explores_less_and_less() -> None:
    world = db.environments.Stationary([1.0, 0.0, 0.0], law=db.environments.laws.Exact())
    policy = db.EpsilonGreedy.tuned(gap=1.0, c=3.0)
    outcome = db.simulate(policy, world, horizon=3_000, runs=200)["ε-greedy"]
    rates = [min(1.0, 3.0 * 3 / t) for t in range(3, 3_000)]
    assert outcome.final_regret.mean() == pytest.approx(2 + sum(rates) * 2 / 3, rel=0.02)


def test_moss_stops_exploring_an_arm_that_had_its_share() -> None:
    rule = db.Minimax(horizon=1_000)
    assert rule.index(0.4, 500.0, 900.0, *rule.arguments(arms=2)) == 0.4
    assert rule.index(0.4, 499.0, 900.0, *rule.arguments(arms=2)) > 0.4


def test_the_kl_index_is_below_that_of_ucb() -> None:
    kl, ucb = db.KLUCB(), db.UCB(xi=0.5)
    for mean in (0.0, 0.1, 0.5, 0.9):
        for count in (1.0, 10.0, 300.0):
            padded = mean + ucb.width(1_000.0, *ucb.numbers()) / math.sqrt(count)
            assert mean < kl.index(mean, count, 1_000.0, *kl.numbers()) <= min(padded, 1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: db.KLUCB(c=-1), "c must lie in [0, inf), got -1"),
        (lambda: db.KLUCB(bound=0), "bound must lie in (0, inf), got 0"),
        (lambda: db.Thompson(success=0), "success must lie in (0, inf), got 0"),
        (lambda: db.GaussianThompson(0), "deviation must lie in (0, inf), got 0"),
        (lambda: db.GaussianPosterior(widest=0), "widest must lie in (0, inf), got 0"),
        (lambda: db.EpsilonGreedy(1.5), "rate must lie in [0, 1], got 1.5"),
        (lambda: db.EpsilonGreedy.tuned(gap=2), "gap must lie in (0, 1], got 2"),
        (lambda: db.DecayingGreedy(-1), "scale must lie in [0, inf), got -1"),
        (lambda: db.MOSS(0), "horizon must be a whole number of at least 1, got 0"),
        (lambda: db.AnytimeMOSS(alpha=-1), "alpha must lie in [0, inf), got -1"),
        (lambda: db.SWUCBSharp(1.5), "power must lie in [0, 1], got 1.5"),
        (lambda: db.SWUCBSharp.tuned(growth=1), "growth must lie in [0, 1), got 1"),
        (lambda: db.GrowingWindow(0.5, 0), "scale must lie in (0, inf), got 0"),
    ],
)
def test_bad_parameters(make: Callable[[], object], message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        make()
    assert str(caught.value) == message


@pytest.mark.parametrize("answer", [None, "text", (1.0, 2.0), 1j], ids=repr)
def test_a_rule_that_returns_no_number_is_named(answer: object) -> None:
    class Riddle(db.Explore):
        @staticmethod
        def index(mean: float, count: float, clock: float) -> float:
            return answer  # type: ignore[return-value]  # the mistake

    with pytest.raises(db.InputError, match=r"what Riddle\.index returns must be a number, got "):
        db.Policy(explore=Riddle())
