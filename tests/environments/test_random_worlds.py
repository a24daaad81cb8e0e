from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from driftbandit import environments as env
from driftbandit.core.random import WORLD, streams
from driftbandit.environments.sampling import pick, pick_other, rounds_until_first

Floats = NDArray[np.float64]
Compile = Callable[[Callable[..., Any]], Any]

WORLDS = [
    env.RandomSwitching(3, rate=0.02),
    env.RandomSwitching(2, rate=1.0),
    env.RandomSwitching(5, rate=0.0),
    env.RandomSwitching(4, breakpoints=7, horizon=400, gap=(0.5, 2.0), bound=2.0),
    env.Brownian(3, 0.05),
    env.Brownian(2, 0.3, low=0.2, high=0.6),
    env.Radio(3, seize=(0.05, 0.2), release=(0.05, 0.2), switch_rate=0.01),
    env.Radio(2, seize=(1.0, 1.0), release=(0.5, 0.5), switches=(2, 30, 31)),
    env.NewsFeed(3, half_life=20.0, rate=0.05),
    env.NewsFeed(2, rate=0.0),
    env.RandomPiecewise(3, changes=5, horizon=400),
    env.RandomPiecewise(
        2, 3, jump=(0.5, 1.0), probability=1.0, spacing=100, horizon=400, bound=2.0
    ),
    env.RandomJumps(3, rate=0.05),
    env.RandomJumps(2, rate=0.05, together=False, low=0.2, high=1.5, bound=2.0),
]
each_world = pytest.mark.parametrize("world", WORLDS, ids=repr)
ROUNDS = 400


def stream(seed: int, run: int) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        return streams(seed, WORLD, run, 1)[:, 0].copy()


def walk(path: Any, world: env.World, rng: NDArray[np.uint64], sizes: Sequence[int]) -> Floats:
    memory, numbers = np.zeros(world.memory), world.parameters()
    means, first = np.full((sum(sizes), world.arms), np.nan), 1
    with np.errstate(over="ignore"):
        for size in sizes:
            path(means[first - 1 : first - 1 + size], memory, rng, first, numbers)
            first += size
    return means


def many(compiled: Compile, world: env.World, rounds: int, runs: int, seed: int = 0) -> Floats:
    path = compiled(type(world).path)
    return np.array([walk(path, world, stream(seed, run), [rounds]) for run in range(runs)])


@each_world
def test_chunks_and_compiling_change_no_bit(world: env.World, compiled: Compile) -> None:
    fast = compiled(type(world).path)
    whole = walk(world.path, world, stream(5, 2), [ROUNDS])
    assert np.isfinite(whole).all()
    for sizes in ([1] * ROUNDS, [1, 2, 97, 300], [399, 1]):
        assert walk(world.path, world, stream(5, 2), sizes).tobytes() == whole.tobytes()
        assert walk(fast, world, stream(5, 2), sizes).tobytes() == whole.tobytes()
    assert world.realise(ROUNDS, seed=5, run=2).mean_rewards(1, ROUNDS).tobytes() == whole.tobytes()


@each_world
def test_runs_differ_and_stay_in_range(world: env.World, compiled: Compile) -> None:
    means = many(compiled, world, ROUNDS, runs=20)
    assert means.min() >= 0.0
    assert means.max() <= world.bound
    assert len({run.tobytes() for run in means}) == 20


@each_world
def test_a_longer_horizon_only_adds_rounds(world: env.World) -> None:
    short = world.realise(50, seed=1).mean_rewards(1, 50)
    assert short.tobytes() == world.realise(ROUNDS, seed=1).mean_rewards(1, 50).tobytes()


@pytest.mark.parametrize("arms", [2, 3, 6])
def test_switching_keeps_the_lead_and_changes_the_best_arm(arms: int, compiled: Compile) -> None:
    world = env.RandomSwitching(arms, rate=0.05, gap=(0.2, 0.3))
    for means in many(compiled, world, 2_000, runs=5):
        inorder = np.sort(means, axis=1)
        lead = inorder[:, -1] - inorder[:, -2]
        assert lead.min() > 0.2 - 1e-12
        assert lead.max() < 0.3 + 1e-12
        breaks = np.flatnonzero((means[1:] != means[:-1]).any(axis=1))
        best = means.argmax(axis=1)
        assert (best[breaks] != best[breaks + 1]).all()


def test_switching_waits_geometrically(compiled: Compile) -> None:
    world = env.RandomSwitching(2, rate=0.05)
    means = many(compiled, world, 200_000, runs=1)[0]
    waits = np.diff(np.flatnonzero(np.diff(means[:, 0])))
    counts = np.bincount(waits, minlength=61)[1:61]
    expected = len(waits) * 0.05 * 0.95 ** np.arange(60)
    rest = len(waits) - counts.sum(), len(waits) - expected.sum()
    test = stats.chisquare([*counts, rest[0]], [*expected, rest[1]])
    assert test.pvalue > 0.01


def test_switching_gives_every_arm_its_turn(compiled: Compile) -> None:
    first = many(compiled, env.RandomSwitching(3, rate=0.5), 1, runs=3_000)[:, 0]
    assert stats.chisquare(np.bincount(first.argmax(axis=1), minlength=3)).pvalue > 0.01
    assert stats.chisquare(np.bincount(first.argmin(axis=1), minlength=3)).pvalue > 0.01


def test_a_given_number_of_breakpoints_is_met_and_spread_evenly(compiled: Compile) -> None:
    world = env.RandomSwitching(2, breakpoints=3, horizon=11)
    assert world.rate == pytest.approx(0.3)
    means = many(compiled, world, 11, runs=6_000)
    changed = (means[:, 1:] != means[:, :-1]).any(axis=2)
    assert (changed.sum(axis=1) == 3).all()
    # Every choice of 3 rounds out of the 10 from 2 to 11 is equally likely.
    subsets = np.unique(changed, axis=0, return_counts=True)[1]
    assert len(subsets) == math.comb(10, 3)
    assert stats.chisquare(subsets).pvalue > 0.01


def test_as_many_breakpoints_as_rounds_allow() -> None:
    world = env.RandomSwitching(2, breakpoints=9, horizon=10)
    assert world.find_breakpoints() == list(range(2, 11))
    assert env.RandomSwitching(2, breakpoints=0, horizon=10).find_breakpoints() == []
    assert env.RandomSwitching(2, breakpoints=1, horizon=2).find_breakpoints() == [2]


def test_stretches_are_long_enough_and_otherwise_spread_evenly(compiled: Compile) -> None:
    world = env.RandomPiecewise(1, changes=2, probability=1.0, spacing=3, horizon=13)
    means = many(compiled, world, 13, runs=4_000)[:, :, 0]
    changed = means[:, 1:] != means[:, :-1]
    assert (changed.sum(axis=1) == 2).all()
    # Three stretches of three rounds leave four to spare: C(4 + 2, 2) ways to share them.
    choices, counts = np.unique(changed, axis=0, return_counts=True)
    assert len(choices) == math.comb(6, 2)
    assert stats.chisquare(counts).pvalue > 0.01
    for choice in choices:
        ends = [0, *(np.flatnonzero(choice) + 1), 13]
        assert min(np.diff(ends)) >= 3
    assert {tuple(np.flatnonzero(choice) + 1) for choice in choices} >= {(3, 6), (3, 10), (7, 10)}


def test_an_arm_moves_half_the_time_by_a_jump_either_way(compiled: Compile) -> None:
    world = env.RandomPiecewise(4, changes=1, jump=(0.1, 0.2), spacing=1, horizon=2)
    means = many(compiled, world, 2, runs=5_000)
    before, step = means[:, 0].ravel(), (means[:, 1] - means[:, 0]).ravel()
    assert stats.kstest(before, "uniform").pvalue > 0.01
    moved = step != 0.0
    assert abs(moved.mean() - 0.5) < 4 * 0.5 / math.sqrt(moved.size)
    assert stats.kstest(np.abs(step[moved]), stats.uniform(0.1, 0.1).cdf).pvalue > 0.01
    middle = moved & (np.abs(before - 0.5) < 0.3)
    up = step[middle] > 0.0
    assert abs(up.mean() - 0.5) < 4 * 0.5 / math.sqrt(up.size)
    assert (step[moved & (before < 0.1)] > 0.0).all()
    assert (step[moved & (before > 0.9)] < 0.0).all()


def test_brownian_steps_have_the_right_size(compiled: Compile) -> None:
    means = many(compiled, env.Brownian(2, 1e-4), 20_000, runs=10)
    inside = ((means > 0.01) & (means < 0.99)).all(axis=1)
    steps = np.concatenate([np.diff(means[r, :, k]) for r, k in np.argwhere(inside)])
    assert len(steps) > 200_000
    assert steps.std() == pytest.approx(1e-4, rel=0.005)
    assert stats.kstest(steps[:50_000] / 1e-4, "norm").pvalue > 0.01


def test_brownian_means_stay_uniform_between_the_borders(compiled: Compile) -> None:
    world = env.Brownian(1, 0.2, low=0.2, high=0.6)
    means = many(compiled, world, 50, runs=4_000)
    assert means.min() >= 0.2
    assert means.max() <= 0.6
    for t in (0, 1, 49):
        assert stats.kstest(means[:, t, 0], stats.uniform(0.2, 0.4).cdf).pvalue > 0.01


def test_radio_is_free_for_its_share_of_the_time(compiled: Compile) -> None:
    world = env.Radio(2, seize=(0.1, 0.1), release=(0.3, 0.3), switch_rate=0.01)
    free = many(compiled, world, 100_000, runs=2) == 0.9
    # The correlation time of the chain, (2 − 0.4) / 0.4 = 4 rounds, sets the standard error.
    error = math.sqrt(0.75 * 0.25 * 4 / free.size)
    assert abs(free.mean() - 0.75) < 4 * error
    assert abs((free[:, :-1] & ~free[:, 1:]).sum() / free[:, :-1].sum() - 0.1) < 0.003
    assert abs((~free[:, :-1] & free[:, 1:]).sum() / (~free[:, :-1]).sum() - 0.3) < 0.006
    start = many(compiled, world, 1, runs=4_000)[:, 0] == 0.9
    assert abs(start.mean() - 0.75) < 4 * math.sqrt(0.75 * 0.25 / start.size)


def test_radio_channels_change_owners_when_told_to(compiled: Compile) -> None:
    # Rates are the same before and after; a switch redraws nothing that could be seen.
    steady = env.Radio(1, seize=(0.2, 0.2), release=(0.2, 0.2), switches=(100,))
    share = (many(compiled, steady, 200, runs=3_000) == 0.9).mean(axis=(0, 2))
    assert np.abs(share - 0.5).max() < 4.5 * 0.5 / math.sqrt(3_000)
    # With wide ranges the time between flips differs from one pair of owners to the next.
    wide = env.Radio(1, seize=(1e-3, 1.0), release=(1e-3, 1.0), switches=(501, 1001))
    flips = np.diff(many(compiled, wide, 1_500, runs=200)[:, :, 0], axis=1) != 0.0
    pace = [flips[:, first : first + 499].mean(axis=1) for first in (0, 500, 1000)]
    for before, after in pairwise(pace):
        assert np.abs(before - after).mean() > 0.1
        assert abs(np.corrcoef(before, after)[0, 1]) < 0.3


def test_news_fades_by_half_in_a_half_life() -> None:
    means = env.NewsFeed(2, half_life=10.0, rate=0.0).realise(41).mean_rewards(1, 41)
    np.testing.assert_allclose(means[10:], means[:-10] / 2.0, rtol=1e-14)


def test_news_has_the_same_law_in_every_round(compiled: Compile) -> None:
    world = env.NewsFeed(1, popularity=(0.2, 0.8), half_life=30.0, rate=0.04)
    means = many(compiled, world, 100, runs=20_000)[:, :, 0]
    fade = 0.5 ** (1 / 30.0)
    expected = 0.5 * 0.04 / (1.0 - 0.96 * fade)
    for t in (0, 1, 50, 99):
        error = means[:, t].std() / math.sqrt(20_000)
        assert abs(means[:, t].mean() - expected) < 4 * error
    renewed = np.diff(means, axis=1) > 0.0
    births = means[:, 1:][renewed]
    assert births.min() >= 0.2
    assert births.max() <= 0.8
    faded = np.abs(means[:, 1:] / means[:, :-1] - fade) < 1e-12
    assert abs(1.0 - faded.mean() - 0.04) < 4 * math.sqrt(0.04 * 0.96 / faded.size)


def test_picks_are_even_and_leave_out_the_excluded() -> None:
    rng = stream(3, 0)
    with np.errstate(over="ignore"):
        drawn = [pick(rng, 4) for _ in range(4_000)]
        others = [pick_other(rng, 4, 2) for _ in range(3_000)]
    assert stats.chisquare(np.bincount(drawn, minlength=4)).pvalue > 0.01
    counts = np.bincount(others, minlength=4)
    assert counts[2] == 0
    assert stats.chisquare(counts[[0, 1, 3]]).pvalue > 0.01


def test_spread_without_events_waits_for_ever() -> None:
    assert rounds_until_first(stream(0, 0), 0.0, 10.0) == math.inf
