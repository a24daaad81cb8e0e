"""Rewards that are looked up: the same bits live and compiled, on threads and processes."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import driftbandit as db
from driftbandit.core import random
from driftbandit.engine import rewards, rounds
from driftbandit.environments import laws
from looked_up import Paid
from same_bits import assert_same_bits

ROUNDS = 400
ROWS, GRID, NORMAL = laws.Beta(5.0), laws.Beta(2.0), laws.ClippedGaussian(0.2)
WORLDS = {
    "rows": db.environments.two_swaps(ROUNDS, law=ROWS),
    "rows, bound 3": db.environments.Stationary([0.9, 1.2, 2.1], law=ROWS, bound=3.0),
    "grid": db.environments.Drift([0.1, 0.5, 0.9], [0.9, 0.4, 0.1], horizon=ROUNDS, law=GRID),
    "grid, random": db.environments.Brownian(3, sigma=0.03, law=GRID),
    "normal": db.environments.two_swaps(ROUNDS, law=NORMAL),
}
each_world = pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)


@each_world
def test_live_and_compiled_meet_the_same_rewards(world: db.environments.World) -> None:
    policy = db.UCB1(bound=world.bound)
    arms = db.trace(policy, world, horizon=ROUNDS, runs=9, seed=5)
    paid = Paid(world.law, rewards.levels_of(world))
    for run in (0, 8):
        stream = random.streams(5, random.REWARDS, run, 1)[:, 0].copy()
        means = world.realise(ROUNDS, seed=5, run=run).mean_rewards(1, ROUNDS) / world.bound
        live = policy.learner(3)
        for t in range(ROUNDS):
            with np.errstate(over="ignore"):
                u = random.uniform(stream)
            arm = live.choose(lambda: 0.5)
            live.learn(arm, world.bound * paid.plain(u, float(means[t, arm])))
            assert arm == arms[t, run]


@each_world
def test_threads_and_chunks_change_no_bit(
    world: db.environments.World, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = db.UCB1(bound=world.bound)
    one = db.simulate(policy, world, horizon=ROUNDS, runs=300, seed=6, workers=1)
    assert_same_bits(one, db.simulate(policy, world, horizon=ROUNDS, runs=300, seed=6, workers=3))
    monkeypatch.setattr(rounds, "CHUNK", 37)
    rewards._payer_by.cache_clear()  # the table is made anew
    assert_same_bits(one, db.simulate(policy, world, horizon=ROUNDS, runs=300, seed=6))


def test_processes_change_no_bit() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for world in (WORLDS["rows"], WORLDS["grid, random"], WORLDS["normal"]):
            one = db.simulate(db.UCB1(), world, horizon=ROUNDS, runs=300, seed=7, workers=1)
            there = db.simulate(db.UCB1(), world, horizon=ROUNDS, runs=300, seed=7, executor=pool)
            assert_same_bits(one, there)


def test_a_shorter_game_is_the_beginning_of_a_longer_one() -> None:
    for world in (WORLDS["rows, bound 3"], WORLDS["grid, random"]):
        policy = db.UCB1(bound=world.bound)
        short, long = (db.trace(policy, world, horizon=n, runs=20, seed=8) for n in (50, 300))
        assert np.array_equal(short, long[:50])


def test_few_tables_are_kept() -> None:
    for concentration in (3.0, 3.1, 3.2, 3.3, 3.4, 3.5):
        rewards.payer_of(laws.Beta(concentration), (0.3, 0.5))
    assert rewards._payer_by.cache_info().currsize <= 4
    first = rewards.payer_of(laws.Beta(3.5), (0.3, 0.5))
    assert rewards.payer_of(laws.Beta(3.5), (0.3, 0.5)).parameters is first.parameters
