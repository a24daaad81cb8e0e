"""The changes of the best arm, against the best arm of every round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.engine import best_arm, best_arm_changes, changes

WORLDS = [
    db.environments.two_swaps(1_000),
    db.environments.periodic(horizon=1_000),
    db.environments.Brownian(arms=3, sigma=0.05),
    db.environments.Radio(),
    db.environments.Stationary((0.5, 0.5)),
]


@pytest.mark.parametrize("size", [2**18, 30])
@pytest.mark.parametrize("world", WORLDS, ids=lambda world: type(world).__name__)
def test_changes_are_those_of_the_best_arm(
    world: db.environments.World, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(best_arm, "NUMBERS", size)
    for seed, run in ((0, 0), (3, 5)):
        best = world.best_arm(1_000, seed, run)
        assert best_arm_changes(world, 1_000, seed, run) == np.count_nonzero(np.diff(best))


def test_a_horizon_beyond_the_world_is_refused() -> None:
    with pytest.raises(
        db.InputError, match="horizon must be at most 1000, the world's last round, got 1001"
    ):
        best_arm_changes(db.environments.two_swaps(1_000), 1_001)


def test_a_random_world_counts_by_the_mean_over_its_first_runs() -> None:
    world = db.environments.RandomSwitching(3, rate=0.01)
    counts = [np.count_nonzero(np.diff(world.best_arm(300, 0, run))) for run in range(16)]
    assert len(set(counts)) > 1
    assert changes(world, 300) == round(float(np.mean(counts)))
    fixed = db.environments.two_swaps(300)
    assert changes(fixed, 300) == 2
    assert changes([fixed, world], 300) == round((2 + float(np.mean(counts))) / 2)


def test_rounds_without_a_change_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    ask = db.environments.Piecewise.mean_rewards

    def counted(self: Any, first: int, last: int) -> Any:
        nonlocal asked
        asked += last + 1 - first
        return ask(self, first, last)

    monkeypatch.setattr(db.environments.Piecewise, "mean_rewards", counted)
    assert best_arm_changes(db.environments.two_swaps(10**7), 10**7) == 2
    assert asked < 10**6


@pytest.mark.parametrize("world", [5, None, [5], db.linear.abrupt()])
def test_changes_are_counted_in_worlds_only(world: Any) -> None:
    for count in (changes, best_arm_changes):
        with pytest.raises(db.InputError, match="world must be a world"):
            count(world, horizon=10)


def test_the_run_is_a_whole_number() -> None:
    with pytest.raises(db.InputError, match="run must be a whole number of at least 0, got -1"):
        best_arm_changes(WORLDS[0], 10, run=-1)


def test_there_is_a_world_to_count_in() -> None:
    with pytest.raises(db.InputError, match="worlds must hold at least one world"):
        changes([], horizon=10)
