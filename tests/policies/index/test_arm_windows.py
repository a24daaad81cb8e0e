"""Windows by arm: naive, live and compiled decisions are the same in every cell of the grid."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive
import naive_detect as slow
import naive_windows
from common import compiled_arms, live_arms, noise
from driftbandit.core import random

Table = list[list[float]]
EXACT = st.sampled_from([0.0, 0.25, 0.5, 1.0])
ANY = st.floats(0.0, 1.0, allow_subnormal=False)


def tables(rewards: st.SearchStrategy[float]) -> st.SearchStrategy[Table]:
    """Tables of 1 to 70 rounds of three arms; every number of arms is compiled by itself."""
    return st.lists(st.lists(rewards, min_size=3, max_size=3), min_size=1, max_size=70)


def same_decisions(policy: db.Policy, player: slow.Player, table: Table) -> None:
    stream = random.streams(0, random.POLICY, 0, 1)[:, 0].copy()
    luck = [[0.5, *noise(policy, player.K, stream)][-1] for _ in table]
    arms = compiled_arms(policy, table)
    assert live_arms(policy, table) == arms
    assert slow.plays_right(player, table, luck, arms)


def test_the_naive_version_by_hand() -> None:
    assert naive_windows.last_plays([0, 1, 0, 0, 1], 2) == [2, 3, 4, 5]
    assert naive_windows.last_plays([0, 1, 0, 0, 1], 1) == [4, 5]
    player = naive_windows.Player(2, plays=2, value=naive.ucb_index(0.5, 1.0, 1.0))
    for arm, reward in ((0, 1.0), (1, 0.5), (0, 0.0), (0, 1.0)):
        player.learn(arm, reward)
    # arm 0 remembers 0 and 1, arm 1 its one play: three plays in all
    assert player.index(0) == pytest.approx(0.5 + math.sqrt(0.5 * math.log(3) / 2))
    assert player.index(1) == pytest.approx(0.5 + math.sqrt(0.5 * math.log(3)))


@given(tables(EXACT), st.integers(1, 80), st.sampled_from([0.0, 0.5, 2.0]))
def test_ucb_is_naive_to_the_last_tie(table: Table, plays: int, xi: float) -> None:
    policy = db.Policy(forget=db.ArmWindow(plays), explore=db.UCB(xi))
    expected = naive_windows.play(table, plays, naive.ucb_index(xi, 1.0, 1.0))
    assert compiled_arms(policy, table) == expected
    assert live_arms(policy, table) == expected


@given(tables(ANY), st.integers(1, 30))
@settings(max_examples=50)
def test_variance_and_detector_of_one_arm(table: Table, plays: int) -> None:
    detect, alarm = db.CUSUM(2, 0.1, 0.8), functools.partial(slow.cusum, warmup=2)
    player = naive_windows.Player(
        3,
        alarm=functools.partial(alarm, drift=0.1, threshold=0.8),
        everywhere=False,
        counts_plays=True,
        force=functools.partial(slow.at_random, rate=0.2),
        plays=plays,
        value=naive.ucb_v_index(1.2, 1.0, 1.0),
    )
    policy = db.Policy(db.ArmWindow(plays), detect, db.UCBVariance(), db.RandomForce(0.2))
    same_decisions(policy, player, table)


@pytest.mark.slow  # one more kernel
@given(tables(EXACT), st.integers(1, 30))
@settings(max_examples=50)
def test_planned_restarts_and_sweeps(table: Table, plays: int) -> None:
    player = naive_windows.Player(
        3,
        restarts_before=[12, 30, 41],
        force=functools.partial(slow.sweeps, rate=0.3),
        plays=plays,
        value=naive.ucb_index(0.5, 1.0, 1.0),
    )
    policy = db.Policy(db.ArmWindow(plays), db.KnownRestart((12, 30, 41)), force=db.Sweeps(0.3))
    same_decisions(policy, player, table)


CELLS = [
    db.Policy(db.ArmWindow(9), explore=db.KLUCB()),
    db.Policy(db.ArmWindow(9), db.PageHinkley(0.05, 0.7, scope="arm"), db.KLUCB()),
    db.Policy(db.ArmWindow(7), explore=db.BetaPosterior()),
    db.Policy(db.ArmWindow(7), db.BernoulliGLR(0.5, every=5), db.Gibbs(0.2), db.GrowingSweeps(0.2)),
    db.Policy(db.ArmWindow(7), db.ADWIN(0.9, every=5), db.AnytimeMinimax()),
    db.Policy(db.ArmWindow(7), db.TwoHalves(6, 1.5, scope="arm"), force=db.DiminishingSweeps(0.3)),
]


@pytest.mark.slow  # every cell is compiled by itself
@pytest.mark.parametrize("policy", CELLS, ids=lambda policy: policy.label)
def test_other_cells_play_live_as_compiled(policy: db.Policy) -> None:
    for seed in range(5):
        table = np.random.default_rng(seed).random((300, 3)).tolist()
        assert compiled_arms(policy, table, seed=seed) == live_arms(policy, table, seed=seed)


@pytest.mark.slow  # as above
@pytest.mark.parametrize(
    "detect",
    [db.Never(), db.CUSUM(5, 0.05, 2.0, scope="arm"), db.CUSUM(5, 0.05, 2.0, scope="all")],
    ids=str,
)
def test_a_window_that_never_fills_is_the_full_history(detect: db.Detect) -> None:
    world = db.environments.two_swaps(900)
    full = db.Policy(detect=detect, force=db.Sweeps(0.1), label="full")
    wide = full.replace(forget=db.ArmWindow(899), label="wide")
    wider = full.replace(forget=db.ArmWindow(900), label="wider")
    result = db.simulate([full, wide, wider], world, runs=60)
    for label in ("wide", "wider"):
        assert (result[label].regret == result["full"].regret).all()


@pytest.mark.slow  # a kernel for many arms
def test_more_arms_than_are_compared_one_by_one() -> None:
    table = np.random.default_rng(1).random((600, 200)).tolist()
    policy = db.Policy(db.ArmWindow(2), explore=db.UCB(0.1))
    assert compiled_arms(policy, table) == live_arms(policy, table)


@dataclass(frozen=True)
class Widening(db.Forget):
    """The last √t plays of each arm, clock t."""

    scale: float = 1.0
    by_arm = True
    ageing = True

    @staticmethod
    def span(t: float, scale: float) -> float:
        return 1.0 + scale * math.sqrt(t)


@pytest.mark.slow  # as above
def test_windows_by_arm_may_grow() -> None:
    table = np.random.default_rng(2).choice([0.0, 0.5, 1.0], (200, 3)).tolist()
    policy = db.Policy(Widening(0.5))
    arms = compiled_arms(policy, table)
    assert live_arms(policy, table) == arms
    index = naive.ucb_index(0.5, 1.0, 1.0)
    remembered: list[tuple[int, float]] = []
    for t, arm in enumerate(arms, start=1):
        if t > 3:
            seen = [[x for played, x in remembered if played == i] for i in range(3)]
            indices = [index(slow.mean(x), 0.0, len(x), t - 1) for x in seen]
            assert indices[arm] >= max(indices) - 1e-9
        own = [play for play in remembered if play[0] == arm]
        if len(own) >= Widening.span(float(t), 0.5):
            remembered.remove(own[0])
        remembered.append((arm, table[t - 1][arm]))


@dataclass(frozen=True)
class FadingByArm(Widening):
    """What the engine does not do."""

    @staticmethod
    def factor(t: float, scale: float) -> float:
        return 0.9


def test_bad_parameters() -> None:
    with pytest.raises(db.InputError, match="plays must be a whole number of at least 1, got 0"):
        db.ArmWindow(0)
    with pytest.raises(db.InputError, match="factor must be left alone where spans are by arm"):
        db.Policy(FadingByArm())


def test_shipped_checks() -> None:
    policy = db.Policy(db.ArmWindow(6), explore=db.UCB(0.3), label="AW-UCB")
    db.checks.check_value(policy)
    db.checks.check_plays(policy)
    db.checks.check_names_do_not_matter(policy)
