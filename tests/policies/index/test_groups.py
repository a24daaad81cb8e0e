"""Many arms: comparing groups of them takes the decisions of comparing all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import driftbandit as db
import naive
from common import compiled_arms
from driftbandit.engine.job import make_job
from driftbandit.engine.player import BlockPlayer
from driftbandit.engine.rounds import rounds_of
from driftbandit.environments import laws
from driftbandit.policies.index.lockstep import groups

NEVER = 10**9


@dataclass(frozen=True)
class Waves(db.UCB):
    """A width that goes up and down, which no bound made at an earlier slope outlives."""

    @staticmethod
    def width(clock: float, xi: float, bound: float, padding: float) -> float:
        return padding * bound * (1.0 + (clock % 7.0) / 7.0)


POLICIES = [
    db.UCB1(),
    db.UCB1(xi=0.0),
    db.DiscountedUCB(0.97),
    db.DiscountedUCB(0.2),
    db.DiscountedUCB(0.999, padding=0.0),
    db.SlidingWindowUCB(7),
    db.SlidingWindowUCB(60),
    db.Policy(explore=Waves()),
]
"""Plain, greedy, quickly forgetting, with windows smaller than the arms, not monotone."""

DOUBLING = [
    pytest.param(each, marks=pytest.mark.slow)  # these compile, and the quick ones are much alike
    for each in (db.DiscountedUCB.tuned(growth=0.3), db.SlidingWindowUCB.tuned(growth=0.3))
]


def arms_played(
    policy: db.Strategy, world: db.environments.World, horizon: int, many: int
) -> NDArray[np.int64]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "MANY", many)
        return db.trace(policy, world, horizon=horizon, runs=20, seed=1)


@pytest.mark.parametrize("policy", [*POLICIES, *DOUBLING], ids=str)
@given(
    arms=st.integers(9, 90),
    rewards=st.sampled_from([(0.0, 1.0), (0.25, 0.5, 1.0), (0.5,), (0.1, 0.3, 0.7, 0.9)]),
    seed=st.integers(0, 1000),
)
@settings(max_examples=15)
def test_groups_decide_like_the_plain_argmax(
    policy: db.Strategy, arms: int, rewards: tuple[float, ...], seed: int
) -> None:
    """On tables of few different rewards, where ties are everywhere."""
    rng = np.random.default_rng(seed)
    world = db.environments.Table(rng.choice(rewards, (260, arms)), law=laws.Exact())
    grouped, plain = (arms_played(policy, world, 260, many) for many in (9, NEVER))
    assert np.array_equal(grouped, plain)


@pytest.mark.slow
@pytest.mark.parametrize("policy", [POLICIES[0], POLICIES[2], POLICIES[6]], ids=str)
@pytest.mark.parametrize("arms", [200, 1_000])
def test_groups_decide_like_the_plain_argmax_for_long(policy: db.Strategy, arms: int) -> None:
    means = np.random.default_rng(arms).random(arms)
    world = db.environments.Stationary(means)
    grouped, plain = (arms_played(policy, world, 4 * arms, many) for many in (9, NEVER))
    assert np.array_equal(grouped, plain)


def test_many_arms_are_played_as_in_the_paper() -> None:
    rng = np.random.default_rng(0)
    table = rng.choice([0.0, 0.25, 1.0], (500, 210)).tolist()
    assert len(table[0]) >= groups.MANY
    expected = naive.play(lambda a, x, K: naive.ucb1(a, x, K, 0.5, 1.0), table)
    assert compiled_arms(db.UCB1(), table) == expected
    expected = naive.play(lambda a, x, K: naive.sliding_window_ucb(a, x, K, 300, 0.5, 1.0), table)
    assert compiled_arms(db.SlidingWindowUCB(300), table) == expected


def test_few_groups_come_due() -> None:
    """Besides those of the arm just played, groups are looked into only when their time is up."""
    arms, rounds, policy = 1_000, 2_500, db.DiscountedUCB(0.999)
    world = db.environments.Stationary(np.random.default_rng(1).random(arms))
    job = make_job(policy, world, rounds, 16, 0, (rounds,))
    player = BlockPlayer(job, job.stages[0], 0, trace=False)
    due, until = 0, player.state.groups.until
    for first, chunk in rounds_of(job, 0):
        for step in range(chunk.number):
            before = until.copy()
            player.play(first + step, chunk.between(step, step + 1))
            if first + step > arms + 1:
                due += int(np.count_nonzero(before < player.state.shared[0].slope))
    assert 0 < due < 0.01 * (rounds - arms) * until.size
