"""Exponential weights: proven bounds, as sanity. Means lie far below them, single runs too."""

from __future__ import annotations

import math

import numpy as np
import pytest

import driftbandit as db


def final_regret(policy: db.Strategy, world: db.environments.World, T: int) -> db.Outcome:
    return db.simulate(policy, world, T, 256, seed=1, checkpoints=(T,))[policy.label]


def swaps(T: int, breakpoints: int) -> db.environments.World:
    """Arms of means 0.3 and 0.7 that change places at even distances, and one of mean 0.2."""
    times = [t * T // (breakpoints + 1) + 1 for t in range(1, breakpoints + 1)]
    means = [[0.7, 0.3, 0.2] if i % 2 == 0 else [0.3, 0.7, 0.2] for i in range(breakpoints + 1)]
    return db.environments.Piecewise(times, means)


def test_exp3_ix_stays_below_its_bound() -> None:
    T, K, delta = 4_000, 3, 0.05
    world = db.environments.Stationary((0.5, 0.4, 0.3))
    bound = 2 * math.sqrt(2 * K * T * math.log(K))
    bound += (math.sqrt(2 * K * T / math.log(K)) + 1) * math.log(2 / delta)
    regrets = final_regret(db.EXP3IX.tuned(T, K), world, T).final_regret
    assert np.quantile(regrets, 1 - delta) < bound
    assert regrets.mean() < 2 * math.sqrt(2 * K * T * math.log(K))


def test_anytime_exp3_ix_stays_below_its_bound_at_all_times() -> None:
    """4√(Kt log K) + (2√(Kt / log K) + 1) log(2/δ), but for a probability δ."""
    K, delta, times = 3, 0.05, (10, 100, 1_000, 5_000)
    world = db.environments.Stationary((0.5, 0.4, 0.3))
    result = db.simulate(db.AnytimeEXP3IX(), world, 5_000, 256, seed=1, checkpoints=times)
    for t, regrets in zip(times, result["EXP3-IX (anytime)"].regret.T, strict=True):
        bound = 4 * math.sqrt(K * t * math.log(K))
        assert regrets.mean() < bound
        tail = (2 * math.sqrt(K * t / math.log(K)) + 1) * math.log(2 / delta)
        assert np.quantile(regrets, 1 - delta) < bound + tail


def test_exp3_pp_stays_below_its_bound_and_gains_from_gaps() -> None:
    K, times = 3, (10, 100, 1_000, 20_000)
    world = db.environments.Stationary((0.9, 0.2, 0.1))
    policies = [db.EXP3PP(), db.EXP3PP(0.5, 0.02, label="bold"), db.EXP3PP(3.0, 1e9, label="blind")]
    result = db.simulate(policies, world, 20_000, 128, seed=1, checkpoints=times)
    for label in result:
        for t, regrets in zip(times, result[label].regret.T, strict=True):
            assert regrets.mean() < 4 * math.sqrt(K * t * math.log(K))
    means = {label: result[label].final_regret.mean() for label in result}
    assert means["bold"] < 0.6 * means["blind"]
    assert means["EXP3++"] == means["blind"]  # β = 256 asks for 10⁸ rounds or more


def test_exp3_six_stays_below_its_bound_and_tracks() -> None:
    T, K, breakpoints = 20_000, 3, 9
    size = (breakpoints + 1) * math.log(K) + breakpoints * math.log(math.e * (T - 1) / breakpoints)
    bound = 2 * math.sqrt(2 * K * T * size)
    world = swaps(T, breakpoints)
    tracking = final_regret(db.EXP3SIX.tuned(T, breakpoints, K), world, T).final_regret
    single = final_regret(db.EXP3IX.tuned(T, K), world, T).final_regret
    assert tracking.mean() < bound
    assert tracking.mean() < single.mean() / 2


def test_rexp3_stays_below_its_bound() -> None:
    """A batch costs 2√(e−1) √(ΔK log K) against its best arm, which loses at most 2Δ V_batch."""
    T, K = 20_000, 3
    phases = 6 * math.pi * np.arange(T)[:, None] / T + 2 * math.pi * np.arange(K) / K
    world = db.environments.Table(0.5 + 0.4 * np.cos(phases))
    variation = float(np.abs(np.diff(world.mean_rewards(1, T), axis=0)).max(axis=1).sum())
    policy = db.REXP3.tuned(T, variation, K)
    cost = 2 * math.sqrt(math.e - 1) * math.sqrt(policy.batch * K * math.log(K))
    bound = math.ceil(T / policy.batch) * cost + 2 * policy.batch * variation
    restarted = final_regret(policy, world, T).final_regret
    assert restarted.mean() < bound
    assert restarted.mean() < 0.8 * final_regret(db.EXP3.tuned(T, K), world, T).final_regret.mean()


def test_exp3_r_without_alarms_has_the_law_of_exp3() -> None:
    world = db.environments.two_swaps(2_000)
    one = db.simulate(db.EXP3R(0.1, 10**6), world, 2_000, 2_000, seed=1)["EXP3.R"].final_regret
    two = db.simulate(db.EXP3(0.1), world, 2_000, 2_000, seed=2)["EXP3"].final_regret
    error = math.sqrt((one.var() + two.var()) / 2_000)
    assert abs(one.mean() - two.mean()) < 4 * error


def test_exp3_r_finds_the_changes_that_exp3_misses() -> None:
    T, K, gap = 200_000, 3, 0.8
    policy = db.EXP3R.tuned(T, K, gap)
    assert policy.watch(K)[1] == pytest.approx(gap / 2, rel=1e-3)
    times, means = [T // 2 + 1], [[0.9, 0.1, 0.1], [0.1, 0.9, 0.1]]
    world = db.environments.Piecewise(times, means)
    watching = final_regret(policy, world, T).final_regret
    blind = final_regret(db.EXP3.tuned(T, K), world, T).final_regret
    assert watching.mean() < 0.5 * blind.mean()
    calm = db.environments.Stationary((0.9, 0.1, 0.1))
    twin = policy.replace(interval=T + 1, label="twin")  # sees too few draws to judge
    result = db.simulate([policy, twin], calm, T, 256, seed=1, checkpoints=(T,))
    same = result["EXP3.R"].final_regret == result["twin"].final_regret
    assert same.mean() > 0.95  # a false alarm would part them


@pytest.mark.parametrize("K", [2, 3, 10, 100])
@pytest.mark.parametrize("T", [100, 10_000, 10**9])
def test_exp3_r_of_the_printed_tuning_with_c_one_cannot_raise_an_alarm(T: int, K: int) -> None:
    exploration = min(1.0, math.sqrt(K * math.log(K) * math.log(T) / T))
    interval = round(math.sqrt(T * math.log(T)))
    delta = math.sqrt(math.log(T) / (K * T))
    assert db.EXP3R(exploration, interval, delta).watch(K)[1] > 1.0


def test_exp3_six_of_the_printed_rate_loses_more() -> None:
    T, K, world = 10_000, 3, db.environments.two_swaps()
    tuned = db.EXP3SIX.tuned(T, 2, K)
    rate = math.sqrt(2 * 3 * math.log(K) / (K * T))
    printed = tuned.replace(rate=rate, implicit=rate / 2, label="printed")
    result = db.simulate([tuned, printed], world, T, 256, seed=1, checkpoints=(T,))
    more = result["printed"].final_regret - result["EXP3.SIX"].final_regret
    assert more.mean() > 10 * more.std() / 16 > 0
