"""The regrets of both experiments, with Thompson sampling too, against independent NumPy programs.

The runs are enough to tell a factor 2 in a padding, a share term given to the played arm only, a
window counted wrongly or ξ off by a half: each moves the mean by far more than the tolerance.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

import driftbandit as db
from benchmarks.yardsticks import vectorised
from benchmarks.yardsticks.recipe import recipe
from driftbandit.studies.paper import experiments

RUNS = 2_000
WORLDS = {"two swaps": db.environments.two_swaps(), "periodic": db.environments.periodic()}


@functools.cache
def measured(world: str) -> db.Result:
    policies = [*experiments.policies(WORLDS[world].arms), db.Thompson()]
    return db.simulate(policies, WORLDS[world], horizon=10_000, runs=RUNS, seed=11)


def expected(world: str, label: str, runs: int = 1_000) -> NDArray[np.float64]:
    program = recipe(measured(world)[label].policy)
    assert program is not None
    make = functools.partial(vectorised.KINDS[program.kind], **program.numbers)
    return vectorised.regrets(make, WORLDS[world].mean_rewards(1, 10_000), runs, seed=5)


@pytest.mark.parametrize(
    "label", ["UCB-1", "EXP3.S", "D-UCB", "SW-UCB", "D-UCB (padding B)", "Thompson"]
)
@pytest.mark.parametrize("world", WORLDS)
def test_mean_regret(world: str, label: str) -> None:
    ours, theirs = measured(world)[label].final_regret, expected(world, label)
    error = math.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    assert abs(ours.mean() - theirs.mean()) < 4.0 * error
    assert error < 0.02 * theirs.mean()
    # the spread must agree too, not only the mean
    assert ours.std() == pytest.approx(theirs.std(), rel=0.15)


def test_a_wrong_constant_would_be_seen() -> None:
    """The tolerance above is far below what common mistakes cost."""
    result = measured("two swaps")
    errors = {label: result[label].final_regret.std() / math.sqrt(1_000) for label in result}
    mistakes = [
        (result["D-UCB"], db.DiscountedUCB(0.9975, padding=1.0)),
        (result["SW-UCB"], db.SlidingWindowUCB(1213, padding=2.0)),
        (result["SW-UCB"], db.SlidingWindowUCB(1213, xi=1.0)),
        (result["UCB-1"], db.UCB1(xi=1.0)),
        (result["EXP3.S"], db.EXP3(result["EXP3.S"].policy.exploration)),  # type: ignore[attr-defined]
    ]
    for right, wrong in mistakes:
        world = WORLDS["two swaps"]
        regret = db.simulate(wrong, world, horizon=10_000, runs=500, seed=11)[wrong.label]
        distance = abs(regret.final_regret.mean() - right.final_regret.mean())
        assert distance > 8.0 * errors[right.label]


def test_common_random_numbers_make_differences_less_noisy() -> None:
    result = measured("two swaps")
    one, two = result["D-UCB"].final_regret, result["D-UCB (padding B)"].final_regret
    assert (one - two).var() < 0.9 * (one.var() + two.var())


@pytest.mark.parametrize("policy", [db.Softmax(0.1), db.UCBV(), db.EXP3P.tuned(10_000, 3)])
def test_the_other_policies_learn(policy: db.Strategy) -> None:
    world = db.environments.Stationary(means=(0.2, 0.7, 0.3))
    result = db.simulate([policy, db.Uniform()], world, horizon=10_000, runs=200)
    assert result[policy.label].final_regret.max() < 0.5 * result["uniform"].final_regret.min()


def test_softmax_plays_with_gibbs_probabilities() -> None:
    """With rewards that never vary, the law of the choice is known exactly."""
    means, temperature, rounds = np.array([0.2, 0.5, 0.4]), 0.25, 1_003
    world = db.environments.Stationary(means=means, law=db.environments.laws.Exact())
    policy = db.Softmax(temperature)
    plays = db.simulate(policy, world, horizon=rounds, runs=1_000)[policy.label].plays
    law = np.exp(means / temperature) / np.exp(means / temperature).sum()
    share = (plays - 1.0).sum(axis=0) / (1_000 * 1_000)
    assert share == pytest.approx(law, abs=4.0 * 0.5 / math.sqrt(1_000_000))
