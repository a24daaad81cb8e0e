"""Middling jobs are played by lean loops, and play the same."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

import driftbandit as db
from driftbandit.engine import loop, small
from driftbandit.engine.job import make_job
from driftbandit.environments import laws
from driftbandit.policies import Strategy
from fingerprint.policies import PRESETS
from same_bits import assert_same_bits

WORLD = db.environments.Piecewise(
    [200], [[0.3, 0.5, 0.4], [0.6, 0.2, 0.4]], horizon=400, law=laws.Exact()
)
MIDDLING, LARGE = 400, 1_200
"""Runs of a job that is more than a small one, and of one that is more than `middling` takes."""


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Begin as a process with an empty cache does."""

    def begin() -> None:
        monkeypatch.setenv(small.VARIABLE, str(small.PLAYS))
        monkeypatch.setattr(small.Loop, "_is_on_disk", lambda self: False)
        loop._loop.cache_clear()

    return begin


@pytest.fixture
def loops(monkeypatch: pytest.MonkeyPatch, empty: Callable[[], None]) -> list[small.Loop]:
    """Note the loops that would play, one per block."""
    empty()
    played: list[small.Loop] = []
    monkeypatch.setattr("driftbandit.engine.job.MIDDLING", 2 * MIDDLING * 400 * 3)
    monkeypatch.setattr("driftbandit.engine.player.MANY", 4 * MIDDLING * 400 * 3)
    monkeypatch.setattr(small.Loop, "play_compiled", lambda self, *arguments: played.append(self))
    return played


def both(policy: Strategy) -> tuple[small.Loop, small.Loop]:
    """Return the lean loop of a policy, and the quickest."""
    ((stage,),) = make_job(policy, WORLD, None, 8, 0, 1).stages
    return stage.lean.loop, stage.quickest.loop


@pytest.mark.parametrize("name", ["ucb-1", "kl-ucb", "exp3.s", "uniform"])
def test_a_middling_job_is_played_lean(name: str, loops: list[small.Loop]) -> None:
    lean, quickest = both(PRESETS[name])
    assert lean is not quickest
    db.simulate(PRESETS[name], WORLD, runs=MIDDLING)
    assert set(loops) == {lean}


def test_a_large_job_is_played_by_the_quickest_loop(loops: list[small.Loop]) -> None:
    db.simulate(db.UCB1(), WORLD, runs=LARGE)
    assert set(loops) == {both(db.UCB1())[1]}


@dataclasses.dataclass(frozen=True)
class Level(db.Explore):
    """Adds one over the count."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + 1.0 / count


def test_a_policy_with_a_users_rule_is_played_by_the_quickest_loop(loops: list[small.Loop]) -> None:
    policy = db.Policy(explore=Level())
    db.simulate(policy, WORLD, runs=MIDDLING)
    assert set(loops) == {both(policy)[1]}


def test_a_quickest_loop_that_is_there_plays(
    loops: list[small.Loop], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small.Loop, "_is_on_disk", lambda self: True)
    db.simulate(db.UCB1(), WORLD, runs=MIDDLING)
    assert set(loops) == {both(db.UCB1())[1]}


def test_after_many_plays_the_quickest_loop_plays(loops: list[small.Loop]) -> None:
    for _ in range(6):
        db.simulate(db.UCB1(), WORLD, runs=MIDDLING)
    lean, quickest = both(db.UCB1())
    assert loops == [lean] * loops.count(lean) + [quickest] * loops.count(quickest)
    assert loops.count(lean) >= 4 * loops.count(quickest) // 2 > 0


def test_all_is_compiled_for_speed_where_nothing_is_small(
    loops: list[small.Loop], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(small.VARIABLE, "0")
    db.simulate(db.UCB1(), WORLD, runs=MIDDLING)
    assert set(loops) == {both(db.UCB1())[1]}


def test_one_lean_loop_plays_any_number_of_arms(loops: list[small.Loop]) -> None:
    for arms in (2, 5, 8, 9):
        world = db.environments.Stationary(np.linspace(0.1, 0.9, arms))
        db.simulate(db.UCB1(), world, horizon=400, runs=100)
    assert len(set(loops)) == 1


@pytest.mark.parametrize("name", ["ucb-1", "kl-ucb"])
def test_machine_code_of_both_forms_plays_the_same(name: str, empty: Callable[[], None]) -> None:
    quickest = db.simulate(PRESETS[name], WORLD, runs=MIDDLING)
    empty()
    assert_same_bits(quickest, db.simulate(PRESETS[name], WORLD, runs=MIDDLING))


@pytest.mark.parametrize("arms", [10, 200])
@pytest.mark.parametrize("name", ["ucb-1", "sw-ucb", "exp3.s", "glr-ucb", "kl-ucb"])
def test_plain_python_plays_many_arms(
    name: str, arms: int, empty: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    empty()
    monkeypatch.setenv(small.VARIABLE, str(10**6))
    monkeypatch.setattr(small.Loop, "play_compiled", None)
    world = db.environments.Stationary(np.linspace(0.1, 0.9, arms), law=laws.Exact())
    played = db.trace(PRESETS[name], world, horizon=2 * arms, runs=1)
    assert set(played.ravel()) <= set(range(arms))
    assert len(set(played.ravel())) > 2
