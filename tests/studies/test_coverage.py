"""How often the 95 % interval of a mean regret holds the mean: samples out of 100,000 runs."""

from __future__ import annotations

import pytest

import driftbandit as db
from common import coverage

pytestmark = pytest.mark.slow  # billions of rounds

RUNS, HORIZON = 100_000, 10_000
WORLDS = {
    "two swaps": db.environments.two_swaps(HORIZON),
    "periodic": db.environments.periodic(HORIZON),
}
POLICIES: list[db.Strategy] = [
    db.UCB1(),
    db.EXP3S.tuned(HORIZON, 2, 3),
    db.DiscountedUCB.tuned(HORIZON, 2),
    db.SlidingWindowUCB.tuned(HORIZON, 2),
    db.StationaryKLUCB(),
    db.Thompson(),
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
@pytest.mark.parametrize("world", WORLDS)
def test_the_interval_of_a_mean_regret_covers(world: str, policy: db.Strategy) -> None:
    result = db.simulate(policy, WORLDS[world], runs=RUNS, checkpoints=(HORIZON,))
    regret = result[policy.label].final_regret
    assert coverage(regret, 10) >= 0.91
    for runs in (30, 100, 1_000):
        assert 0.93 <= coverage(regret, runs) <= 0.97, runs


# A few runs lose much more than all others. The shares of samples that hold the mean are those of
# docs/explanation/common-luck.md.
DISASTERS: dict[str, tuple[db.Strategy, db.environments.World, list[float]]] = {
    "never returns": (
        db.EpsilonGreedy(rate=0.0),
        db.environments.Stationary([0.95, 0.5]),
        [0.26, 0.56, 0.91, 0.95],
    ),
    "does not notice": (
        db.GLRklUCB(delta=1e-3, rate=0.005),
        db.environments.Piecewise([1_000], [[0.3, 0.5], [0.9, 0.5]]),
        [0.79, 0.93, 0.96, 0.95],
    ),
}


@pytest.mark.parametrize("disaster", DISASTERS)
def test_no_interval_from_few_runs_covers_rare_disasters(disaster: str) -> None:
    policy, world, shares = DISASTERS[disaster]
    result = db.simulate(policy, world, 2_000, RUNS, checkpoints=(2_000,))
    regret = result[policy.label].final_regret
    held = [coverage(regret, runs) for runs in (10, 30, 100, 1_000)]
    assert held == pytest.approx(shares, abs=0.015)
