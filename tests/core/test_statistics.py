"""Standard errors and intervals, against scipy, by hand, and by how often they hold the mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from common import coverage
from driftbandit.core.statistics import (
    LEAST_RUNS,
    NORMAL_95,
    bounds,
    half_width,
    interval,
    moments,
    standard_error,
    student_quantile,
)

Array = NDArray[np.float64]
SKEWED: Array = np.random.default_rng(0).gamma(2.0, size=37)


def test_the_standard_error_is_scipys() -> None:
    assert standard_error(SKEWED) == pytest.approx(float(stats.sem(SKEWED)), rel=1e-14)


@pytest.mark.parametrize("freedom", [1, 2, 9, 29, 999, 99_999])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_the_quantile_is_scipys(level: float, freedom: int) -> None:
    expected = float(stats.t.ppf(0.5 + 0.5 * level, freedom))
    assert student_quantile(level, freedom) == pytest.approx(expected, rel=1e-9)
    assert pytest.approx(float(stats.norm.ppf(0.975)), rel=1e-15) == NORMAL_95


def test_moments_are_scipys_whatever_the_number_of_runs() -> None:
    for runs in (5, 1_024, 3_000):
        values = np.random.default_rng(runs).exponential(size=(runs, 2))
        mean, error, skewness = moments(values)
        assert mean == pytest.approx(values.mean(axis=0), rel=1e-14)
        assert error == pytest.approx(stats.sem(values), rel=1e-12)
        assert skewness == pytest.approx(stats.skew(values), rel=1e-10)


def test_an_interval_is_that_of_student_where_nothing_is_skewed() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0] * 4)
    summary = interval(values)
    assert summary["mean"] == 3.0
    assert summary["standard_error"] == standard_error(values)
    half = half_width(standard_error(values), runs=20)
    assert (summary["low"], summary["high"]) == pytest.approx((3.0 - half, 3.0 + half))


def test_an_interval_by_hand() -> None:
    """At its ends, the transformed statistic of Hall is Student's quantile."""
    runs, skewness = len(SKEWED), float(stats.skew(SKEWED))
    t = float(stats.t.ppf(0.975, runs - 1))
    for end, sign in zip(bounds(SKEWED), (1.0, -1.0), strict=True):
        x = (SKEWED.mean() - float(end)) / float(stats.sem(SKEWED))
        third = (skewness / 3.0) ** 2 * x**3 / (3.0 * runs)
        transformed = x + skewness * (x * x / 3.0 + 1.0 / 6.0) / math.sqrt(runs) + third
        assert transformed == pytest.approx(sign * t)


def test_an_interval_reaches_farther_to_the_long_tail() -> None:
    low, high = bounds(SKEWED)
    assert high - SKEWED.mean() > 1.2 * (SKEWED.mean() - low)
    mirrored = bounds(-SKEWED)
    assert (float(mirrored[0]), float(mirrored[1])) == pytest.approx((-float(high), -float(low)))


def test_numbers_that_are_all_the_same_have_an_interval_of_no_width() -> None:
    summary = interval(np.full(12, 3.0))
    assert (summary["low"], summary["high"]) == (3.0, 3.0)


def test_few_runs_have_a_mean_and_no_interval() -> None:
    summary = interval(np.arange(float(LEAST_RUNS - 1)))
    assert summary["mean"] == 4.0
    assert summary["standard_error"] > 0.0
    assert math.isnan(summary["low"])
    assert math.isnan(summary["high"])
    assert math.isnan(interval(np.array([2.0]))["standard_error"])
    assert math.isnan(half_width(1.0, runs=LEAST_RUNS - 1))
    assert half_width(1.0, runs=LEAST_RUNS) > 2.2


def test_half_widths_of_many_means_at_once() -> None:
    errors = np.array([0.5, 2.0])
    assert half_width(errors, 20).tolist() == [half_width(0.5, 20), half_width(2.0, 20)]


@pytest.mark.parametrize(("runs", "least"), [(10, 0.91), (30, 0.93), (200, 0.94)])
def test_intervals_hold_the_mean_as_often_as_they_say(runs: int, least: float) -> None:
    rng = np.random.default_rng(1)
    for values in (rng.normal(size=100_000), rng.exponential(size=100_000)):
        assert least <= coverage(values, runs) <= 0.97
    assert 0.87 <= coverage(rng.exponential(size=100_000), runs, level=0.9) <= 0.92
