"""The doubling trick: every epoch is the base played alone, tuned for the epoch's length."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
import pytest

import driftbandit as db
import naive
import naive_weights
from common import compiled_arms, live_arms, noise
from driftbandit.core import random
from driftbandit.engine.identity import identity
from driftbandit.engine.job import make_job
from driftbandit.engine.rounds import CHUNK

EXP3S: dict[str, Any] = {"breakpoints": 1, "arms": 3}


def lengths(first: int, factor: float, horizon: int) -> list[int]:
    """Return the lengths of the epochs, the last one cut at the horizon."""
    lengths: list[int] = []
    while sum(lengths) < horizon:
        lengths.append(min(int(first * factor ** len(lengths)), horizon - sum(lengths)))
    return lengths


def cut(table: list[list[float]], first: int, factor: float) -> list[tuple[int, list[list[float]]]]:
    """Return the rounds of every epoch and the length it would have had."""
    rows, parts = list(table), []
    for epoch, length in enumerate(lengths(first, factor, len(table))):
        parts.append((int(first * factor**epoch), rows[:length]))
        rows = rows[length:]
    return parts


def table(rounds: int, seed: int = 0) -> list[list[float]]:
    rewards: list[list[float]] = np.random.default_rng(seed).random((rounds, 3)).tolist()
    return rewards


def test_epochs_by_hand() -> None:
    assert lengths(3, 2.0, 25) == [3, 6, 12, 4]
    policy = db.Doubling("moss", first=3)
    assert [start for start, _ in policy.epochs(25)] == [1, 4, 10, 22]
    assert [start for start, _ in policy.epochs(21)] == [1, 4, 10]
    assert [each for _, each in policy.epochs(9)] == [db.MOSS(3), db.MOSS(6)]
    assert [db.Doubling("moss", first=3, factor=1.5).length(j) for j in range(5)] == [
        3,
        4,
        6,
        10,
        15,
    ]


@pytest.mark.parametrize(("first", "factor"), [(7, 2.0), (40, 1.5), (1_000, 2.0)])
def test_an_index_policy_begins_anew(first: int, factor: float) -> None:
    rewards = table(350)
    policy = db.Doubling(db.SlidingWindowUCB, {"breakpoints": 1}, first=first, factor=factor)
    expected: list[int] = []
    for length, rows in cut(rewards, first, factor):
        window = naive.tuned_window(length, 1, 1.0)
        index = functools.partial(naive.sliding_window_ucb, window=window, xi=0.5, bound=1.0)
        expected += naive.play(index, rows)
    assert compiled_arms(policy, rewards) == expected
    assert live_arms(policy, rewards) == expected


def test_weights_begin_anew_and_noise_goes_on() -> None:
    rewards = table(300, seed=1)
    policy = db.Doubling("exp3.s", EXP3S, first=50)
    stream = random.streams(0, random.POLICY, 0, 1)[:, 0].copy()
    luck = [noise(db.EXP3S(), 3, stream)[0] for _ in rewards]
    expected: list[int] = []
    for length, rows in cut(rewards, 50, 2.0):
        gamma, alpha = naive_weights.tuned_exp3s(length, 1, 3)
        draw = functools.partial(naive_weights.exp3s, exploration=gamma, sharing=alpha, bound=1.0)
        done = len(expected)
        expected += naive.play_drawn(draw, rows, luck[done : done + len(rows)])
    assert compiled_arms(policy, rewards) == expected
    assert live_arms(policy, rewards) == expected


def test_checkpoints_and_regret_go_on_across_chunks_and_epochs() -> None:
    """With epochs that begin at the ends of chunks, and one that is longer than the horizon."""
    world = db.environments.two_swaps(5_000)
    alone = db.MOSS(10_000, label="alone")
    for first in (CHUNK, CHUNK + 1, 5_000, 10_000):
        doubled = db.Doubling(db.MOSS, first=first, label="doubled")
        result = db.simulate([doubled, alone], world, runs=40, checkpoints=[1, 2_048, 2_049, 4_096])
        arms = db.trace(doubled, world, runs=40)
        means = np.array(world.mean_rewards(1, 5_000))
        cost = means.max(axis=1)[:, None] - np.take_along_axis(means, arms, axis=1)
        marks = np.cumsum(cost, axis=0)[result.times - 1].T
        assert result["doubled"].regret == pytest.approx(marks, abs=1e-9)
        assert (result["doubled"].plays.sum(axis=1) == 5_000).all()
        if first == 10_000:
            assert (result["doubled"].regret == result["alone"].regret).all()


def test_luck_goes_on_where_an_epoch_begins() -> None:
    """With epochs that begin amid the rounds whose luck is drawn at once."""
    world = db.environments.two_swaps(60)
    policy = db.Doubling(db.MOSS, first=7)
    luck, means = random.uniform_list(0, random.REWARDS, 0, 60), world.mean_rewards(1, 60)
    agent, expected = policy.agent(3), []
    for u, row in zip(luck, means.tolist(), strict=True):
        expected.append(agent.choose())
        agent.learn(expected[-1], world.law.reward(u, row[expected[-1]]))
    assert db.trace(policy, world)[:, 0].tolist() == expected


@pytest.mark.slow  # kernels of its own
def test_what_a_detector_and_random_means_need() -> None:
    policy = db.Doubling("cusum-ucb", {"breakpoints": 1}, first=60, label="CUSUM")
    rewards = table(500, seed=2)
    assert compiled_arms(policy, rewards) == live_arms(policy, rewards)
    result = db.simulate(policy, db.environments.Brownian(arms=3), horizon=400, runs=10)
    assert (result["CUSUM"].plays.sum(axis=1) == 400).all()


@dataclasses.dataclass(frozen=True)
class Patient(db.Uniform):
    """A policy of one's own that must know the horizon."""

    horizon: int = 1


def test_classes_of_ones_own_survive_and_are_told() -> None:
    policy = db.Doubling(Patient, first=8)
    assert policy.base == f"{__name__}:Patient"
    assert [each for _, each in policy.epochs(20)] == [Patient(8), Patient(16)]
    assert db.Doubling.from_json(policy.to_json()) == policy
    document = identity(make_job(policy, db.environments.two_swaps(), 20, 1, 0, 1))
    assert [each["horizon"] for each in document["epochs"]] == [8, 16]
    assert f"{__name__}:Patient" in document["rules"]


def test_it_is_a_value_and_passes_the_checks_of_a_policy() -> None:
    policy = db.Doubling(db.EXP3S, {"arms": 4, "breakpoints": 1}, first=30)
    assert policy == db.Doubling("EXP3.S", dict(policy.known), first=30)
    assert policy.label == "EXP3.S, doubling"
    assert policy.bound == 1.0
    db.checks.check_value(policy)
    db.checks.check_plays(policy)
    db.checks.check_bad_input_changes_nothing(policy)


class Ends:
    """Names that end in trouble."""

    def __iter__(self) -> Any:
        raise RuntimeError("no more")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"base": "exp3.z"}, "base must be one of"),
        ({"base": 3}, "base must be a named policy, its name, or a class of policies, got 3"),
        (
            {"base": "os:system"},
            "base must name a policy, or a class of policies that is defined here, as "
            "module:Class, got 'os:system'",
        ),
        ({"base": "exp3.s"}, "known does not fit exp3.s: "),
        (
            {"base": "moss", "known": Ends()},
            "known cannot be gone through: 'RuntimeError: no more'",
        ),
        ({"base": "moss", "known": 5}, "known must give parameters by name, got 5"),
        ({"base": "moss", "first": 0}, "first must be a whole number of at least 1, got 0"),
        ({"base": "moss", "factor": 1.0}, "factor must lie in (1, 100], got 1.0"),
        ({"base": "doubling"}, "base must be a policy that does not double itself, got 'doubling'"),
        ({"base": db.UCB1}, "base must need a horizon: one that needs none is played as it is"),
        (
            {"base": "d-ucb", "known": {"breakpoints": 100}},
            "known does not fit d-ucb: breakpoints must",
        ),
        ({"base": "sw-ucb"}, "known does not fit sw-ucb: tuned needs horizon and breakpoints, or"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        db.Doubling(**parameters)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
