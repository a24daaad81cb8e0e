"""Standard errors and intervals, against scipy and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from driftbandit.core.statistics import NORMAL_95, half_width, interval, standard_error


def test_the_standard_error_is_scipys() -> None:
    values = np.random.default_rng(0).gamma(2.0, size=37)
    assert standard_error(values) == pytest.approx(float(stats.sem(values)), rel=1e-14)


def test_the_interval_is_two_halves_around_the_mean() -> None:
    assert pytest.approx(float(stats.norm.ppf(0.975)), rel=1e-15) == NORMAL_95
    values = np.array([1.0, 2.0, 6.0])
    summary = interval(values)
    assert summary["mean"] == 3.0
    assert summary["standard_error"] == standard_error(values)
    half = half_width(standard_error(values))
    assert (summary["low"], summary["high"]) == (3.0 - half, 3.0 + half)


def test_one_run_has_a_mean_and_no_interval() -> None:
    summary = interval(np.array([2.0]))
    assert summary.pop("mean") == 2.0
    assert all(math.isnan(value) for value in summary.values())


def test_half_widths_of_many_means_at_once() -> None:
    errors = np.array([0.5, 2.0])
    assert half_width(errors).tolist() == [half_width(0.5), half_width(2.0)]
