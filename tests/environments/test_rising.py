"""Worlds in which an arm that was not the best becomes it."""

from __future__ import annotations

import collections
import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from driftbandit import environments as env
from driftbandit.core.errors import InputError
from driftbandit.environments import laws

MANY = env.rises(400)


def piecewise(world: env.World) -> env.Piecewise:
    assert isinstance(world, env.Piecewise)
    return world


def test_worlds_stay_what_they_are() -> None:
    """A report names seeds, so a seed must mean the same world for ever."""
    assert [(name, world.horizon, world.law) for name, world in env.rises(3).items()] == [
        ("rise-0-K5", 24_220, laws.Bernoulli()),
        ("rise-1-K8", 93_470, laws.Beta(0.7441)),
        ("rise-2-K7", 1_650, laws.Bernoulli()),
    ]
    assert env.rise(2) == env.World.from_json(env.rise(2).to_json()) != env.rise(3)


@pytest.mark.parametrize("name", MANY)
def test_every_breakpoint_is_a_rise_above_the_best(name: str) -> None:
    world = piecewise(MANY[name])
    assert world.horizon is not None
    assert 1 <= len(world.breakpoints) <= 4
    for breakpoint, (old, new) in zip(world.breakpoints, pairwise(world.means), strict=True):
        assert 0.05 * world.horizon - 1 <= breakpoint <= 0.95 * world.horizon + 1
        assert np.argmax(new) != np.argmax(old)
        assert max(new) - max(old) >= 0.0199
        assert max(new) <= 1.0
    assert max(world.means[0]) <= 0.9


def test_what_is_drawn_is_log_uniform() -> None:
    worlds = [piecewise(world) for world in MANY.values()]
    arms = [world.arms for world in worlds]
    assert (min(arms), max(arms)) == (2, 30)
    horizons = [math.log10((world.horizon or 0) / 1_000) / 3.0 for world in worlds]
    assert stats.kstest(horizons, "uniform").pvalue > 0.01
    assert stats.binomtest(sum(w.law == laws.Bernoulli() for w in worlds), 400).pvalue > 0.01
    jumps = [max(world.means[1]) - max(world.means[0]) for world in worlds]
    shares = [
        math.log(jump / 0.02) / math.log((1.0 - max(world.means[0])) / 0.02)
        for jump, world in zip(jumps, worlds, strict=True)
    ]
    assert stats.kstest(shares, "uniform").pvalue > 0.01


def test_rises_come_once_or_a_few_times_and_stay_or_fall_back() -> None:
    times = collections.Counter(len(piecewise(world).breakpoints) for world in MANY.values())
    assert stats.binomtest(times[1], 400).pvalue > 0.001  # a few more: no room for a second
    assert min(times[2], times[3], times[4]) > 20
    moved = [
        int(np.not_equal(world.means[1], world.means[2]).sum())
        for world in map(piecewise, MANY.values())
        if len(world.means) > 2 and world.arms > 2
    ]
    assert {1, 2} == set(moved)


def test_bad_numbers_are_one_line() -> None:
    with pytest.raises(InputError, match=r"^seed must be a whole number of at least 0, got -1$"):
        env.rise(-1)
    with pytest.raises(InputError, match=r"^number must be a whole number of at least 1, got 0$"):
        env.rises(0)
    for worlds in (env.rises, env.wilds):
        with pytest.raises(InputError, match=r"^number must be at most 100000, got 10000000"):
            worlds(10**15)
