"""Worlds drawn from a seed, and the small kinds behind them."""

from __future__ import annotations

import collections
import json
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from driftbandit import environments as env
from driftbandit.core.errors import InputError
from driftbandit.environments import laws
from driftbandit.environments.wild import KINDS

MANY = env.wilds(700)


def of_kind(kind: str) -> list[env.World]:
    return [world for name, world in MANY.items() if f"-{kind}-" in name]


def means_of(world: env.World) -> NDArray[np.float64]:
    assert world.horizon is not None
    if not world.random:
        return world.mean_rewards(1, world.horizon)
    rounds = 50 if isinstance(world, env.Brownian) else 1_000  # drawn in plain Python
    return world.realise(rounds).mean_rewards(1, rounds)


def test_worlds_stay_what_they_are() -> None:
    """A report names seeds, so a seed must mean the same world for ever."""
    summary = [(name, world.horizon, world.law) for name, world in env.wilds(4, seed=1001).items()]
    assert summary == [
        ("wild-1001-jumps-K10", 25_720, laws.Bernoulli()),
        ("wild-1002-one-arm-K15", 3_487, laws.Beta(65.19)),
        ("wild-1003-rotting-K6", 1_271, laws.Bernoulli()),
        ("wild-1004-seasonal-K9", 11_550, laws.Bernoulli()),
    ]
    assert env.wild(1003) == env.wild(1003, "rotting") != env.wild(1003, "still")


def test_kinds_are_equally_frequent() -> None:
    counts = collections.Counter(name.split("-K")[0].split("-", 2)[2] for name in MANY)
    assert counts == dict.fromkeys(KINDS, 100)


@pytest.mark.parametrize("seed", range(14))
def test_worlds_survive_json_in_few_words(seed: int) -> None:
    world = env.wild(seed)
    text = world.to_json()
    assert env.World.from_json(text) == world == env.wild(seed)
    assert len(text) < 30_000
    json.loads(text)


def log_share(values: list[float], low: float, high: float) -> list[float]:
    return [math.log(value / low) / math.log(high / low) for value in values]


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [
        ([world.horizon for world in MANY.values()], 1_000, 50_000),
        ([w.law.concentration for w in MANY.values() if isinstance(w.law, laws.Beta)], 0.5, 100),
        ([w.rate for w in MANY.values() if isinstance(w, env.RandomJumps)], 1e-5, 1e-1),
        (
            [(w.high or 1.0) - w.low for w in MANY.values() if isinstance(w, env.Brownian)],
            0.02,
            0.8,
        ),
        ([w.period / w.horizon for w in MANY.values() if isinstance(w, env.Seasonal)], 0.02, 2.0),
    ],
    ids=["T", "concentration", "rate", "width", "period"],
)
def test_what_is_drawn_is_log_uniform(values: list[float], low: float, high: float) -> None:
    assert len(values) >= 100
    assert stats.kstest(log_share(values, low, high), "uniform").pvalue > 0.01


def test_arms_and_laws() -> None:
    arms = [world.arms for world in MANY.values()]
    assert (min(arms), max(arms)) == (2, 50)
    assert np.median(arms) == pytest.approx(10, abs=1.5)  # √(2 · 50)
    coins = sum(world.law == laws.Bernoulli() for world in MANY.values())
    assert stats.binomtest(coins, 700).pvalue > 0.01


@pytest.mark.parametrize("kind", KINDS)
def test_means_lie_in_a_range_of_the_right_width(kind: str) -> None:
    for world in of_kind(kind)[:20]:
        means = means_of(world)
        assert means.shape[1] == world.arms
        assert means.min() >= 0.0
        assert means.max() <= 1.0
        if kind != "rotting":
            assert np.ptp(means) <= 0.8 + 1e-4


def test_means_come_in_narrow_and_in_wide_ranges() -> None:
    widths = [np.ptp(world.mean_rewards(1, 1)) for world in of_kind("still")]
    assert min(widths) < 0.05
    assert max(widths) > 0.5


def test_jumps_move_all_arms_or_one() -> None:
    moved = {"jumps": set[float](), "one-arm": set[float]()}
    for kind, shares in moved.items():
        for world in of_kind(kind)[:30]:
            changed = np.diff(means_of(world), axis=0) != 0.0
            shares |= set((changed[changed.any(axis=1)].sum(axis=1) / world.arms).tolist())
            if kind == "one-arm":
                assert changed.sum(axis=1).max() <= 1
    assert moved["jumps"] == {1.0}
    assert len(moved["one-arm"]) > 5


def test_rotting_never_rises_and_comes_in_two_forms() -> None:
    worlds = of_kind("rotting")
    smooth = sum(isinstance(world, env.Decay) for world in worlds)
    assert stats.binomtest(smooth, 100).pvalue > 0.01
    for world in worlds[:20]:
        assert np.diff(means_of(world), axis=0).max() <= 1e-15


def test_a_surge_makes_the_worst_arm_the_best_for_a_while() -> None:
    stays = []
    for world in of_kind("surge"):
        assert isinstance(world, env.Piecewise)
        usual, surged = np.array(world.means[0]), np.array(world.means[1])
        assert usual.argmin() == surged.argmax()
        assert (usual != surged).sum() == 1
        assert surged.max() - usual.max() >= 0.4 * np.ptp(surged)
        stays.append(len(world.breakpoints) == 1)
        assert stays[-1] or world.means[2] == world.means[0]
    assert 0 < sum(stays) < 50


def test_still_worlds_stand_still() -> None:
    assert all(world.distance() == 0.0 for world in of_kind("still")[:10])


def test_decay_and_seasons_are_their_formulas() -> None:
    decay = env.Decay((0.9, 0.2), (0.1, 0.6), (50.0, 8.0), horizon=200)
    seasons = env.Seasonal((0.1, 0.3), (0.7, 0.4), (0.5, 0.9), 33.0, horizon=200)
    for t in (1, 2, 57, 200):
        expected = [0.1 + 0.8 * 0.5 ** ((t - 1) / 50), 0.6 - 0.4 * 0.5 ** ((t - 1) / 8)]
        np.testing.assert_allclose(decay.mean_rewards(t, t)[0], expected, rtol=1e-13)
        waves = [math.cos(2 * math.pi * (t / 33 - peak)) for peak in (0.5, 0.9)]
        expected = [0.4 + 0.3 * waves[0], 0.35 + 0.05 * waves[1]]
        np.testing.assert_allclose(seasons.mean_rewards(t, t)[0], expected, rtol=1e-12)


def test_random_jumps_wait_and_choose_fairly() -> None:
    world = env.RandomJumps(3, rate=0.05, together=False, low=0.2, high=0.7, horizon=20_000)
    means = np.array(world.realise().means)
    changed = np.diff(means, axis=0) != 0.0
    assert stats.binomtest(int(changed.sum()), 19_999, 0.05).pvalue > 0.01
    assert stats.chisquare(changed.sum(axis=0)).pvalue > 0.01
    drawn = means[1:][changed]
    assert stats.kstest(drawn, "uniform", args=(0.2, 0.5)).pvalue > 0.01


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: env.wild(-1), "seed must be a whole number of at least 0, got -1"),
        (lambda: env.wild(0, "storm"), "kind must be one of jumps, one-arm, rotting, seasonal, "),
        (lambda: env.wilds(0), "number must be a whole number of at least 1, got 0"),
        (lambda: env.RandomJumps(3, rate=1.1), "rate must lie in [0, 1], got 1.1"),
        (lambda: env.RandomJumps(3, low=0.5, high=0.4), "low must be at most high, 0.4, got 0.5"),
        (lambda: env.RandomJumps(3, together=2), "together must be True or False, got 2"),  # type: ignore[arg-type]  # on purpose
        (lambda: env.Decay((0.5,), (0.1, 0.2), (3,)), "end must hold 1 as start does, got 2"),
        (lambda: env.Decay((0.5,), (0.1,), (0,)), "half_life[0] must lie in (0, inf), got 0"),
        (lambda: env.Seasonal((0,), (1,), (0, 1), 9), "peak must hold 1 as low does, got 2"),
        (lambda: env.Seasonal((0,), (1,), (1.5,), 9), "peak[0] must lie in [0, 1], got 1.5"),
        (lambda: env.Brownian(horizon=0), "horizon must be a whole number of at least 1, got 0"),
    ],
)
def test_bad_numbers_are_one_line(make: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value).startswith(words)
    assert "\n" not in str(error.value)
