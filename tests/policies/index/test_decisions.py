"""The compiled engine and the live agent take the decisions of the naive transcription."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive
import naive_weights
from common import compiled_arms, live_arms, noise
from driftbandit.core import random

SLOW = pytest.mark.slow  # others like them are tested by the quick ones, and these compile
Table = list[list[float]]
EXACT = st.sampled_from([0.0, 0.25, 0.5, 1.0])
ANY = st.floats(0.0, 1.0, allow_subnormal=False)


def tables(
    rewards: st.SearchStrategy[float], arms: tuple[int, ...] = (3, 9)
) -> st.SearchStrategy[Table]:
    """Tables of 1 to 60 rounds: of 3 arms, for which code is made, and of 9, too many for that."""
    return st.sampled_from(arms).flatmap(
        lambda arms: st.lists(
            st.lists(rewards, min_size=arms, max_size=arms), min_size=1, max_size=60
        )
    )


def ends_right(arms: list[int], table: Table, index: Callable[..., list[float]]) -> None:
    """Every arm played has the largest naive index, up to rounding, given what came before."""
    K = len(table[0])
    assert arms[:K] == list(range(min(K, len(table))))
    rewards = [row[arm] for row, arm in zip(table, arms, strict=True)]
    for t in range(K, len(table)):
        indices = index(arms[:t], rewards[:t], K)
        top, played = max(indices), indices[arms[t]]
        assert played == top or played >= top - 1e-9 * max(1.0, abs(top)), (t, indices, arms[t])


@given(tables(EXACT), st.sampled_from([0.0, 0.5, 2.0]))
def test_ucb1_is_naive_to_the_last_tie(table: Table, xi: float) -> None:
    policy = db.UCB1(xi=xi)
    expected = naive.play(lambda a, x, K: naive.ucb1(a, x, K, xi, 1.0), table)
    assert compiled_arms(policy, table) == expected
    assert live_arms(policy, table) == expected


@given(tables(EXACT), st.integers(1, 70), st.sampled_from([0.0, 0.5, 2.0]))
def test_sliding_window_is_naive_to_the_last_tie(table: Table, window: int, xi: float) -> None:
    policy = db.SlidingWindowUCB(window, xi=xi)
    expected = naive.play(lambda a, x, K: naive.sliding_window_ucb(a, x, K, window, xi, 1.0), table)
    assert compiled_arms(policy, table) == expected
    assert live_arms(policy, table) == expected


@given(
    tables(ANY),
    st.one_of(st.floats(0.01, 1.0), st.sampled_from([1e-30, 0.5, 1.0])),
    st.sampled_from([0.5, 1.0]),
    st.sampled_from([0.0, 1.0, 2.0]),
)
def test_discounted_ucb(table: Table, discount: float, xi: float, padding: float) -> None:
    policy = db.DiscountedUCB(discount, xi=xi, padding=padding)

    def index(arms: list[int], rewards: list[float], K: int) -> list[float]:
        return naive.discounted_ucb(arms, rewards, K, discount, xi, 1.0, padding)

    if padding > 0.0 and discount >= 0.01:
        ends_right(compiled_arms(policy, table), table, index)
        ends_right(live_arms(policy, table), table, index)
    assert compiled_arms(policy, table) == live_arms(policy, table)


@given(tables(ANY), st.integers(1, 70), st.floats(0.5, 3.0))
def test_sliding_window_of_any_rewards(table: Table, window: int, bound: float) -> None:
    policy = db.SlidingWindowUCB(window, bound=bound)
    scaled = [[bound * x for x in row] for row in table]

    def index(arms: list[int], rewards: list[float], K: int) -> list[float]:
        return naive.sliding_window_ucb(arms, rewards, K, window, 0.5, bound)

    ends_right(compiled_arms(policy, scaled, bound), scaled, index)
    ends_right(live_arms(policy, scaled), scaled, index)


@given(tables(ANY, arms=(3,)), st.floats(0.0, 0.95))
def test_doubling_trick(table: Table, growth: float) -> None:
    for policy, reference in (
        (db.DiscountedUCB.tuned(growth=growth), naive.discounted_ucb_doubling),
        (db.SlidingWindowUCB.tuned(growth=growth), naive.sliding_window_doubling),
    ):

        def index(arms: list[int], rewards: list[float], K: int) -> list[float]:
            return reference(arms, rewards, K, growth, 0.5, 1.0)  # noqa: B023  # used at once

        ends_right(compiled_arms(policy, table), table, index)
        ends_right(live_arms(policy, table), table, index)


def constant(value: float, t: int) -> float:
    return value


@given(tables(ANY, arms=(3,)), st.floats(0.5, 1.0), st.integers(1, 40))
def test_any_forgetting_with_variance(table: Table, discount: float, window: int) -> None:
    for forget, factor, span in (
        (db.Full(), 1.0, math.inf),
        (db.Discount(discount), discount, math.inf),
        (db.Window(window), 1.0, window),
    ):
        policy = db.Policy(forget=forget, explore=db.UCBVariance())

        index = functools.partial(
            naive.index_policy,
            factor=functools.partial(constant, factor),
            span=functools.partial(constant, span),
            index=naive.ucb_v_index(1.2, 1.0, 1.0),
        )
        ends_right(compiled_arms(policy, table), table, index)
        ends_right(live_arms(policy, table), table, index)


@pytest.mark.parametrize(
    ("policy", "reference"),
    [
        (db.EXP3S(0.2, 0.01), lambda a, x, K: naive_weights.exp3s(a, x, K, 0.2, 0.01, 1.0)),
        (db.EXP3S(1.0, 1.0), lambda a, x, K: naive_weights.exp3s(a, x, K, 1.0, 1.0, 1.0)),
        (db.EXP3(0.3), lambda a, x, K: naive_weights.exp3(a, x, K, 0.3, 1.0)),
        (
            db.EXP3P(0.3, confidence=2.0, horizon=50),
            lambda a, x, K: naive_weights.exp3p(a, x, K, 0.3, 2.0, 50, 1.0),
        ),
    ],
    ids=["EXP3.S", "EXP3.S at its edge", "EXP3", "EXP3.P"],
)
@given(table=tables(ANY), seed=st.integers(0, 1000))
@settings(max_examples=50)
def test_exponential_weights(
    policy: db.Strategy, reference: naive.Policy, table: Table, seed: int
) -> None:
    stream = random.streams(seed, random.POLICY, 0, 1)[:, 0].copy()
    levels = [noise(policy, len(table[0]), stream)[0] for _ in table]
    expected = naive.play_drawn(reference, table, levels)
    assert compiled_arms(policy, table, seed=seed) == expected
    assert live_arms(policy, table, seed=seed) == expected


@given(tables(ANY), st.integers(0, 1000))
@settings(max_examples=50)
def test_softmax_compiled_is_live(table: Table, seed: int) -> None:
    policy = db.Softmax(0.2)
    arms = compiled_arms(policy, table, seed=seed)
    assert arms[: len(table[0])] == list(range(min(len(table), len(table[0]))))
    assert arms == live_arms(policy, table, seed=seed)


@pytest.mark.parametrize(
    "policy",
    [
        db.SlidingWindowUCB(7),
        db.EXP3S(0.2, 0.01),
        *(pytest.param(each, marks=SLOW) for each in (db.DiscountedUCB(0.9), db.Softmax(0.2))),
    ],
    ids=lambda policy: policy.label,
)
def test_one_arm_is_played(policy: db.Strategy) -> None:
    table = [[0.25 * (t % 5)] for t in range(40)]
    assert compiled_arms(policy, table) == live_arms(policy, table) == [0] * 40
