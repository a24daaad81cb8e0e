"""The world that a log shows: near the truth, checked, and playable."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs import LoggedWorld
from logs.simulated import DAY, SPAN, WORLDS, drawn


@pytest.mark.parametrize("name", WORLDS)
def test_the_bands_hold_the_means(name: str) -> None:
    sample = drawn(name, 6_000, 0)
    world = sample.log.world()
    windows = len(world.starts)
    place = np.arange(6_000) * windows // 6_000
    truth = np.array([sample.means[place == window].mean(axis=0) for window in range(windows)])
    held = (world.low <= truth) & (truth <= world.high)
    assert held.mean() >= 0.85
    assert np.abs(world.means - truth).mean() < 0.07
    check = world.check()
    assert check["fits"] == 1.0
    assert check["fitted"] == pytest.approx(check["earned"], abs=0.01)


@pytest.mark.parametrize(("name", "most"), [("jump", 0.02), ("season", 0.03)])
def test_jumps_and_seasons_are_not_smoothed(name: str, most: float) -> None:
    """Mean errors, three days around a jump left out."""
    errors = []
    for seed in range(4):
        sample = drawn(name, 6_000, seed)
        world = sample.log.world()
        time = (np.arange(len(world.starts)) + 0.5) / len(world.starts) * SPAN
        apart = WORLDS[name](time)[:, :2] - world.means[:, :2]
        far = (name != "jump") | (np.abs(time - 0.6 * SPAN) > 3 * DAY)
        errors.append(float(np.abs(apart[far]).mean()))
    assert float(np.mean(errors)) < most


def test_a_daily_season_of_a_long_log_has_windows_enough() -> None:
    """400 windows in 100 days are four a day, which is too few for the shape of a day."""
    rng, rows = np.random.default_rng(0), 40_000
    time = 100 * DAY * (np.arange(rows) + 0.5) / rows
    mean = 0.4 + 0.2 * np.cos(2.0 * np.pi * time / DAY)
    frame = pl.DataFrame({
        "time": time, "arm": rng.choice(["a", "b"], rows), "reward": (rng.random(rows) < mean) * 1.0
    })  # fmt: skip
    world = db.Log.read(frame.with_columns(propensity=pl.lit(0.5))).world()
    windows = len(world.starts)
    assert windows >= 800
    middle = 100 * DAY * (np.arange(windows) + 0.5) / windows
    truth = 0.4 + 0.2 * np.cos(2.0 * np.pi * middle / DAY)
    assert np.abs(world.means[:, 0] - truth).mean() < 0.03


def test_a_world_that_does_not_fit_is_told() -> None:
    world = drawn("still", 3_000, 0).log.world()
    lower = type(world)(
        world.labels, world.starts, 0.5 * world.draws, world.tally, world.size, world.seconds, 1.0
    )
    assert "do not trust this world" in repr(lower)
    assert not world.remarks()
    assert json.loads(json.dumps(world.to_dict()))["arms"] == ["a", "b", "c"]


def test_the_environment_has_the_means_and_the_time_of_the_log() -> None:
    sample = drawn("drift", 3_000, 0)
    world = sample.log.world()
    environment = world.environment
    assert (environment.horizon, environment.arms) == (3_000, 3)
    assert environment.seconds_per_round == pytest.approx(SPAN / 3_000, rel=0.01)
    means = environment.mean_rewards(1, 3_000)
    np.testing.assert_allclose(means[[0, -1]], world.means[[0, -1]])
    again = LoggedWorld.from_json(environment.to_json())
    assert again == environment
    assert again.seconds_per_round == environment.seconds_per_round


def test_a_world_needs_rounds_that_take_time() -> None:
    with pytest.raises(db.InputError, match=r"seconds must lie in \(0, inf\), got 0"):
        LoggedWorld([], [[0.5, 0.5]], horizon=10, seconds=0)


def test_values_in_the_world_are_near_the_truth_and_say_of_what() -> None:
    sample = drawn("drift", 3_000, 0)
    values = sample.log.value([{"a": 1.0}, db.UCB1()], method=["dr", "world"])
    rows = {(row.policy, row.method): row for row in values}
    fixed, learned = rows["always a", "world"], rows["UCB-1", "world"]
    assert fixed.low <= sample.means[:, 0].mean() <= fixed.high
    assert fixed.of == "the log's period"
    assert learned.of == "the log's period, learning at full traffic"
    assert rows["UCB-1", "dr"].of == "the log's period, learning at the replay's traffic"
    live = db.simulate(
        db.UCB1(), db.environments.Table(sample.means), horizon=3_000, runs=100, seed=0
    )
    truth = sample.means.max(axis=1).mean() - live["UCB-1"].final_regret.mean() / 3_000
    assert learned.value == pytest.approx(truth, abs=0.05)
    assert 0.0 < learned.high - learned.low < 0.1
