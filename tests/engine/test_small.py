"""Small jobs are played by plain Python, and play the same."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

import driftbandit as db
from driftbandit.engine import first_use, loop, small
from driftbandit.environments import World, laws
from fingerprint.linear_worlds import LINEAR
from fingerprint.policies import PRESETS
from same_bits import assert_same_bits

LONGER_THAN_WINDOWS = 160
"""Rounds after which plays have left the windows of all presets."""

EXPLORING = [db.KLUCB(), db.GaussianPosterior(), db.BetaPosterior(), db.TunedUCB()]

MEANS = [[0.3, 0.5, 0.4], [0.6, 0.2, 0.4]]


def world(law: laws.Law | None = None, bound: float = 1.0) -> World:
    means = (bound * np.array(MEANS)).tolist()
    return db.environments.Piecewise([31], means, law=law or laws.Bernoulli(), bound=bound)


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Begin as a process with an empty cache does."""

    def begin() -> None:
        monkeypatch.setenv(small.VARIABLE, str(small.PLAYS))
        monkeypatch.setattr(small.Loop, "_is_on_disk", lambda self: False)
        loop._loop.cache_clear()

    return begin


def test_nothing_is_compiled_for_a_small_job(uncompiled: Callable[[], None]) -> None:
    compiled = db.simulate(db.UCB1(), world(), horizon=60, runs=20, seed=3)
    uncompiled()
    with first_use.counted() as count:
        as_it_is = db.simulate(db.UCB1(), world(), horizon=60, runs=20, seed=3)
    assert count.number == 0
    assert_same_bits(compiled, as_it_is)


@pytest.mark.parametrize("name", [*PRESETS, *LINEAR])
def test_policies_play_the_same_arms_either_way(name: str, uncompiled: Callable[[], None]) -> None:
    linear = db.environments.linear.abrupt(number=5)
    moving = db.environments.Brownian(3, sigma=0.05, law=laws.Exact())
    policy, place = (PRESETS[name], moving) if name in PRESETS else (LINEAR[name], linear)
    compiled = db.trace(policy, place, horizon=LONGER_THAN_WINDOWS, runs=3)
    uncompiled()
    as_it_is = db.trace(policy, place, horizon=LONGER_THAN_WINDOWS, runs=3)
    assert np.array_equal(compiled, as_it_is)


@pytest.mark.parametrize("explore", [db.KLUCB(), db.explore.GaussianThompson()])
def test_an_arm_without_plays_divides_by_none(
    explore: db.Explore, uncompiled: Callable[[], None]
) -> None:
    restarting = db.Policy(detect=db.detect.PeriodicRestart(7), explore=explore)
    shuffled = restarting.replace(force=db.force.RandomForce(0.2))  # arms in another order
    compiled = db.simulate(shuffled, world(), horizon=60, runs=20)
    uncompiled()
    as_it_is = db.simulate(shuffled, world(), horizon=60, runs=20)
    assert_same_bits(compiled, as_it_is)


@pytest.mark.parametrize("bound", [1.0, 3.0])
@pytest.mark.parametrize(
    "law",
    [
        laws.Bernoulli(),
        laws.Exact(),
        laws.Uniform(0.1),
        laws.Beta(5.0),
        laws.ClippedGaussian(0.3),
    ],
)
def test_laws_pay_the_same_rewards_either_way(
    law: laws.Law, bound: float, uncompiled: Callable[[], None]
) -> None:
    policies = [db.UCB1(bound=bound), db.SlidingWindowUCB(20, bound=bound)]
    places = (world(law, bound), db.environments.Brownian(3, law=law, bound=bound))
    compiled = [db.simulate(policies, place, horizon=60, runs=10) for place in places]
    uncompiled()
    for result, place in zip(compiled, places, strict=True):
        assert_same_bits(result, db.simulate(policies, place, horizon=60, runs=10))


def test_a_loop_that_played_a_jobs_worth_is_compiled(
    uncompiled: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    uncompiled()
    plays, ways = 500 * 8 * 3, []
    for _ in range(small.PLAYS // plays + 2):
        with monkeypatch.context() as patch:
            patch.setattr(small.Loop, "play_compiled", lambda self, *arguments: ways.append("fast"))
            patch.setattr(small.Loop, "play_as_it_is", lambda self, *arguments: ways.append("slow"))
            db.simulate(db.UCB1(), world(), horizon=500, runs=8)
    assert ways == ["slow"] * (small.PLAYS // plays + 1) + ["fast"]


@dataclasses.dataclass(frozen=True)
class Bold(db.Explore):
    """Divides by zero once in a while."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + 1.0 / (count - 1.0)


@pytest.mark.parametrize("own", [False, True])
def test_only_functions_of_the_package_are_left_to_plain_python(
    own: bool, uncompiled: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    uncompiled()
    ways: list[str] = []
    monkeypatch.setattr(
        small.Loop, "play_compiled", lambda self, *arguments: ways.append("compiled")
    )
    monkeypatch.setattr(
        small.Loop, "play_as_it_is", lambda self, *arguments: ways.append("as it is")
    )
    policy = db.UCB1() if own else db.Policy(explore=Bold())
    db.simulate(policy, world(), horizon=50, runs=8)
    assert ways == ["as it is" if own else "compiled"]


@pytest.mark.parametrize("explore", EXPLORING, ids=repr)
def test_a_restart_leaves_nothing_to_divide_by(
    explore: db.Explore, uncompiled: Callable[[], None]
) -> None:
    policy = db.Policy(explore=explore, detect=db.PeriodicRestart(7), label="restarting")
    each = db.Policy(explore=explore, detect=db.GLR(0.5, every=1, scope="arm"), label="each")
    still = db.environments.two_swaps(60)
    compiled = [db.trace(one, still, runs=2) for one in (policy, each)]
    uncompiled()
    as_it_is = [db.trace(one, still, runs=2) for one in (policy, each)]
    assert np.array_equal(compiled, as_it_is)
