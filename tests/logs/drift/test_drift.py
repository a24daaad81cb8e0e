"""Drift of logs whose truth is known: changes where they are, and none where nothing moves."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs.drift.moves import moves_of
from logs.drift.coverage import PACES, row_of
from logs.simulated import ARMS, DAY, SPAN, drawn

Floats = np.ndarray[Any, np.dtype[np.float64]]


def log_of(means: Floats, rng: np.random.Generator, draw: str = "coin") -> db.Log:
    """Return a log of rows at even times, with these means per row and arm."""
    rows, arms = means.shape
    time = SPAN * (np.arange(rows) + 0.5) / rows
    arm = rng.integers(arms, size=rows)
    mean = means[np.arange(rows), arm]
    reward = (rng.random(rows) < mean) * 1.0 if draw == "coin" else rng.beta(5 * mean, 5 - 5 * mean)
    frame = pl.DataFrame({"time": time, "arm": arm, "reward": reward})
    return db.Log.read(frame.with_columns(propensity=pl.lit(1.0 / arms)))


def test_a_jump_is_found_with_its_time_and_its_size() -> None:
    drift = drawn("jump", 6_000, 0).log.drift()
    assert [arm.verdict for arm in drift.arms] == ["drift", "drift", "still"]
    for label, size in (("a", 0.4), ("b", -0.4)):
        (change,) = drift[label].changes
        assert change.earliest <= 0.6 * SPAN <= change.latest
        assert change.latest - change.earliest < 2 * DAY
        assert change.low <= size <= change.high
        assert change.after - change.before == pytest.approx(change.size)
        (alarm,) = drift[label].alarms
        assert 0.6 * SPAN < alarm < 0.7 * SPAN
        assert drift[label].distance == pytest.approx(abs(change.size))
        assert 0.1 < drift[label].certain_distance <= 0.4
    assert drift.pace.breakpoints == 1
    assert [arm for _, arm in drift.switches.best] == ["b", "a"]
    assert 0.0 < drift.pace.least_per_day < drift.pace.per_day == pytest.approx(1 / 56, abs=1e-4)


def test_the_memory_that_follows_is_the_papers() -> None:
    pace = drawn("jump", 6_000, 0).log.drift().pace
    seconds = SPAN / 6_000
    window = db.SlidingWindowUCB.tuned(density=1 / 6_000).forget
    gamma = db.DiscountedUCB.tuned(density=1 / 6_000).forget
    assert isinstance(window, db.forget.Window)
    assert isinstance(gamma, db.forget.Discount)
    assert pace.window is not None
    assert pace.half_life is not None
    assert pace.window.numbers()[0] == pytest.approx(window.window * seconds, rel=1e-3)
    assert 2.0 ** (-seconds / pace.half_life.numbers()[0]) == pytest.approx(
        gamma.discount, abs=1e-6
    )


def test_a_still_log_is_still_and_needs_no_memory() -> None:
    drift = drawn("still", 6_000, 0).log.drift()
    assert [arm.verdict for arm in drift.arms] == ["still"] * 3
    assert (drift.changes, drift.pace.breakpoints, drift.pace.half_life) == ([], 0, None)
    assert drift.switches.estimate == drift.switches.certain == 0
    assert drift["c"].distance == drift["c"].certain_distance == 0.0
    assert "would be found four times out of five" in repr(drift)


def test_a_season_is_no_drift() -> None:
    drift = drawn("season", 6_000, 0).log.drift()
    assert [arm.verdict for arm in drift.arms] == ["season", "season", "still"]
    day, week = drift["a"].seasons
    assert (day.period, day.swing, day.profile) == ("day", 0.0, [])
    assert week.swing == pytest.approx(0.25, abs=0.05)
    assert (week.share, drift["a"].drift_share) == (1.0, 0.0)
    assert drift.switches.estimate == pytest.approx(16, abs=2)  # a and b take turns every 3.5 days
    monday = week.profile[0] + drift["a"].rate  # of 5 January 1970, four days after a peak
    assert monday == pytest.approx(0.5 + 0.25 * math.cos(2 * math.pi * 4 / 7), abs=0.06)


def test_bands_prove_switches_of_an_arm_that_is_best_by_far() -> None:
    rng = np.random.default_rng(0)
    late = np.arange(6_000)[:, None] >= 3_000
    drift = log_of(np.where(late, [0.9, 0.1], [0.1, 0.9]), rng).drift()
    assert (drift.switches.certain, drift.switches.estimate) == (1, 1)
    for arm in drift.arms:
        assert all(window.low <= window.rate <= window.high for window in arm.windows)


def test_rewards_that_are_no_coins_are_measured_by_their_own_spread() -> None:
    rng = np.random.default_rng(1)
    late = np.arange(4_000)[:, None] >= 2_000
    means = np.where(late, [0.5, 0.44], [0.5, 0.5])
    quiet = log_of(means, rng, "beta").drift()
    (change,) = quiet[1].changes
    assert change.earliest <= 0.5 * SPAN <= change.latest
    assert quiet[0].verdict == "still"
    assert quiet[0].smallest < 0.6 * log_of(means, rng).drift()[0].smallest


def test_a_bound_scales_everything() -> None:
    sample = drawn("jump", 3_000, 0).frame
    one = db.Log.read(sample).drift()
    ten = db.Log.read(sample.with_columns(pl.col("reward") * 10.0), bound=10.0).drift()
    for before, after in zip(one.changes, ten.changes, strict=True):
        assert after.size == pytest.approx(10.0 * before.size)
        assert (after.at, after.earliest, after.latest) == (
            before.at, before.earliest, before.latest,
        )  # fmt: skip
    assert ten["a"].windows[0].high == pytest.approx(10.0 * one["a"].windows[0].high)


def test_a_small_log_cannot_tell_and_says_why() -> None:
    drift = drawn("still", 60, 0).log.drift()
    assert {arm.verdict for arm in drift.arms} == {"cannot tell"}
    assert "Cannot tell of a, b, c: rows are too few" in repr(drift)
    assert "A season of a day or a week cannot be seen in 55.1 d" in repr(drift)
    assert all(math.isnan(season.p_value) for arm in drift.arms for season in arm.seasons)


def test_one_row_and_one_arm_cannot_tell() -> None:
    frame = pl.DataFrame({"time": [0.0], "arm": ["a"], "reward": [1.0]})
    drift = db.Log.read(frame).drift()
    assert (drift["a"].verdict, drift["a"].rows) == ("cannot tell", 1)
    json.dumps(drift.to_dict(), allow_nan=False)
    assert "cannot tell" in repr(drift)


@pytest.mark.parametrize("reward", [0.0, 1.0, 0.5])
def test_rewards_that_are_all_alike_are_no_drift(reward: float) -> None:
    frame = pl.DataFrame(
        {"time": range(300), "arm": ["a", "b", "c"] * 100, "reward": [reward] * 300}
    )
    drift = db.Log.read(frame).drift()
    assert drift.changes == []
    json.dumps(drift.to_dict(), allow_nan=False)


def test_a_log_of_one_moment_has_no_pace() -> None:
    frame = pl.DataFrame({"time": [0.0] * 300, "arm": ["a", "b"] * 150, "reward": [1, 0, 0] * 100})
    drift = db.Log.read(frame).drift()
    assert math.isnan(drift.pace.least_per_day)
    assert json.loads(json.dumps(drift.to_dict(), allow_nan=False))["pace"]["least_per_day"] is None


def test_no_such_arm_and_no_such_level() -> None:
    log = drawn("still", 100, 0).log
    with pytest.raises(KeyError, match="purple"):
        log.drift()["purple"]
    with pytest.raises(db.InputError, match=r"level must lie in \(0, 1\), got 1"):
        log.drift(level=1)


def test_an_answer_is_plain_data_and_says_how_far_it_is() -> None:
    sample, seen = drawn("season", 3_000, 0), []
    drift = sample.log.drift(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (6, 6)
    content = json.loads(json.dumps(drift.to_dict()))
    assert [arm["arm"] for arm in content["arms"]] == list(ARMS)
    assert content["arms"][0]["seasons"][1]["period"] == "week"
    assert len(content["arms"][0]["windows"]) == len(drift["a"].windows)
    assert content["pace"]["window"] is None


def test_rows_set_aside_are_told() -> None:
    frame = drawn("still", 200, 0).frame.with_row_index()
    frame = frame.with_columns(reward=pl.when(pl.col("index") == 7).then(None).otherwise("reward"))
    assert "1 of 200 rows are bad" in repr(db.Log.read(frame, bad="set aside").drift())


def still_log(name: str, seed: int) -> db.Log:
    """Return a log in which nothing moves: of coins, of rare coins, of quiet rewards, ten arms."""
    rng = np.random.default_rng([seed, 7])
    levels, rows, draw = {
        "coins": ([0.3, 0.5, 0.4], 1_500, "coin"),
        "rare": ([0.01, 0.02, 0.015], 6_000, "coin"),
        "quiet": ([0.3, 0.5, 0.4], 1_500, "beta"),
        "ten": ([0.1] * 10, 3_000, "coin"),
    }[name]
    return log_of(np.tile(levels, (rows, 1)), rng, draw)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coins", "rare", "quiet", "ten"])
def test_still_logs_show_changes_and_seasons_as_rarely_as_stated(name: str) -> None:
    """At most 5 % of 200 each, give or take three standard errors."""
    changes = seasons = 0
    for seed in range(200):
        evidence = still_log(name, seed)._evidence
        moves = [moves_of(evidence, arm, 0.05) for arm in range(evidence.arms)]
        changes += any(each is not None and len(each.borders) > 0 for each in moves)
        seasons += any(each is not None and bool(each.periods) for each in moves)
    most = 200 * 0.05 + 3 * math.sqrt(200 * 0.05 * 0.95)
    assert changes <= most
    assert seasons <= most


@pytest.mark.slow
def test_intervals_of_times_and_sizes_cover() -> None:
    """Of 200 logs with two changes each, at least 92 %: 95 %, and two standard errors less."""
    times, sizes, found = 0, 0, 0
    for seed in range(200):
        drift = drawn("jump", 3_000, seed).log.drift()
        for label, size in (("a", 0.4), ("b", -0.4)):
            if len(drift[label].changes) != 1:
                continue
            (change,) = drift[label].changes
            found += 1
            times += change.earliest <= 0.6 * SPAN <= change.latest
            sizes += change.low <= size <= change.high
    assert found >= 380
    assert times / found >= 0.92
    assert sizes / found >= 0.92


@pytest.mark.slow
@pytest.mark.parametrize("name", ["still", "jump", "drift", *PACES])
def test_least_distances_and_rates_hold(name: str) -> None:
    """In at least 95 % of 200 logs, less three standard errors."""
    row = row_of(name, 200)
    least = 0.95 - 3.0 * math.sqrt(0.95 * 0.05 / 200)
    assert row.distance_holds >= least
    if name != "jump":  # one change that always comes is no rate
        assert row.rate_holds >= least
