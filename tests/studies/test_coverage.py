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
