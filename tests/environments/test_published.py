"""The published problems are those that were published."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from driftbandit import environments as env
from driftbandit.environments import PROBLEMS, published


def means_of(name: str) -> np.ndarray:
    world = PROBLEMS[name]()
    assert world.horizon is not None
    return world.mean_rewards(1, world.horizon)


def uniform_regret(name: str) -> float:
    """Return the regret of uniform play, exactly."""
    means = means_of(name)
    return float((means.max(axis=1) - means.mean(axis=1)).sum())


@pytest.mark.parametrize(
    ("name", "regret"),
    [("besson-1", 1500.0), ("besson-2", 1366.67), ("besson-4", 1479.17), ("jmlr-2", 5466.67)],
)
def test_uniform_play_loses_what_is_published(name: str, regret: float) -> None:
    """The values for 5,000 rounds; four times as much for the JMLR paper's 20,000."""
    assert uniform_regret(name) == pytest.approx(regret, abs=0.005)


@pytest.mark.parametrize(
    ("name", "arms", "breakpoints", "changes_of_an_arm", "changes_of_the_best"),
    [
        ("besson-1", 3, 4, 4, 1),
        ("besson-2", 3, 4, 12, 1),
        ("besson-3", 6, 8, 19, 4),
        ("besson-4", 3, 4, 12, 3),
        ("besson-config-3", 3, 3, 9, 3),
        ("jmlr-1", 3, 4, 4, 1),
        ("jmlr-2", 3, 4, 12, 1),
        ("jmlr-3", 5, 5, 12, 2),
        ("jmlr-4", 5, 5, 11, 1),
        ("f-dsw-1", 4, 2, 2, 2),
        ("f-dsw-2", 4, 2, 2, 2),
        ("f-dsw-3", 4, 0, 0, 0),
    ],
)
def test_changes_are_as_many_as_published(
    name: str, arms: int, breakpoints: int, changes_of_an_arm: int, changes_of_the_best: int
) -> None:
    means = means_of(name)
    moved, best = means[1:] != means[:-1], means.argmax(axis=1)
    assert means.shape[1] == arms
    assert moved.any(axis=1).sum() == breakpoints
    assert moved.sum() == changes_of_an_arm
    assert (best[1:] != best[:-1]).sum() == changes_of_the_best


def test_new_means_hold_after_as_many_rounds_as_published() -> None:
    assert PROBLEMS["besson-1"]().find_breakpoints() == [1001, 2001, 3001, 4001]
    assert PROBLEMS["jmlr-1"]().find_breakpoints() == [4001, 8001, 12001, 16001]
    # The files count rounds from 0 and give the first of a new stretch: one less than here.
    for name, starts in (
        ("jmlr-3", [6946, 9399, 10886, 13632, 16253]),
        ("jmlr-4", [7387, 8402, 11865, 15715, 18182]),
        ("f-dsw-1", [251, 501]),
        ("f-dsw-2", [251, 501]),
    ):
        assert [b - 1 for b in PROBLEMS[name]().find_breakpoints()] == starts


def test_the_sinusoid_is_the_published_formula() -> None:
    K, sigma, t = 5, 1e-4, 7_000
    w = 1 + (K - 1) * (1 + np.sin(sigma * t)) / 2
    expected = [(K - 1) / K - abs(w - i) / K for i in range(1, K + 1)]
    row = published.sinusoid_slow().mean_rewards(t, t)[0]
    np.testing.assert_allclose(row, expected, rtol=1e-13)
    fast = published.sinusoid_fast()
    assert fast.mean_rewards(1, 10_000).min() >= 0.0
    assert set(fast.best_arm().tolist()) == {0, 1, 2, 3, 4}


def test_random_problems_are_those_of_the_jmlr_paper() -> None:
    assert published.jmlr_random() == env.RandomPiecewise(
        arms=5, changes=6, jump=(0.05, 0.3), probability=0.5, spacing=1_000, horizon=20_000
    )


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_problem_stands_alone(name: str) -> None:
    maker = PROBLEMS[name]
    world = maker()
    assert (world.bound, world.law) == (1.0, env.laws.Bernoulli())
    assert world.horizon in (1_000, 5_000, 10_000, 20_000)
    assert env.CATALOGUE[name] is maker
    if "horizon" in inspect.signature(maker).parameters:
        assert maker(horizon=200).horizon == 200
