"""Auto against its slow version, and against what it is meant to beat."""

from __future__ import annotations

import random

import numpy as np
import pytest

import driftbandit as db
from driftbandit.environments import Stationary
from driftbandit.policies.procedures.live import ProcedureLearner
from driftbandit.policies.procedures.past import BUCKETS, EACH, PAST, append
from driftbandit.studies.paper import experiments
from naive_auto import Auto

EXAMPLES = {"two swaps": experiments.abrupt(), "cosine": experiments.continuous()}


def test_auto_does_what_its_docstring_says() -> None:
    changes = looks = 0
    for seed in range(24):
        rng = random.Random(seed)
        arms, stretches, rounds = rng.choice([2, 3, 5]), rng.choice([1, 2, 4]), 480
        vigilance = rng.choice([0.0, 0.21, 0.97])  # with round ones, rounding says what is due
        law = [[rng.uniform(0.05, 0.95) for _ in range(arms)] for _ in range(stretches)]
        fast = ProcedureLearner(db.Auto(vigilance), arms)
        slow = Auto(arms, vigilance)
        for t in range(rounds):
            arm = fast.choose(rng.random)
            assert arm == slow.choose(), f"seed {seed}, round {t + 1}"
            mean = law[t * stretches // rounds][arm]
            reward = rng.betavariate(mean * (1 + seed % 4), (1.0 - mean) * (1 + seed % 4))
            fast.learn(arm, reward)
            slow.learn(arm, reward)
            looks += slow.arms[arm].watch > 0.0
        assert fast.state.run.alarms == slow.rises + slow.falls
        changes += slow.rises + slow.falls
    assert changes > 15
    assert looks > 50


def test_auto_learns_from_arms_that_it_did_not_choose() -> None:
    rng, fast, slow = random.Random(5), ProcedureLearner(db.Auto(), 3), Auto(3)
    for t in range(300):
        assert fast.choose(rng.random) == slow.choose(), f"round {t + 1}"
        arm, reward = rng.randrange(3), rng.random()
        fast.learn(arm, reward)
        slow.learn(arm, reward)


@pytest.mark.parametrize("reward", [0.0, 1.0, 0.3])
def test_auto_bears_rewards_that_never_vary_and_arms_unseen_for_ages(reward: float) -> None:
    live = ProcedureLearner(db.Auto(), 2)
    for arm in (0, 1) * 20:
        live.learn(arm, reward)
    live.state.run.changes = 1e6  # what is known of the other arm fades to nothing
    for _ in range(2_000):
        live.learn(0, reward)
    live.learn(1, reward)
    assert live.state.run.alarms == 0.0
    assert live.choose(random.Random(1).random) in (0, 1)


def test_a_false_alarm_does_not_shut_an_arm_out() -> None:
    """The good arm's rewards stay away by chance: it is dropped, and back before long."""
    live, rng = ProcedureLearner(db.Auto(), 2), random.Random(3)
    for t in range(120):
        live.learn(0, float(t % 2))
        if t % 4 == 0:
            live.learn(1, float(t % 20 < 8))
    unlucky = 0
    while live.state.run.alarms == 0.0:
        live.learn(0, 0.0)
        unlucky += 1
    assert unlucky > 10
    played = []
    for _ in range(4_000):
        arm = live.choose(rng.random)
        live.learn(arm, float(rng.random() < (0.5, 0.4)[arm]))
        played.append(arm)
    assert played[:100].count(1) > 50
    assert played[-1_000:].count(0) > 900


def test_a_past_keeps_its_plays_in_few_buckets() -> None:
    past = PAST.blank()
    for play in range(5_000):
        append(past, float(play % 3), float(play))
    held = int(past.held)
    sizes = past.sizes[:held]
    assert held <= EACH * 13
    assert sum(past.plays[:held]) == sum(sizes) == 5_000
    assert sum(past.gaps[:held]) == sum(range(5_000))
    assert sum(past.sums[:held]) == sum(play % 3 for play in range(5_000))
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes.count(size) for size in sizes) == EACH


def test_a_full_past_joins_its_oldest_buckets() -> None:
    past = PAST.blank()
    past.held = float(BUCKETS)
    past.sizes = [2.0 ** (BUCKETS - bucket) for bucket in range(BUCKETS)]
    append(past, 1.0, 1.0)
    assert past.held == BUCKETS
    assert past.sizes[0] == 1.5 * 2.0**BUCKETS
    assert past.sizes[-1] == 1.0


@pytest.mark.parametrize("name", EXAMPLES)
def test_auto_beats_the_papers_policies_where_the_paper_tuned_them(name: str) -> None:
    """1,000 runs; by four standard errors of the paired difference."""
    example = EXAMPLES[name]
    players = [db.Auto(), *example.policies]
    result = db.simulate(players, example.world, 10_000, runs=1_000, seed=11, checkpoints=1)
    for other in example.policies:
        apart = result[other.label].final_regret - result["Auto"].final_regret
        assert apart.mean() > 4.0 * apart.std(ddof=1) / np.sqrt(1_000), other.label


STILL = {"coins": (0.5, 0.4), "far apart": (0.9, 0.1), "ladder": (0.9, 0.8, 0.7, 0.5)}


@pytest.mark.slow
@pytest.mark.parametrize("name", STILL)
def test_auto_costs_little_where_nothing_changes(name: str) -> None:
    """In 10⁵ rounds, 1,000 runs, four standard errors allowed.

    Without looking back at most 1.1 times KL-UCB, and looking back adds at most v √(KT).
    """
    never, sometimes = db.Auto(vigilance=0.0, label="never"), db.Auto()
    world = Stationary(STILL[name])
    players = [never, sometimes, db.StationaryKLUCB()]
    result = db.simulate(players, world, 100_000, runs=1_000, seed=12, checkpoints=1)
    base, looking = result["never"].final_regret, result["Auto"].final_regret
    allowed = sometimes.vigilance * np.sqrt(world.arms * 100_000)
    for over in (base - 1.1 * result["KL-UCB"].final_regret, looking - base - allowed):
        assert over.mean() < 4.0 * over.std(ddof=1) / np.sqrt(1_000)


def test_auto_finds_nothing_where_nothing_changes() -> None:
    """An arm that stands still is taken for a changed one less than once in ten runs."""
    alarms = 0.0
    for seed in range(40):
        rng, live = random.Random(seed), ProcedureLearner(db.Auto(), 2)
        for _ in range(2_000):
            arm = live.choose(rng.random)
            live.learn(arm, float(rng.random() < (0.5, 0.3)[arm]))
        alarms += live.state.run.alarms
    assert alarms <= 4.0
