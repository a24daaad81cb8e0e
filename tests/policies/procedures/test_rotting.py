"""RAW-UCB and FEWA: naive, live and compiled decisions are the same, and decay is their case."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import driftbandit as db
import naive
import naive_rotting as slow
from common import compiled_arms, live_arms
from driftbandit.policies.procedures.rotting import MOST, window_sizes

Table = list[list[float]]
EXACT = st.sampled_from([0.0, 0.25, 0.5, 1.0])


def tables(rounds: int) -> st.SearchStrategy[Table]:
    """Tables of 1 to so many rounds of three arms."""
    return st.lists(st.lists(EXACT, min_size=3, max_size=3), min_size=1, max_size=rounds)


def test_the_naive_version_by_hand() -> None:
    samples = [1.0, 0.0, 0.5, 0.25, 0.75]
    assert slow.all_windows(samples) == {1: 0.75, 2: 0.5, 3: 0.5, 4: 0.375, 5: 0.5}
    # blocks of one: the last; of two: samples 3 and 4; of four: the first four
    assert slow.few_windows(2.0)(samples) == {1: 0.75, 2: 0.375, 4: 0.4375}
    assert list(slow.few_windows(1.5)([0.0] * 9)) == [1, 2, 3, 4, 6, 8]
    # without padding, the worst window counts
    assert slow.raw_ucb([0, 1, 0], [1.0, 0.5, 0.0], 2, 0.0, 0.5, slow.all_windows) == [0.0, 0.5]
    # arm 0 has twice the plays; all is kept, so that arm 1 with one play is next
    assert slow.fewa([0, 1, 0], [1.0, 1.0, 1.0], 2, 1.0, 0.5, slow.all_windows) == 1
    # without padding, a window of one play leaves arm 0 alone
    assert slow.fewa([0, 1, 0], [0.0, 0.5, 1.0], 2, 0.0, 0.5, slow.all_windows) == 0


def test_windows_are_whole_where_a_power_of_the_ratio_is() -> None:
    """√2 to an even power is a little more than a whole number, and to an odd one never near it."""
    assert window_sizes(math.sqrt(2.0))[:8] == [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0]
    assert window_sizes(math.cbrt(2.0))[-1] == 2.0**40


@given(
    tables(80),
    st.sampled_from([0.0, 0.1, 1.4]),
    st.sampled_from([0.5, 1.0]),
    st.sampled_from([1.05, 1.3, 2.0]),
)
@settings(max_examples=60)
def test_decisions_are_naive(table: Table, alpha: float, sigma: float, ratio: float) -> None:
    view = slow.few_windows(ratio)
    index = functools.partial(slow.raw_ucb, alpha=alpha, sigma=sigma, view=view)
    raw, fewa = db.RAWUCB(alpha, sigma, ratio), db.FEWA(alpha, sigma, ratio)
    arms = compiled_arms(raw, table)
    assert live_arms(raw, table) == arms
    rewards = [row[arm] for row, arm in zip(table, arms, strict=True)]
    for t, arm in enumerate(arms):
        indices = index(arms[:t], rewards[:t], 3) if t else [np.inf] * 3
        assert arm == naive.argmax(indices) or indices[arm] >= max(indices) - 1e-12
    expected = slow.play_fewa(table, alpha, sigma, view)
    assert compiled_arms(fewa, table) == expected
    assert live_arms(fewa, table) == expected


@pytest.mark.slow  # the exact policy is quadratic
def test_one_window_of_each_size_loses_little() -> None:
    """Against the exact policy, which looks at all windows, on a short rotting world."""
    world = db.environments.rotting(400)
    efficient = db.simulate(db.RAWUCB(), world, runs=300)["RAW-UCB"].final_regret
    rng, exact = np.random.default_rng(5), []
    means = world.mean_rewards(1, 400)
    index = functools.partial(slow.raw_ucb, alpha=1.4, sigma=0.5, view=slow.all_windows)
    for _ in range(30):
        table = (rng.random((400, 1)) < means).astype(float).tolist()
        exact.append(naive.regret(means.tolist(), naive.play(index, table)))
    error = np.hypot(np.std(efficient) / 300**0.5, np.std(exact) / 30**0.5)
    assert efficient.mean() < 1.3 * np.mean(exact) + 2 * error


@pytest.mark.slow  # three kernels
def test_they_follow_a_decay() -> None:
    policies = [db.RAWUCB(), db.FEWA(), db.UCB1()]
    decay = db.simulate(policies, db.environments.rotting(), runs=200)
    for label in ("RAW-UCB", "FEWA"):
        assert decay[label].final_regret.mean() < 0.5 * decay["UCB-1"].final_regret.mean()


def test_the_state_does_not_grow_with_the_horizon() -> None:
    assert db.RAWUCB().room(3) == 3 * 41
    assert db.RAWUCB(ratio=1.05).room(10) == 10 * MOST < 6_000


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ratio": 1.0}, "ratio must lie in [1.05, 2], got 1.0"),
        ({"alpha": -1.0}, "alpha must lie in [0, inf), got -1.0"),
        ({"sigma": 0.0}, "sigma must lie in (0, inf), got 0.0"),
    ],
)
def test_bad_parameters(parameters: dict[str, float], message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        db.RAWUCB(**parameters)  # type: ignore[arg-type]  # numbers by name
    assert str(caught.value) == message
