"""`simulate` in linear worlds: results, luck, threads, errors."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

import driftbandit as db
from driftbandit.core import random
from driftbandit.engine import features
from driftbandit.engine.executors import packed
from driftbandit.engine.job import make_job
from driftbandit.environments.laws import Bernoulli
from driftbandit.linear import (
    Actions,
    Ball,
    Confidence,
    ConstantRadius,
    Cube,
    Fixed,
    GaussianNoise,
    LinearPolicy,
    LinearWorld,
    PiecewiseLinear,
    Rotating,
    Sphere,
)
from linear_rounds import rounds_of

WORLD = Rotating(rounds=200, horizon=300, actions=Ball(4), law=GaussianNoise(0.5))
POLICIES = [db.LinUCB(), db.DiscountedLinUCB(0.95), db.SlidingWindowLinUCB(40)]

MINE = LinearPolicy(
    db.GrowingWindow(0.6), db.PeriodicRestart(60), ConstantRadius(0.3), ridge=2.0, label="mine"
)


@dataclass(frozen=True)
class Moody(Confidence):
    """A radius that depends on more than it is handed."""

    calls: ClassVar[list[int]] = []

    @staticmethod
    def radius(squares: float, span: float, dimension: float, ridge: float) -> float:
        Moody.calls.append(1)
        return float(len(Moody.calls) % 7)


def test_a_result_has_all_that_other_results_have(tmp_path: Path) -> None:
    result = db.simulate([*POLICIES, db.Uniform(), db.Oracle()], WORLD, runs=30, checkpoints=10)
    assert result.labels == ["LinUCB", "D-LinUCB", "SW-LinUCB", "uniform", "oracle"]
    assert result.horizon == 300
    for outcome in result.values():
        assert outcome.regret.shape == (30, 10)
        assert np.all(np.diff(outcome.regret, axis=1) >= 0.0)
        assert np.all(outcome.plays.sum(axis=1) == 300)
        assert np.allclose(outcome.play_share[-1], outcome.plays.mean(axis=0) / 300)
    assert not result["oracle"].final_regret.any()
    assert not result["oracle"].suboptimal_plays.any()
    assert result["uniform"].final_regret.mean() > 2.0 * result["D-LinUCB"].final_regret.mean()
    result.plot(tmp_path / "regret.png")
    assert len(result.save(tmp_path / "all")) == 5
    document = json.loads((tmp_path / "all" / "result.json").read_text(encoding="utf-8"))
    assert LinearWorld.from_json(json.dumps(document["world"])) == WORLD
    assert LinearPolicy.from_json(json.dumps(document["policies"][1])) == POLICIES[1]


def test_regret_is_what_the_rows_played_cost() -> None:
    rows = db.trace(POLICIES[1], WORLD, runs=3, seed=5)
    regret = db.simulate(POLICIES[1], WORLD, runs=3, seed=5)["D-LinUCB"].final_regret
    for run in range(3):
        means = rounds_of(WORLD, 300, 5, run).means
        lost = means.max(axis=1) - means[np.arange(300), rows[:, run]]
        assert np.isclose(lost.sum(), regret[run])


def test_the_same_bits_on_threads_executors_and_after_a_stop(tmp_path: Path) -> None:
    one = db.simulate(POLICIES, WORLD, runs=40, workers=1, seed=2)
    two = db.simulate(POLICIES, WORLD, runs=40, workers=2, seed=2)
    with ThreadPoolExecutor(2) as pool:
        three = db.simulate(POLICIES, WORLD, runs=40, executor=pool, seed=2)
    four = db.simulate(POLICIES, WORLD, runs=40, seed=2, checkpoint=tmp_path / "kept")
    five = db.simulate(POLICIES, WORLD, runs=40, seed=2, checkpoint=tmp_path / "kept")
    for label in one:
        for other in (two, three, four, five):
            assert np.array_equal(one[label].regret, other[label].regret)
            assert np.array_equal(one[label].plays, other[label].plays)


def test_runs_do_not_depend_on_the_company() -> None:
    alone = db.simulate(POLICIES[1], WORLD, runs=5, seed=9)
    many = db.simulate(POLICIES, WORLD, runs=70, seed=9)
    assert np.array_equal(alone["D-LinUCB"].regret, many["D-LinUCB"].regret[:5])


def test_where_chunks_end_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [db.trace(policy, WORLD, runs=3) for policy in [*POLICIES, MINE, db.Uniform()]]
    monkeypatch.setattr(features, "CHUNK_NUMBERS", 500)
    traces = [db.trace(policy, WORLD, runs=3) for policy in [*POLICIES, MINE, db.Uniform()]]
    assert np.array_equal(traces, expected)


def test_progress_counts_all_rounds() -> None:
    reports: list[tuple[int, int]] = []
    db.simulate(POLICIES, WORLD, runs=9, workers=1, progress=lambda *now: reports.append(now))
    assert reports[-1] == (3 * 9 * 300, 3 * 9 * 300)


@pytest.mark.parametrize("policy", [*POLICIES, MINE], ids=lambda policy: policy.label)
def test_linear_policies_pass_the_checks_of_all_policies(policy: LinearPolicy) -> None:
    db.checks.check_policy(policy)


def test_a_radius_that_is_another_each_time_is_found_out() -> None:
    with pytest.raises(AssertionError, match=r"round \d+: live plays"):
        db.checks.check_linear_live_is_compiled(LinearPolicy(confidence=Moody(), label="moody"))


def test_linear_policies_and_worlds_from_a_shell(command: Any) -> None:
    answer = command(
        "simulate", "linear-slow(number=4)", "--horizon", "60", "--runs", "2", "--json"
    )
    content = json.loads(answer.out)
    assert [policy["label"] for policy in content["policies"]] == [
        "LinUCB",
        "D-LinUCB",
        "SW-LinUCB",
    ]
    assert content["world"]["actions"]["number"] == 4
    listed = {row["name"]: row for row in json.loads(command("policies", "--json").out)["policies"]}
    assert listed["d-lin-ucb"]["cell"]["confidence"] == "Ellipsoid"
    assert listed["sw-lin-ucb"]["tuned"].startswith("horizon, variation, dimension")
    worlds = json.loads(command("environments", "--json").out)["linear_worlds"]
    assert [row["name"] for row in worlds] == ["linear-abrupt", "linear-slow"]
    mixed = command("simulate", "two-swaps", "--policy", "lin-ucb")
    assert (mixed.code, mixed.out) == (2, "")
    assert "LinUCB needs features: simulate it in a world of driftbandit.linear" in mixed.err


def test_a_job_travels_as_kilobytes() -> None:
    assert len(packed(make_job(POLICIES, WORLD, None, 1_000, 0, 200))) < 8192


@pytest.mark.parametrize("actions", [Ball(4), Sphere(4), Cube(4), Fixed([[0.5, 0.1], [1, 0]])])
def test_actions_are_drawn_as_the_plain_functions_say(actions: Actions) -> None:
    world = Rotating(actions=actions)
    rounds = rounds_of(world, 50, seed=3, run=2)
    stream, luck = (random.streams(3, way, 2, 1)[:, 0] for way in (random.WORLD, random.REWARDS))
    drawn = np.array(actions.rows).T if isinstance(actions, Fixed) else np.empty((2, 4))
    with np.errstate(over="ignore"):  # the streams' words wrap around on purpose
        for t in range(50):
            if actions.drawn:
                actions.fill(drawn, stream)
            assert np.allclose(rounds.actions[t], drawn.T, rtol=1e-14)
            assert np.allclose(rounds.means[t], drawn.T @ world.theta(t + 1, t + 1)[0])
            assert rounds.luck[t] == random.uniform(luck)
    norms = np.sqrt(np.square(rounds.actions).sum(axis=2))
    assert norms.max() <= world.length * (1.0 + 1e-12)


def test_a_world_with_clicks() -> None:
    world = PiecewiseLinear((100,), ((0.7, 0.1), (0.1, 0.7)), actions=Cube(4), law=Bernoulli())
    policy = db.DiscountedLinUCB(0.97, noise=0.5, length=1.5)
    result = db.simulate([policy, db.Uniform()], world, horizon=300, runs=40)
    difference = result["uniform"].final_regret - result["D-LinUCB"].final_regret
    assert difference.mean() > 10.0


@dataclass(frozen=True)
class Far(Actions):
    """Actions of a user's own, longer than they say."""

    @staticmethod
    def fill(actions: NDArray[np.float64], rng: NDArray[np.uint64]) -> None:
        actions[:] = np.nan


class Short(LinearWorld):
    dimension = 2

    def theta(self, first: int, last: int) -> NDArray[np.float64]:
        return np.zeros((1, 2))


@pytest.mark.parametrize(
    ("policy", "world", "message"),
    [
        (db.UCB1(), WORLD, "UCB-1 plays arms without features: give a linear policy"),
        (
            db.LinUCB(),
            db.environments.two_swaps(),
            "LinUCB needs features: simulate it in a world of ",
        ),
        (db.LinUCB(length=0.5), WORLD, "length of LinUCB must be at least the actions' 1, got 0.5"),
        (db.LinUCB(), WORLD.replace(law=Bernoulli()), r"means of Rotating must lie in \[0, 1\]"),
        (db.LinUCB(), WORLD.replace(actions=Far(2)), "means of Rotating must be finite, got nan"),
        (db.LinUCB(), Short(), r"theta of Short must have the shape \(\d+, 2\) for rounds 1 to"),
        (
            db.UCB1(),
            db.environments.Stationary((0.1, 0.2), law=GaussianNoise(1.0)),
            r"law of Stationary must pay rewards in \[0, 1\], got GaussianNoise",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    policy: db.Strategy, world: LinearWorld, message: str
) -> None:
    with pytest.raises(db.InputError, match=message) as error:
        db.simulate(policy, world, horizon=200, runs=2)
    assert "\n" not in str(error.value)


def test_a_ridge_that_rounding_eats_is_told() -> None:
    world = Rotating(actions=Fixed([[1.0, 1.0], [0.5, 0.5]]), law=GaussianNoise(0.5))
    policy = LinearPolicy(confidence=ConstantRadius(1.0), ridge=1e-18, label="thin")
    with pytest.raises(db.InputError, match="ridge of thin must be larger: 1e-18 is lost to"):
        db.simulate(policy, world, horizon=50, runs=2)
    agent = policy.agent(dimension=2)
    agent.learn([1.0, 1.0], 0.5)
    with pytest.raises(db.InputError, match="ridge of thin must be larger: 1e-18 is lost to"):
        agent.choose([[1.0, 1.0]])


@pytest.mark.slow
@pytest.mark.parametrize("world", [db.linear.abrupt(), db.linear.slow()], ids=["abrupt", "slow"])
def test_forgetting_pays_in_the_published_worlds(world: LinearWorld) -> None:
    known: dict[str, Any] = {"horizon": 6_000, "variation": world.variation(), "dimension": 2}
    policies = [
        db.LinUCB(),
        db.DiscountedLinUCB.tuned(**known),
        db.SlidingWindowLinUCB.tuned(**known),
    ]
    result = db.simulate(policies, world, runs=100)
    never, discount, window = (outcome.final_regret for outcome in result.values())
    for other in (discount, window):
        gain = never - other
        assert gain.mean() > 10.0 * gain.std() / np.sqrt(100)
        assert other.mean() < 0.5 * never.mean()
