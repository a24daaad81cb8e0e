"""Functions on an even grid: exact where they must be, and never worse than they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftbandit.core.numerics import (
    cell_value,
    cells_of,
    log_odds,
    six_point_error,
    spline_error,
    spline_of,
    spline_value,
)

WAVES = st.tuples(st.floats(0.05, 1.2), st.floats(0.0, 6.3))


@given(st.lists(st.integers(-9, 9), min_size=6, max_size=6), st.floats(0.0, 4.999))
def test_six_nodes_determine_a_polynomial_of_degree_five(terms: list[int], place: float) -> None:
    nodes = np.polynomial.Polynomial(terms)(np.arange(-2.0, 8.0))
    truth = float(np.polynomial.Polynomial(terms)(place))
    size = max(1.0, float(np.abs(nodes).max()))
    assert cell_value(cells_of(nodes).ravel(), 0, place) == pytest.approx(truth, abs=1e-14 * size)


@given(WAVES, st.floats(0.0, 19.999))
def test_the_error_of_cells_is_at_most_what_is_said(
    wave: tuple[float, float], place: float
) -> None:
    pace, phase = wave
    nodes = np.sin(pace * np.arange(-2.0, 23.0) + phase)
    error = abs(cell_value(cells_of(nodes).ravel(), 0, place) - math.sin(pace * place + phase))
    assert error <= six_point_error(nodes) + 1e-15


def test_cells_meet_where_they_end() -> None:
    cells = cells_of(np.random.default_rng(1).random(30)).ravel()
    for number in range(1, 24):
        before = cell_value(cells, 0, math.nextafter(number, 0.0))
        assert before == pytest.approx(cell_value(cells, 0, float(number)), abs=1e-13)


@given(WAVES, WAVES, st.floats(20.0, 30.0), st.floats(20.0, 25.0))
def test_a_spline_misses_by_a_third_derivative(
    wide: tuple[float, float], high: tuple[float, float], place: float, row: float
) -> None:
    rows, places = np.ogrid[0:46, 0:52]
    nodes = np.sin(high[0] * rows + high[1]) * np.sin(wide[0] * places + wide[1])
    value = spline_value(spline_of(nodes).ravel(), 0, 52, place, row)
    truth = math.sin(high[0] * row + high[1]) * math.sin(wide[0] * place + wide[1])
    assert abs(value - truth) <= (wide[0] ** 3 + high[0] ** 3) / 50.0 + 1e-12


@given(WAVES, WAVES)
def test_the_error_of_a_spline_is_what_is_said(
    wide: tuple[float, float], high: tuple[float, float]
) -> None:
    """To the order of the next derivative: waves of a fifth of the pace are smooth enough."""
    paces = wide[0] / 5.0, high[0] / 5.0
    rows, places = np.ogrid[0:46, 0:52]
    nodes = np.sin(paces[1] * rows + high[1]) * np.sin(paces[0] * places + wide[1])
    table, worst = spline_of(nodes).ravel(), 0.0
    for row in np.arange(16.0, 30.0, 0.25):
        for place in np.arange(16.0, 36.0, 1.25):
            truth = math.sin(paces[1] * row + high[1]) * math.sin(paces[0] * place + wide[1])
            worst = max(worst, abs(spline_value(table, 0, 52, float(place), float(row)) - truth))
    assert worst <= spline_error(nodes) + 1e-12


def test_a_spline_has_the_values_of_its_nodes() -> None:
    nodes = np.random.default_rng(2).random((30, 40))
    table = spline_of(nodes).ravel()
    for row, place in ((3, 5), (15, 20), (28, 1)):
        value = spline_value(table, 0, 40, float(place), float(row))
        assert value == pytest.approx(nodes[row, place], abs=1e-12)


@given(st.floats(1e-15, 1.0 - 1e-15))
def test_log_odds_are_the_logarithm_of_the_odds(u: float) -> None:
    truth = math.log(u) - math.log1p(-u)
    assert log_odds(u) == pytest.approx(truth, rel=1e-13, abs=4e-16)


def test_log_odds_have_no_end_and_never_fall() -> None:
    assert log_odds(0.0) < -40.0
    assert log_odds(1.0) > 40.0
    levels = np.concatenate([np.logspace(-16, -1, 3_000), np.linspace(0.1, 1.0, 3_000)])
    values = [log_odds(float(u)) for u in levels]
    assert (np.diff(values) >= -1e-14).all()
