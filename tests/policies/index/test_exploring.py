"""Exploration beyond UCB: naive, live and compiled take the same decisions, whatever forgets."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive_explore
from common import compiled_arms, live_arms, noise
from driftbandit.core import random

SLOW = pytest.mark.slow  # others like them are tested by the quick ones, and these compile
Table = list[list[float]]

ARMS = 3  # as in `checks`, so that compiled code is shared
TABLES = st.lists(
    st.lists(st.floats(0.0, 1.0, allow_subnormal=False), min_size=ARMS, max_size=ARMS),
    min_size=1,
    max_size=60,
)
MEMORIES: list[tuple[db.Forget, Callable[[int], float], Callable[[int], float]]] = [
    (db.Full(), lambda t: 1.0, lambda t: math.inf),
    (db.Discount(0.9), lambda t: 0.9, lambda t: math.inf),
    (db.Window(13), lambda t: 1.0, lambda t: 13),
]
GROWING = (
    db.GrowingWindow(0.5, 2.0),
    lambda t: 1.0,
    lambda t: naive_explore.growing_window(t, 0.5, 2.0),
)
KL, KL_3 = naive_explore.klucb_index(0.0, 1.0), naive_explore.klucb_index(3.0, 2.5)
BETA, JEFFREYS = (naive_explore.beta_index(prior, prior, 1.0) for prior in (1.0, 0.5))
CELLS = [
    (db.KLUCB(), KL, MEMORIES[0]),
    (db.KLUCB(c=3.0, bound=2.5), KL_3, MEMORIES[1]),
    (db.KLUCB(), KL, MEMORIES[2]),
    (db.BetaPosterior(), BETA, MEMORIES[1]),
    (db.BetaPosterior(0.5, 0.5), JEFFREYS, MEMORIES[2]),
    (db.GaussianPosterior(0.5, 0.2), naive_explore.gaussian_index(0.5, 0.2, 1.0), MEMORIES[1]),
    pytest.param(db.TunedUCB(bound=2.0), naive_explore.tuned_index(2.0), GROWING, marks=SLOW),
    (db.Minimax(200), naive_explore.moss_index(200, 1.0), MEMORIES[0]),
    (db.AnytimeMinimax(), naive_explore.anytime_moss_index(1.35, 1.0), MEMORIES[0]),
]
"""Each compiled once; that all go with all follows from the identities and `check_policy`."""


def numbers_of(policy: db.Policy, rounds: int, seed: int) -> list[list[list[float]]]:
    """The random numbers of every round and arm, as the engine draws them."""
    stream = random.streams(seed, random.POLICY, 0, 1)[:, 0].copy()
    drawn = [noise(policy, ARMS, stream) for _ in range(rounds)]
    return [[row[arm::ARMS] for arm in range(ARMS)] for row in drawn]


@pytest.mark.parametrize(
    ("rule", "index", "memory"), CELLS, ids=lambda part: str(part[0] if type(part) is tuple else "")
)
@given(table=TABLES, seed=st.integers(0, 1000))
@settings(max_examples=15)
def test_the_arm_played_has_the_largest_naive_index(
    rule: db.Explore,
    index: naive_explore.Index,
    memory: tuple[db.Forget, Callable[[int], float], Callable[[int], float]],
    table: Table,
    seed: int,
) -> None:
    forget, factor, span = memory
    policy = db.Policy(forget=forget, explore=rule)
    arms = compiled_arms(policy, table, seed=seed)
    assert arms == live_arms(policy, table, seed=seed)
    rewards = [row[arm] for row, arm in zip(table, arms, strict=True)]
    drawn = numbers_of(policy, len(table), seed)
    first = 0 if rule.prior else min(ARMS, len(table))
    assert arms[:first] == list(range(first))
    for t in range(first, len(table)):
        indices = naive_explore.indices(
            arms[:t], rewards[:t], drawn[t], factor, span, index, rule.prior, forget.ageing
        )
        top, played = max(indices), indices[arms[t]]
        assert played == top or played >= top - 1e-9, (t, indices, arms[t])


@pytest.mark.parametrize(
    ("rule", "rate"),
    [(db.Greedy(0.3), lambda t: 0.3), (db.DecayingGreedy(1.5), lambda t: min(1.0, 4.5 / t))],
    ids=["steady", "decaying"],
)
@given(table=TABLES, seed=st.integers(0, 1000))
@settings(max_examples=15)
def test_greedy_play_with_a_coin(
    rule: db.Explore, rate: Callable[[int], float], table: Table, seed: int
) -> None:
    policy = db.Policy(explore=rule)
    drawn, seen = numbers_of(policy, len(table), seed), [[] for _ in range(ARMS)]  # type: ignore[var-annotated]  # filled below
    expected = []
    for t, row in enumerate(table):
        coins = [numbers[0] for numbers in drawn[t]]
        means = [math.fsum(x) / len(x) if x else math.inf for x in seen]
        arm = t if t < ARMS else naive_explore.epsilon_greedy(means, coins, rate(t))
        seen[arm].append(row[arm])
        expected.append(arm)
    assert live_arms(policy, table, seed=seed) == compiled_arms(policy, table, seed=seed)
    if not any(tied(values) for values in means_of(expected, table)):
        assert compiled_arms(policy, table, seed=seed) == expected


def means_of(arms: list[int], table: Table) -> list[list[float]]:
    """The means of all arms before every round after the first ones."""
    rows = []
    for t in range(ARMS, len(arms)):
        seen = [
            [row[k] for row, arm in zip(table[:t], arms, strict=False) if arm == k]
            for k in range(ARMS)
        ]
        rows.append([math.fsum(x) / len(x) for x in seen])
    return rows


def tied(values: list[float]) -> bool:
    """Whether the two largest are too close for rounding."""
    second, first = sorted(values)[-2:]
    return first - second < 1e-12


@dataclasses.dataclass(frozen=True)
class DenseKLUCB(db.Explore):
    """KL-UCB without tangents: all indices are computed in every round."""

    c: float = 0.0
    bound: float = 1.0
    index: ClassVar[Callable[..., float]] = staticmethod(db.KLUCB.index)


@pytest.mark.parametrize(
    ("arms", "forget", "detect"),
    [
        (3, db.Discount(0.98), db.Never()),
        (3, db.Discount(0.5), db.Never()),
        (10, db.Full(), db.Never()),
        (10, db.Full(), db.CUSUM(5, 0.1, 3.0)),
        pytest.param(50, db.Discount(0.99), db.Never(), marks=SLOW),
        pytest.param(10, db.Full(), db.CUSUM(5, 0.1, 3.0, clock="rounds"), marks=SLOW),
        pytest.param(3, db.Full(), db.GLR(1e-3), marks=SLOW),
        pytest.param(10, db.Window(60), db.Never(), marks=SLOW),
        pytest.param(50, db.Full(), db.Never(), marks=SLOW),
        pytest.param(200, db.Discount(0.999), db.Never(), marks=SLOW),
        pytest.param(50, db.Full(), db.GLR(1e-3, scope="arm"), marks=SLOW),
    ],
    ids=str,
)
def test_tangents_leave_out_no_arm_that_would_be_played(
    arms: int, forget: db.Forget, detect: db.Detect
) -> None:
    means = np.random.default_rng(arms).random((3, arms)).round(1)  # with ties
    world = db.environments.Piecewise([700, 1400], means)
    fast, dense = (
        db.trace(
            db.Policy(forget=forget, detect=detect, explore=rule), world, horizon=2_000, runs=140
        )
        for rule in (db.KLUCB(), DenseKLUCB())
    )
    assert np.array_equal(fast, dense)


@dataclasses.dataclass(frozen=True)
class Streak(db.Detect):
    """Start over after `length` rewards below one half in a row."""

    length: float = 4.0
    state = db.State("low")

    @staticmethod
    def alarm(state: Any, reward: float, count: float, length: float) -> bool:
        state.low = state.low + 1.0 if reward < 0.5 else 0.0
        return bool(state.low >= length)


@dataclasses.dataclass(frozen=True)
class Drafted(db.Explore):
    """An index with a draft that gives up on every third number."""

    noise = 1

    @staticmethod
    def index(mean: float, count: float, clock: float, noise: float) -> float:
        return mean + noise * math.log(clock) / count

    @staticmethod
    def draft(mean: float, count: float, clock: float, noise: float) -> float:
        return mean + noise * math.log(clock) / count if noise < 2.0 / 3.0 else math.nan


@dataclasses.dataclass(frozen=True)
class Undrafted(db.Explore):
    """The same index alone."""

    noise = 1
    index: ClassVar[Callable[..., float]] = staticmethod(Drafted.index)


@pytest.mark.parametrize(
    "detect", [db.Never(), pytest.param(Streak(), marks=SLOW)], ids=["one clock", "clocks"]
)
def test_a_draft_changes_nothing(detect: db.Detect) -> None:
    drafted, alone = (
        compiled_arms(db.Policy(detect=detect, explore=rule), uneven(300))
        for rule in (Drafted(), Undrafted())
    )
    assert drafted == alone
    assert drafted == live_arms(db.Policy(detect=detect, explore=Drafted()), uneven(300))
    assert len(set(drafted)) == ARMS


@pytest.mark.parametrize(
    "policy",
    [
        db.Policy(forget=db.Window(50), detect=Streak(), explore=db.KLUCB()),
        pytest.param(
            db.Policy(
                forget=db.GrowingWindow(0.5, 3.0), detect=Streak(), explore=db.BetaPosterior()
            ),
            marks=SLOW,
        ),
    ],
    ids=lambda policy: policy.label,
)
def test_exploration_goes_with_restarts(policy: db.Policy) -> None:
    db.checks.check_live_is_compiled(policy)


def uneven(rounds: int) -> Table:
    """Rewards of three arms that change places half-way."""
    rewards = np.random.default_rng(8).random((rounds, ARMS)) ** np.array([0.5, 1.0, 3.0])
    rewards[rounds // 2 :] = rewards[rounds // 2 :, ::-1].copy()
    return [[float(x) for x in row] for row in rewards]


@pytest.mark.parametrize(
    "rule",
    [db.KLUCB(), db.BetaPosterior(), db.GaussianPosterior(), db.TunedUCB(), db.Greedy()],
    ids=str,
)
def test_no_forgetting_is_full_history(rule: db.Explore) -> None:
    table = uneven(250)
    plain = live_arms(db.Policy(explore=rule), table)
    for forget in (db.Discount(1.0), db.Window(250), db.GrowingWindow(1.0, 1.0)):
        assert live_arms(db.Policy(forget=forget, explore=rule), table) == plain


def test_a_growing_window_of_constant_size_differs_by_the_clock_alone() -> None:
    table = uneven(300)
    fixed, grown = (
        live_arms(db.Policy(forget=forget, explore=db.UCB()), table)
        for forget in (db.Window(40), db.GrowingWindow(0.0, 40.0))
    )
    assert fixed[:41] == grown[:41]
    assert fixed != grown


@pytest.mark.parametrize(
    "make",
    [
        lambda bound: db.StationaryKLUCB(bound=bound),
        lambda bound: db.Thompson(bound=bound),
        lambda bound: db.GaussianThompson(bound=bound),
        lambda bound: db.UCBTuned(bound=bound),
        lambda bound: db.MOSS(400, bound=bound),
        lambda bound: db.AnytimeMOSS(bound=bound),
        lambda bound: db.EpsilonGreedy(bound=bound),
    ],
    ids=["KL-UCB", "Thompson", "Gaussian", "UCB-tuned", "MOSS", "MOSS-anytime", "ε-greedy"],
)
def test_scaling_rewards_and_bound_together_changes_nothing(
    make: Callable[[float], db.Policy],
) -> None:
    table = uneven(250)
    scaled = [[4.0 * x for x in row] for row in table]
    assert live_arms(make(1.0), table) == live_arms(make(4.0), scaled)
