"""Exponential weights: decisions of the naive transcription, and identities."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive
import naive_weights
from common import compiled_arms, live_arms, noise
from driftbandit.core import random

Table = list[list[float]]
REWARD = st.floats(0.0, 1.0, allow_subnormal=False)
TABLES = st.lists(st.lists(REWARD, min_size=3, max_size=3), min_size=1, max_size=60)
POLICIES: list[tuple[db.Strategy, naive.Policy]] = [
    (db.EXP3IX(0.4, 0.2), lambda a, x, K: naive_weights.exp3_six(a, x, K, 0.4, 0.2, 0.0, 1.0)),
    (db.EXP3IX(0.5, 0.1), lambda a, x, K: naive_weights.exp3_six(a, x, K, 0.5, 0.1, 0.0, 1.0)),
    (
        db.EXP3SIX(0.4, 0.2, 0.03),
        lambda a, x, K: naive_weights.exp3_six(a, x, K, 0.4, 0.2, 0.03, 1.0),
    ),
    (
        db.EXP3SIX(1.0, 0.5, 0.999),
        lambda a, x, K: naive_weights.exp3_six(a, x, K, 1.0, 0.5, 0.999, 1.0),
    ),
    (db.AnytimeEXP3IX(), lambda a, x, K: naive_weights.exp3_ix_anytime(a, x, K, 1.0)),
    (db.EXP3PP(), lambda a, x, K: naive_weights.exp3_pp(a, x, K, 3.0, 256.0, 1.0)),
    (db.EXP3PP(0.01, 0.05), lambda a, x, K: naive_weights.exp3_pp(a, x, K, 0.01, 0.05, 1.0)),
    (db.REXP3(1.0, batch=1), lambda a, x, K: naive_weights.rexp3(a, x, K, 1.0, 1, 1.0)),
    (db.REXP3(0.3, batch=7), lambda a, x, K: naive_weights.rexp3(a, x, K, 0.3, 7, 1.0)),
]

NAMES = [repr(policy) for policy, _ in POLICIES]


def luck(policy: db.Strategy, table: Table, seed: int) -> list[float]:
    """The uniform numbers of the engine, one per round."""
    stream = random.streams(seed, random.POLICY, 0, 1)[:, 0].copy()
    return [noise(policy, len(table[0]), stream)[0] for _ in table]


def agree(policy: db.Strategy, reference: naive.Policy, table: Table, seed: int) -> None:
    expected = naive.play_drawn(reference, table, luck(policy, table, seed))
    assert compiled_arms(policy, table, seed=seed) == expected
    assert live_arms(policy, table, seed=seed) == expected


@pytest.mark.parametrize(("policy", "reference"), POLICIES, ids=NAMES)
@given(table=TABLES, seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_naive_is_live_is_compiled(
    policy: db.Strategy, reference: naive.Policy, table: Table, seed: int
) -> None:
    agree(policy, reference, table, seed)


# every other one: two of a kind share their machine code
@pytest.mark.parametrize(("policy", "reference"), POLICIES[2::2], ids=NAMES[2::2])
def test_many_arms(policy: db.Strategy, reference: naive.Policy) -> None:
    """More than the compiler unrolls; and enough rounds for weights to be rescaled."""
    table = np.random.default_rng(3).random((150, 11)).tolist()
    agree(policy, reference, table, 5)


@pytest.mark.parametrize(("policy", "reference"), POLICIES, ids=NAMES)
def test_one_arm(policy: db.Strategy, reference: naive.Policy) -> None:
    """With log K = 0 no rate may be divided by."""
    assert live_arms(policy, [[0.3]] * 20) == [0] * 20
    assert reference([0] * 20, [0.3] * 20, 1) == [1.0]
    if policy == db.EXP3PP():
        assert compiled_arms(policy, [[0.3]] * 20) == [0] * 20


@pytest.mark.parametrize(
    "policy", [db.EXP3R(0.6, 20, 0.9), db.EXP3R(0.3, 8, 0.99), db.EXP3R(1.0, 12, 0.8)], ids=repr
)
@given(table=TABLES, seed=st.integers(0, 1000))
@settings(max_examples=30)
def test_exp3_r_is_naive(policy: db.EXP3R, table: Table, seed: int) -> None:
    agree_watched(policy, table, seed)


def agree_watched(policy: db.EXP3R, table: Table, seed: int) -> int:
    expected, alarms = naive_weights.play_exp3_r(
        table, luck(policy, table, seed), policy.exploration, policy.interval, policy.delta
    )
    assert compiled_arms(policy, table, seed=seed) == expected
    assert live_arms(policy, table, seed=seed) == expected
    return alarms


def test_exp3_r_starts_over_where_it_should() -> None:
    table = np.random.default_rng(4).random((900, 3)) ** np.array([0.2, 1.0, 5.0])
    alarms = [
        agree_watched(db.EXP3R(0.5, 150, 0.05), rows.tolist(), seed=6)
        for rows in (table, np.concatenate([table, table[:, ::-1]]))
    ]
    assert alarms == [0, 1]
    many = np.concatenate([np.random.default_rng(5).random((300, 11))] * 2) ** np.arange(1, 12)
    assert agree_watched(db.EXP3R(0.9, 60, 0.99), many[:, ::-1].tolist(), seed=7) > 0


def test_floors_matter_where_gaps_are_clear() -> None:
    """The decisions above would be the same without ξ, if it never were the least."""
    table = np.random.default_rng(3).random((200, 3)) ** np.array([1.0, 5.0, 0.2])
    policy, other = db.EXP3PP(0.01, 0.05), db.EXP3PP(0.01, 1e9)
    agree(
        policy, lambda a, x, K: naive_weights.exp3_pp(a, x, K, 0.01, 0.05, 1.0), table.tolist(), 1
    )
    assert compiled_arms(policy, table.tolist()) != compiled_arms(other, table.tolist())


WORLD = db.environments.two_swaps(1_500)


def arms(policy: db.Strategy) -> list[list[int]]:
    return db.trace(policy, WORLD, horizon=1_500, runs=16, seed=3).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (db.EXP3SIX(0.1, 0.05, 0.0), db.EXP3IX(0.1, 0.05)),
        (db.REXP3(0.1, batch=1_500), db.EXP3(0.1)),
        (db.REXP3(1.0, batch=20), db.Uniform()),
        (db.REXP3(0.4, batch=1), db.Uniform()),
        (db.EXP3R(1.0, 40, 0.9), db.Uniform()),
        (db.EXP3SIX(1e-12, 5e-13, 0.5), db.Uniform()),
    ],
    ids=lambda policy: policy.label,
)
def test_equal_policies(one: db.Strategy, two: db.Strategy) -> None:
    assert arms(one) == arms(two)


def test_exp3_ix_with_little_implicit_exploration_is_plain_exponential_weights() -> None:
    table = np.random.default_rng(1).random((300, 3)).tolist()
    policy, rate = db.EXP3IX(0.01, 5e-5), 0.01

    def plain(a: list[int], x: list[float], K: int) -> list[float]:
        return naive_weights.exponential_weights(a, x, K, rate, 1.0)

    agree(policy, plain, table, seed=2)


def test_a_batch_is_exp3_from_the_start() -> None:
    """What Rexp3 does in its third batch does not depend on the first two."""
    policy, table = db.REXP3(0.2, batch=50), np.random.default_rng(2).random((150, 3)).tolist()
    other = [[1.0 - x for x in row] for row in table[:100]] + table[100:]
    assert compiled_arms(policy, table)[100:] == compiled_arms(policy, other)[100:]
    assert compiled_arms(policy, table)[:100] != compiled_arms(policy, other)[:100]


@pytest.mark.parametrize(
    "policy",
    [db.EXP3SIX(0.4, 0.2, 0.03), db.EXP3PP(0.01, 0.05), db.EXP3R(0.6, 20, 0.9), db.REXP3(0.3, 7)],
    ids=lambda policy: policy.label,
)
def test_scaling_rewards_and_bound_together_changes_nothing(policy: db.Weights) -> None:
    table = np.random.default_rng(8).random((300, 3))
    scaled, large = (4.0 * table).tolist(), policy.replace(bound=4.0)
    expected = compiled_arms(policy, table.tolist())
    assert compiled_arms(large, scaled, bound=4.0) == expected
    assert live_arms(large, scaled) == expected


@dataclasses.dataclass(frozen=True)
class Falling(db.Weights):
    """A schedule with uniform play instead of floors."""

    exploration: float = 0.2

    def numbers(self) -> tuple[float, ...]:
        return (self.exploration,)

    @staticmethod
    def schedule(t: float, arms: float, exploration: float) -> float:
        return exploration / math.sqrt(t)

    @staticmethod
    def exponent(
        gain: float, probability: float, arms: float, rate: float, exploration: float
    ) -> float:
        return gain / arms + rate


@dataclasses.dataclass(frozen=True)
class Restless(db.Weights):
    """All that goes with weights that are multiplied up."""

    fresh = True
    exploration: float = 0.3
    sharing: float = 0.05
    batch: int = 41

    def numbers(self) -> tuple[float, ...]:
        return (self.exploration,)

    def steepest(self, arms: int) -> float:
        return 1.0

    def watch(self, arms: int) -> tuple[float, float]:
        return 2.0, 0.1

    exponent = staticmethod(db.EXP3S.exponent)


def test_own_rules_may_say_all_this() -> None:
    for rule in (Falling(label="falling"), Restless(label="restless")):
        db.checks.check_plays(rule)
        db.checks.check_live_is_compiled(rule)


@dataclasses.dataclass(frozen=True)
class Muddled(Falling):
    """A schedule and batches."""

    batch: int = 7


@dataclasses.dataclass(frozen=True)
class Blind(Restless):
    """Watched, with nothing to see."""

    exploration: float = 0.0


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Muddled(label="muddled"), "muddled must have no share, batch or watch beside a schedule"),
        (Blind(label="blind"), "blind must explore and have lone = True to be watched, got Blind"),
    ],
)
def test_what_does_not_go_together_is_refused(rule: db.Weights, message: str) -> None:
    for ask in (lambda: rule.agent(2), lambda: db.trace(rule, WORLD, horizon=5)):
        with pytest.raises(db.InputError, match=message):
            ask()
