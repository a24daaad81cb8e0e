"""A season stands out where there is one, and not where the log drifts or clumps."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs.drift.column import Column
from driftbandit.logs.drift.seasons import (
    PERIODS,
    _apart,
    _basis,
    _gain,
    _slow,
    fit,
    p_value,
    visible,
    waves,
)
from driftbandit.logs.rows import Floats
from naive_drift import fitted_line_gain

DAY, WEEK = PERIODS["day"], PERIODS["week"]
SPAN = 56 * DAY


def column(mean: Floats, rng: np.random.Generator, plays: int = 20) -> Column:
    blocks = len(mean)
    time = SPAN * (np.arange(blocks) + 0.5) / blocks
    counts: Floats = np.asarray(rng.poisson(plays, blocks) + 1, dtype=np.float64)
    sums = rng.binomial(counts.astype(int), mean).astype(float)
    return Column(np.arange(blocks), time, counts, sums, sums)


def times(blocks: int) -> Floats:
    return SPAN * (np.arange(blocks) + 0.5) / blocks


def test_a_gain_is_that_of_least_squares() -> None:
    rng = np.random.default_rng(0)
    data = column(np.full(200, 0.3), rng)
    variance, lines = 0.21, waves(data.time, np.array([1.0, 2.0]) / WEEK)
    weight = np.sqrt(data.counts / variance)[:, None]
    slow = _slow(data.time, SPAN, 8)
    basis = _basis(slow * weight)
    y = data.sums / data.counts
    fast = _gain(_apart(weight[:, 0] * y, basis), _apart(lines * weight, basis))
    slow_gain = fitted_line_gain(y, variance / data.counts, lines, slow)
    assert fast == pytest.approx(slow_gain, rel=1e-6)


STILL_WORLDS: dict[str, Callable[[Floats], Floats]] = {
    "still": lambda t: np.full(len(t), 0.3),
    "jumps": lambda t: np.where((t // (9.3 * DAY)) % 2 == 0, 0.2, 0.6),
    "drift": lambda t: 0.2 + 0.5 * t / SPAN,
    "slow waves": lambda t: 0.4 + 0.2 * np.sin(2 * np.pi * t / (17 * DAY)),
}


@pytest.mark.parametrize("name", STILL_WORLDS)
@pytest.mark.parametrize("period", ["day", "week"])
def test_p_values_without_a_season_are_not_small_too_often(name: str, period: str) -> None:
    rng, small = np.random.default_rng([len(name), len(period)]), 0
    mean = STILL_WORLDS[name](times(448))
    for _ in range(200):
        p = p_value(
            column(mean, rng), SPAN, PERIODS[period], float(mean.mean() * (1 - mean.mean()))
        )
        small += p < 0.05
    assert small <= 200 * 0.05 + 3 * math.sqrt(200 * 0.05 * 0.95)


def test_a_season_under_drift_is_found_and_measured() -> None:
    rng, t = np.random.default_rng(5), times(448)
    wave = 0.08 * np.cos(2 * np.pi * t / WEEK)
    data = column(0.3 + 0.3 * (t > 0.4 * SPAN) + wave, rng, plays=60)
    assert p_value(data, SPAN, WEEK, 0.25) < 1e-4
    levels = np.column_stack([t <= 0.4 * SPAN, t > 0.4 * SPAN]).astype(float)
    season = fit(data, SPAN, [WEEK], levels, 0.24)
    np.testing.assert_allclose(season.at(t), wave, atol=0.02)
    np.testing.assert_allclose(season.part("week").at(t), season.at(t))
    assert not season.part("day").at(t).any()
    assert float(np.ptp(season.profile("week"))) == pytest.approx(0.16, abs=0.03)


def test_a_season_needs_periods_and_points() -> None:
    rng = np.random.default_rng(6)
    data = column(np.full(100, 0.5), rng)
    assert visible(data, SPAN, WEEK)
    assert not visible(data, SPAN, DAY)  # 100 blocks in 56 days
    assert not visible(data, SPAN, SPAN / 3)


def test_a_basis_spans_what_a_decomposition_says_also_over_a_gap() -> None:
    """Cosines are nearly dependent over a log with a long gap."""
    share = np.concatenate([np.linspace(0.0, 0.3, 300), np.linspace(0.7, 1.0, 300)])
    slow = _slow(SPAN * share, SPAN, 40)
    left, sizes, _ = np.linalg.svd(slow, full_matrices=False)
    kept = left[:, sizes > 1e-9 * sizes.max()]
    basis = _basis(slow)
    assert kept.shape[1] < slow.shape[1]
    assert basis.shape == kept.shape
    np.testing.assert_allclose(basis @ basis.T, kept @ kept.T, atol=1e-5)
    np.testing.assert_allclose(basis.T @ basis, np.eye(basis.shape[1]), atol=1e-12)


def test_columns_that_are_mixes_of_others_add_nothing_to_a_basis() -> None:
    columns = np.random.default_rng(0).normal(size=(50, 3))
    mixed = np.column_stack([columns, columns @ np.array([1.0, 2.0, -1.0]), np.zeros(50)])
    np.testing.assert_allclose(
        _basis(mixed) @ _basis(mixed).T, _basis(columns) @ _basis(columns).T, atol=1e-10
    )


def test_a_log_that_is_too_long_for_a_season_of_a_day_is_told_so() -> None:
    rng = np.random.default_rng(0)
    rows = 8_000
    frame = pl.DataFrame({
        "time": 1.7e9 + 86_400.0 * 100 * np.arange(rows) / rows,
        "arm": np.array(["a", "b"])[rng.integers(0, 2, rows)],
        "reward": rng.integers(0, 2, rows),
        "propensity": 0.5,
    })  # fmt: skip
    long, short = (db.Log.read(each).drift() for each in (frame, frame.head(rows // 4)))
    told = "a shorter part of it may show a season of a day."
    assert any(told in note for note in long.notes)
    assert not any(told in note for note in short.notes)
    assert not any("season of a day cannot" in note for note in short.notes)


def test_arms_that_earn_alike_do_not_switch_with_their_seasons() -> None:
    rng = np.random.default_rng(0)
    rows = 10_000
    day = 120 * np.arange(rows) / rows
    rate = np.where(day % 7 < 2, 0.65, 0.4)
    frame = pl.DataFrame({
        "time": 1.7e9 + 86_400.0 * day,
        "arm": np.array(["a", "b"])[rng.integers(0, 2, rows)],
        "reward": (rng.random(rows) < rate).astype(int),
        "propensity": 0.5,
    })  # fmt: skip
    drift = db.Log.read(frame).drift()
    assert {arm.verdict for arm in drift.arms} == {"season"}
    assert drift.switches.estimate <= 1
