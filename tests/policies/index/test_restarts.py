"""Planned restarts and forced exploration: naive, live and compiled decisions are the same."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive_detect as slow
from common import compiled_arms, live_arms, noise
from driftbandit.core import random
from driftbandit.engine import first_use

Table = list[list[float]]
EXACT = st.sampled_from([0.0, 0.25, 0.5, 1.0])


def tables(rewards: st.SearchStrategy[float], rounds: int) -> st.SearchStrategy[Table]:
    """Tables of 1 to so many rounds of three arms; every number of arms is compiled by itself."""
    return st.lists(st.lists(rewards, min_size=3, max_size=3), min_size=1, max_size=rounds)


def uniforms(policy: db.Policy, arms: int, rounds: int) -> list[float]:
    """Return the last number that the engine draws in each round."""
    stream = random.streams(0, random.POLICY, 0, 1)[:, 0].copy()
    return [[0.5, *noise(policy, arms, stream)][-1] for _ in range(rounds)]


def same_decisions(policy: db.Policy, player: slow.Player, table: Table) -> None:
    arms = compiled_arms(policy, table)
    assert live_arms(policy, table) == arms
    assert slow.plays_right(player, table, uniforms(policy, player.K, len(table)), arms)


FORCES = [
    (db.Sweeps, slow.sweeps),
    (db.GrowingSweeps, slow.growing_sweeps),
    (db.DiminishingSweeps, slow.diminishing_sweeps),
    (db.RandomForce, slow.at_random),
]


@pytest.mark.parametrize(("rule", "reference"), FORCES, ids=lambda each: each.__name__)
@given(table=tables(EXACT, 60), rate=st.sampled_from([0.07, 0.3, 0.5, 0.9, 1.0]))
@settings(max_examples=25)
def test_forced_arms_are_naive(
    rule: Callable[[float], db.Force], reference: Callable[..., int], table: Table, rate: float
) -> None:
    force = rule(rate)
    player = slow.Player(
        K=len(table[0]),
        restarts_before=[12, 30, 41],
        force=functools.partial(reference, rate=rate),
    )
    same_decisions(db.Policy(detect=db.KnownRestart((12, 30, 41)), force=force), player, table)


@pytest.mark.parametrize(("rule", "reference"), FORCES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("rate", [0.011, 0.07, 0.2, 0.28, 1 / 3, 1.0])
def test_a_schedule_is_the_naive_one(
    rule: Callable[[float], db.Force], reference: Callable[..., int], rate: float
) -> None:
    force, luck = rule(rate), np.random.default_rng(0).random(3_000).tolist()
    for arms, restarts in ((1, 0), (2, 3), (7, 1)):
        forced = []
        for since, u in enumerate(luck, start=1):
            numbers = (float(since), float(restarts), float(arms), *[u][: force.noise])
            forced.append(force.arm(*numbers, *force.numbers()))
            assert forced[-1] == reference(since, restarts, arms, u, rate)
        assert set(forced) - {-1} == set(range(arms))  # every arm has its turn, the last one too


@pytest.mark.parametrize(
    ("rule", "arms", "start"),
    [
        (db.Sweeps(0.07), 7, 100),  # 7 / 0.07 is 99.99999999999999
        (db.GrowingSweeps(0.035), 7, 100),  # after three restarts
        (db.DiminishingSweeps(0.18), 3, 15_625),  # (15 · 3 / 0.36)² is 15625 and a little
        (db.DiminishingSweeps(0.69), 3, 2_500),
    ],
    ids=repr,
)
def test_rounding_moves_no_sweep(rule: db.Force, arms: int, start: int) -> None:
    rounds = (float(start), float(start + 1))  # counted from 1: the last one before the sweep
    assert [rule.arm(u, 3.0, float(arms), *rule.numbers()) for u in rounds] == [-1, 0]


def test_a_rate_is_the_share_of_forced_rounds() -> None:
    for arms in (2.0, 3.0, 10.0):
        for rate in (0.01, 0.1, 0.3):
            rule = db.Sweeps(rate)
            forced = [rule.arm(float(u), 0.0, arms, rate) for u in range(1, 50_001)]
            share = np.mean(np.array(forced) >= 0)
            assert rate <= share <= arms / math.floor(arms / rate) + 1e-3
    rule_of_chance = db.RandomForce(0.3)
    luck = np.random.default_rng(1).random(100_000)
    drawn = np.array([rule_of_chance.arm(1.0, 0.0, 5.0, u, 0.3) for u in luck])
    for arm in range(5):
        assert np.mean(drawn == arm) == pytest.approx(0.06, abs=0.004)


@pytest.mark.parametrize("rate", [0.5, 3.0, 20.0])
def test_diminishing_sweeps_thin_out_as_the_root_of_time(rate: float) -> None:
    rule = db.DiminishingSweeps(rate)
    forced = np.array([rule.arm(float(u), 0.0, 4.0, rate) for u in range(1, 100_001)])
    # a share α/√u of the rounds sums up to 2α √n, once √u > α
    assert np.count_nonzero(forced >= 0) == pytest.approx(2 * rate * math.sqrt(1e5), rel=0.15)
    turns = forced[forced >= 0]
    assert np.array_equal(turns, np.arange(turns.size) % 4)  # whole sweeps, none cut short


def test_the_oracle_plays_stretches_as_if_they_were_worlds_of_their_own() -> None:
    rewards = np.random.default_rng(3).integers(0, 2, (600, 3)).astype(float)
    borders = [0, 180, 181, 400, 600]
    oracle = db.KnownRestart(tuple(border + 1 for border in borders[1:-1]))
    policy = db.Policy(detect=oracle, explore=db.UCB(), label="oracle")
    expected: list[int] = []
    for first, last in itertools.pairwise(borders):
        expected += compiled_arms(db.UCB1(), rewards[first:last].tolist())
    assert compiled_arms(policy, rewards.tolist()) == expected
    assert live_arms(policy, rewards.tolist()) == expected


def test_a_period_is_breakpoints_in_a_row() -> None:
    world = db.environments.two_swaps(900)
    known = db.Policy(detect=db.KnownRestart(tuple(range(101, 901, 100))), label="known")
    periodic = db.Policy(detect=db.PeriodicRestart(100), label="periodic")
    result = db.simulate([known, periodic], world, runs=100)
    assert (result["known"].regret == result["periodic"].regret).all()


@pytest.mark.parametrize(
    "forget", [db.Full(), pytest.param(db.Window(50), marks=pytest.mark.slow)], ids=repr
)
def test_a_restart_after_the_end_is_none(forget: db.Forget) -> None:
    world = db.environments.two_swaps(800)
    calm = db.Policy(forget=forget, label="calm")
    late = db.Policy(forget=forget, detect=db.KnownRestart((801,)), label="late")
    result = db.simulate([calm, late], world, runs=100)
    assert (result["calm"].regret == result["late"].regret).all()


def test_machine_code_serves_any_number_of_breakpoints_up_to_eight() -> None:
    world = db.environments.two_swaps(200)
    plans = [tuple(range(2, 2 + number)) for number in (1, 8, 3)]
    for place, rounds in enumerate(plans):
        with first_use.counted() as count:
            db.simulate(db.Policy(detect=db.KnownRestart(rounds)), world, runs=8)
        assert place == 0 or count.number == 0
    numbers = {len(db.KnownRestart(tuple(range(2, 2 + n))).numbers()) for n in range(1, 9)}
    assert numbers == {8}
    assert len(db.KnownRestart(tuple(range(2, 11))).numbers()) == 16


def test_knowing_the_breakpoints_helps() -> None:
    world = db.environments.two_swaps()
    oracle = db.Policy(detect=db.KnownRestart(tuple(world.breakpoints)), label="oracle")
    result = db.simulate([oracle, db.SlidingWindowUCB(1213)], world, runs=400)
    means = {label: result[label].mean_regret[-1] for label in result}
    assert means["oracle"] < 0.6 * means["SW-UCB"]


def test_shipped_checks_of_noise_for_two() -> None:
    explore, force = db.Gibbs(0.2), db.RandomForce(0.3)
    db.checks.check_policy(
        db.Policy(forget=db.Window(40), detect=db.PeriodicRestart(33), explore=explore, force=force)
    )


def test_many_arms_can_be_forced() -> None:
    rewards = np.random.default_rng(5).random((300, 200)).tolist()
    policy = db.Policy(force=db.RandomForce(0.2))
    assert compiled_arms(policy, rewards) == live_arms(policy, rewards)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: db.PeriodicRestart(0), "period must be a whole number of at least 1, got 0"),
        (lambda: db.KnownRestart(()), "rounds must be a list of at least one round, got ()"),
        (lambda: db.KnownRestart((5, 5)), "rounds must be strictly increasing, got [5, 5]"),
        (lambda: db.KnownRestart((1,)), "rounds[0] must be a whole number of at least 2, got 1"),
        (lambda: db.ADWIN(scope="x"), "ADWIN.scope must be 'arm' or 'all', got 'x'"),
        (lambda: db.CUSUM(9, 0.1, 1.0, "x"), "CUSUM.scope must be 'arm' or 'all', got 'x'"),
        (lambda: db.PageHinkley(0.1, 1.0, "x"), "PageHinkley.scope must be 'arm' or 'all'"),
        (
            lambda: db.CUSUM(9, 0.1, 1.0, clock="t"),
            "CUSUM.clock must be 'rounds' or 'plays', got 't'",
        ),
        (lambda: db.TwoHalves(10, 1.0, "x"), "TwoHalves.scope must be 'arm' or 'all'"),
        (lambda: db.GLR(0.1, scope="x"), "GLR.scope must be 'arm' or 'all'"),
        (lambda: db.GaussianGLR(0.1, scope="x"), "GaussianGLR.scope must be 'arm' or 'all'"),
        (lambda: db.Policy(explore=db.Full()), "explore must be an Explore rule, got Full()"),  # type: ignore[arg-type]  # as below
        (lambda: db.Sweeps(0.0), "rate must lie in (0, 1], got 0.0"),
        (lambda: db.GrowingSweeps(1.5), "rate must lie in (0, 1], got 1.5"),
        (lambda: db.RandomForce(-0.1), "rate must lie in [0, 1], got -0.1"),
        (lambda: db.DiminishingSweeps(0), "rate must lie in (0, inf), got 0"),
        (lambda: db.Policy(force=db.UCB()), "force must be a Force rule, got UCB("),  # type: ignore[arg-type]  # that is the point
    ],
)
def test_bad_parameters(make: object, message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        make()  # type: ignore[operator]  # a lambda above
    assert str(caught.value).startswith(message)
