"""AdSwitch, META and MASTER against versions written straight from the papers."""

from __future__ import annotations

import random

import numpy as np
import pytest

import driftbandit as db
from driftbandit.policies.procedures import master, meta
from driftbandit.policies.procedures.live import ProcedureLearner
from naive_procedures import AdSwitch, Master, Meta

ARMS = 3


def means(rng: random.Random, stretches: int) -> list[list[float]]:
    return [[rng.choice([0.0, 0.5, 1.0]) for _ in range(ARMS)] for _ in range(stretches)]


def test_adswitch_tries_what_the_paper_tries() -> None:
    episodes = evicted = 0
    for seed in range(12):
        rng, rounds = random.Random(seed), 75
        horizon, c = rng.choice([2, 5, 75]), rng.choice([0.02, 0.1, 0.3])
        rate, law = rng.choice([0.3, 1.0, 3.0]), means(rng, 3)
        policy = db.AdSwitch(horizon, c, rate, every=1, ends=2 * rounds)
        fast, slow = ProcedureLearner(policy, ARMS), AdSwitch(ARMS, horizon, c, rate)
        for t in range(rounds):
            u = [rng.random() for _ in range(ARMS)]
            draws = iter(u)
            arm = fast.choose(lambda draws=draws: next(draws))  # type: ignore[misc]  # used at once
            assert arm == slow.choose(u.__getitem__), f"seed {seed}, round {t + 1}"
            mean = law[t // 25][arm]
            reward = float(rng.random() < mean) if seed % 2 else mean * rng.random()
            fast.learn(arm, reward)
            slow.learn(arm, reward)
            evicted += bool(slow.bad)
        assert fast.state.run.episode == slow.episode
        episodes += slow.episode
    assert episodes > 15
    assert evicted > 200


def test_meta_tries_what_the_paper_tries() -> None:
    episodes = 0
    for seed in range(16):
        rng, rounds = random.Random(seed), 60
        c, law = rng.choice([0.002, 0.02, 0.1, 0.2]), means(rng, 3)
        noise = [[rng.random(), rng.random()] for _ in range(rounds + 1)]
        rewards = [[float(rng.random() < mean) for mean in law[t // 25]] for t in range(rounds + 1)]
        slow = Meta(ARMS, rounds, c, lambda t, a, x=rewards: x[t][a], noise.__getitem__)  # type: ignore[misc]
        fast, arms = ProcedureLearner(db.META(rounds, c, every=1, ends=2 * rounds), ARMS), []
        for t in range(1, rounds + 1):
            draws = iter(noise[t])
            arms.append(fast.choose(lambda draws=draws: next(draws)))  # type: ignore[misc]
            fast.learn(arms[-1], rewards[t][arms[-1]])
        assert arms == slow.play(), f"seed {seed}"
        episodes += len(slow.firsts)
    assert episodes > 32


def test_replays_never_nest_deeper_than_their_room() -> None:
    policy = db.META(horizon=100, c=0.1)
    fast, rng = ProcedureLearner(policy, ARMS), random.Random(1)
    run = fast.state.run
    deepest = 0.0
    for _ in range(500):  # five times the horizon
        fast.learn(fast.choose(rng.random), rng.random())
        starts = run.firsts[: int(run.depth)]
        assert starts == sorted(starts)
        assert (starts[0], starts[-1]) == (run.first, run.start)
        deepest = max(deepest, run.depth)
    assert 3 <= deepest <= meta.longest(100) + 1
    assert meta.longest(2**53) + 1 == meta.NESTED


def test_master_plays_what_the_paper_plays() -> None:
    restarts = []
    for seed in range(16):
        rng, rounds = random.Random(seed), 300
        scale, law = rng.choice([1e-4, 3e-4, 1e-3, 1.0]), means(rng, 3)
        noise = [rng.random() for _ in range(3 * rounds)]
        policy = db.MASTER(rounds, xi=rng.choice([0.1, 0.5]), delta=0.5, scale=scale)
        fast = ProcedureLearner(policy, ARMS)
        slow = Master(ARMS, rounds, policy.xi, 0.5, scale, noise.__getitem__)
        for t in range(1, rounds + 1):
            arm = fast.choose(lambda u=noise[t]: u)  # type: ignore[misc]  # used at once
            assert arm == slow.choose(), f"seed {seed}, round {t}"
            reward = rng.random() * law[t // 120][arm]
            fast.learn(arm, reward)
            slow.learn(arm, reward)
        assert fast.state.run.restarts == slow.restarts
        restarts.append(slow.restarts)
    assert min(restarts) == 0
    assert sum(restarts) > 300


@pytest.mark.parametrize(("horizon", "can"), [(10**4, False), (10**9, False), (10**10, True)])
def test_no_test_of_master_can_fire_at_practical_horizons(horizon: int, can: bool) -> None:
    """The mean of g − X is at most 1, so it must be 3 ρ̂(t) ≥ 3 ρ̂(T) for test 2; 1 asks for more."""
    factor = db.MASTER(horizon).started(ARMS).run.factor
    assert (3.0 * factor * master.rho(ARMS, float(horizon)) <= 1.0) == can


def test_master_goes_on_after_its_horizon() -> None:
    fast, rng = ProcedureLearner(db.MASTER(horizon=5), ARMS), random.Random(1)
    for _ in range(100):
        fast.learn(fast.choose(rng.random), rng.random())
    assert fast.state.run.order == 2.0


def test_few_intervals_find_nearly_all() -> None:
    """Not in every round, at the borders of few buckets, against every round and all intervals."""
    T, runs = 600, 96
    world = db.environments.Piecewise([300], [[0.9, 0.1, 0.1], [0.1, 0.9, 0.1]])
    for few in (db.AdSwitch(T, rate=0.1, label="few"), db.META(T, c=0.2, label="few")):
        every = few.replace(every=1, label="every round")
        exact = every.replace(ends=T, label="exact")
        result = db.simulate([few, every, exact], world, horizon=T, runs=runs, seed=1)
        best = result["exact"].final_regret
        for label, worse in (("every round", 0.02), ("few", 0.08)):
            lost = result[label].final_regret - best
            error = lost.std() / np.sqrt(runs)
            assert abs(lost.mean()) <= worse * best.mean() + 3.0 * error
        assert best.mean() < 0.95 * 0.8 * 2.0 / 3.0 * T, "it must have learned something"


def test_parameters_are_checked() -> None:
    with pytest.raises(db.InputError, match="ends must be even, got 3"):
        db.AdSwitch(100, ends=3)
    with pytest.raises(db.InputError, match="ends must be even, got 5"):
        db.META(100, ends=5)
    with pytest.raises(db.InputError, match=r"delta must lie in \(0, 1\), got 1"):
        db.MASTER(100, delta=1)
    with pytest.raises(db.InputError, match="horizon must be a whole number of at least 2, got 1"):
        db.MASTER(1)
