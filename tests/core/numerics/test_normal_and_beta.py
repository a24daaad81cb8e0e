from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numba
import numpy as np
import pytest
from scipy import special

from driftbandit.core.marking import MARKED
from driftbandit.core.numerics import (
    beta_cdf,
    beta_quantile,
    minus_two_log,
    normal_cdf,
    normal_draw,
    normal_quantile,
    two_normals,
)
from driftbandit.engine import compiler

SHAPES = (0.01, 0.1, 0.5, 1.0, 2.5, 10.0, 100.0, 1000.0)
TAILS = np.logspace(-12, -1, 30)
LEVELS = np.concatenate([TAILS, np.linspace(0.11, 0.89, 41), 1.0 - TAILS[::-1]])


def each(function: Callable[..., float], values: np.ndarray, *shapes: float) -> np.ndarray:
    return np.array([function(float(value), *shapes) for value in values])


def test_normal_quantile_agrees_with_scipy_in_the_centre_and_far_out() -> None:
    levels = np.concatenate([np.logspace(-300, -1, 500), np.linspace(0.1, 0.9, 401), LEVELS])
    np.testing.assert_allclose(
        each(normal_quantile, levels), special.ndtri(levels), rtol=2e-15, atol=2e-16
    )


def test_normal_quantile_is_odd_and_zero_at_one_half() -> None:
    assert normal_quantile(0.5) == 0.0
    for k in range(1, 50):
        assert normal_quantile(k / 128) == -normal_quantile(1.0 - k / 128)


def test_normal_quantile_at_the_ends() -> None:
    assert normal_quantile(0.0) == -math.inf
    assert normal_quantile(1.0) == math.inf
    assert normal_quantile(2.0**-53) == pytest.approx(-8.209536151601387, rel=1e-15)


def test_a_normal_draw_is_the_quantile_but_far_out() -> None:
    levels = np.concatenate([np.linspace(0.0005, 0.9995, 999), LEVELS])
    draws = each(normal_draw, levels)
    far = np.minimum(levels, 1.0 - levels) < math.exp(-25.0)
    assert np.isnan(draws).tolist() == far.tolist()
    assert 0 < np.count_nonzero(far) < 20
    np.testing.assert_allclose(draws[~far], special.ndtri(levels[~far]), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("border", [0.075, 0.5, 0.925, math.exp(-25.0)])
def test_normal_quantile_never_falls_where_its_pieces_meet(border: float) -> None:
    width = 1e-10 * min(border, 1.0 - border)
    values = each(normal_quantile, border + np.linspace(-width, width, 2001))
    assert (np.diff(values) >= -4e-16 * abs(values[0])).all()
    assert values[0] < values[-1]


def test_minus_two_log_is_right_from_the_least_uniform_number_to_the_largest() -> None:
    ends = np.array([2.0**-53, 1.0 - 2.0**-53, math.sqrt(0.5), np.nextafter(math.sqrt(0.5), 0.0)])
    levels = np.concatenate(
        [ends, LEVELS, np.linspace(0.001, 0.999, 999), 1.0 - np.logspace(-15, -1)]
    )
    np.testing.assert_allclose(each(minus_two_log, levels), -2.0 * np.log(levels), rtol=5e-14)


def test_two_normals_are_a_point_in_the_plane() -> None:
    # The quarters of the circle begin at −π/4, and every other one is passed backwards.
    angles = ((0.0, 1.0), (0.5, -1.0), (1.0, -1.0), (-0.5, 1.0))
    for u in (2.0**-53, 0.01, 0.4, 0.999):
        distance = math.sqrt(-2.0 * math.log(u))
        for quarter, (middle, way) in enumerate(angles):
            for place in (2.0**-50, 0.1, 0.5, 0.77, 1.0 - 2.0**-50):
                angle = math.pi * (middle + way * (place - 0.5) / 2.0)
                point = distance * math.cos(angle), distance * math.sin(angle)
                normals = two_normals(u, (quarter + place) / 4.0)
                assert normals == pytest.approx(point, abs=1e-13 * distance)


def test_normal_cdf_agrees_with_scipy_and_undoes_the_quantile() -> None:
    x = np.linspace(-37.0, 8.0, 500)
    np.testing.assert_allclose(each(normal_cdf, x), special.ndtr(x), rtol=1e-13)
    back = each(normal_cdf, each(normal_quantile, LEVELS))
    np.testing.assert_allclose(back, LEVELS, rtol=2e-14)


@pytest.mark.parametrize(("a", "b"), list(product(SHAPES, SHAPES)))
def test_beta_cdf_and_quantile_agree_with_scipy(a: float, b: float) -> None:
    x = np.concatenate([TAILS, np.linspace(0.02, 0.98, 49), 1.0 - TAILS[::-1]])
    # scipy itself is good to 4e-11 only near 1 at a = b = ½, where the closed form is on our side.
    np.testing.assert_allclose(
        each(beta_cdf, x, a, b), special.betainc(a, b, x), rtol=1e-10, atol=1e-300
    )
    np.testing.assert_allclose(
        each(beta_quantile, LEVELS, a, b), special.betaincinv(a, b, LEVELS), rtol=1e-11, atol=1e-300
    )


@pytest.mark.parametrize(("a", "b"), [(0.01, 0.01), (0.5, 3.0), (1.0, 1.0), (400.0, 600.0)])
def test_beta_quantile_grows(a: float, b: float) -> None:
    values = each(beta_quantile, np.linspace(0.0, 1.0, 2001), a, b)
    assert values[0] == 0.0
    assert values[-1] == 1.0
    assert (np.diff(values) >= 0.0).all()


def test_beta_law_in_closed_form() -> None:
    assert beta_quantile(0.3, 1.0, 1.0) == pytest.approx(0.3, rel=1e-15)
    assert beta_quantile(0.3, 5.0, 1.0) == pytest.approx(0.3**0.2, rel=1e-14)
    assert beta_quantile(0.25, 0.5, 0.5) == pytest.approx(math.sin(math.pi / 8) ** 2, rel=1e-14)
    near = 1.0 - 1e-12
    arcsine = 1.0 - 2.0 / math.pi * math.asin(math.sqrt(1.0 - near))
    assert beta_cdf(near, 0.5, 0.5) == pytest.approx(arcsine, rel=1e-15)
    assert beta_cdf(0.3, 1.0, 4.0) == pytest.approx(1.0 - 0.7**4, rel=1e-14)


def test_beta_quantile_below_what_a_number_can_hold_is_zero() -> None:
    assert beta_quantile(1e-6, 1e-3, 1.0) == 0.0
    assert beta_quantile(0.4, 1e-9, 1e-9) == 0.0
    assert beta_quantile(0.6, 1e-9, 1e-9) == 1.0


def test_very_large_shapes_are_nearly_normal() -> None:
    value = beta_quantile(0.975, 5e5, 5e5)
    assert value == pytest.approx(0.5 + 1.959964 * 0.5 / 1000, abs=1e-8)


def test_compiled_and_plain_give_the_same_bits() -> None:
    compiler.register(MARKED)

    @numba.njit(error_model="numpy")
    def table(levels: np.ndarray, a: float, b: float) -> np.ndarray:
        values = np.empty((levels.size, 7))
        for i in range(levels.size):
            values[i, 0] = normal_quantile(levels[i])
            values[i, 1] = normal_cdf(20.0 * levels[i] - 10.0)
            values[i, 2] = beta_cdf(levels[i], a, b)
            values[i, 3] = beta_quantile(levels[i], a, b)
            values[i, 4], values[i, 5] = two_normals(levels[i], levels[-i])
            values[i, 6] = normal_draw(levels[i])
        return values

    for a, b in product((0.01, 0.7, 12.0, 1000.0), (0.3, 1.0, 50.0)):
        plain = np.column_stack(
            [
                each(normal_quantile, LEVELS),
                each(normal_cdf, 20.0 * LEVELS - 10.0),
                each(beta_cdf, LEVELS, a, b),
                each(beta_quantile, LEVELS, a, b),
                [two_normals(u, v) for u, v in zip(LEVELS, np.roll(LEVELS[::-1], 1), strict=True)],
                each(normal_draw, LEVELS),
            ]
        )
        assert table(LEVELS, a, b).tobytes() == plain.tobytes()
