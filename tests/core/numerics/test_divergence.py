"""The Bernoulli divergence, its inverse, and the exponential they are made of."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from driftbandit.core.numerics import (
    bernoulli_divergence,
    bernoulli_point,
    bernoulli_upper,
    exp_of_negative,
)
from driftbandit.engine import compiler
from naive_explore import kl, klucb

ENDS = [0.0, 1e-12, 0.3, 0.5, 0.999, 1.0 - 1e-12, 1.0]


@given(
    st.one_of(st.floats(0.0, 1.0), st.floats(0.0, 1e-3), st.sampled_from(ENDS)),
    st.floats(-8.0, 3.0),
)
@example(1.0 - 2.0**-53, -3.0)
def test_the_inverse_is_that_of_halving(mean: float, power: float) -> None:
    most = 10.0**power
    assert bernoulli_upper(mean, most) == pytest.approx(klucb(mean, most), abs=1e-12, rel=0.0)


def test_the_inverse_on_a_grid_is_exact_to_rounding_where_it_matters() -> None:
    means = np.concatenate([np.linspace(0.0, 1.0, 41), 10.0 ** np.linspace(-15, -2, 14)])
    for most in 10.0 ** np.linspace(-3, 1.5, 19):
        for mean in means:
            truth = klucb(float(mean), float(most))
            assert abs(bernoulli_upper(float(mean), float(most)) - truth) < 2e-14


MEANS = st.one_of(st.floats(0.0, 1.0), st.floats(0.0, 1e-3), st.sampled_from(ENDS))


@given(MEANS, st.floats(-5.0, 1.5), st.one_of(st.floats(0.0, 1e-3), st.floats(1e-3, 50.0)))
def test_a_point_lies_on_the_curve_and_its_tangent_above(
    mean: float, power: float, hint: float
) -> None:
    most = 10.0**power
    at, q, slope, _ = bernoulli_point(mean, most, hint)
    assert bernoulli_upper(mean, at) == pytest.approx(q, abs=2e-12, rel=0.0)
    for share in (0.01 * most, 0.5 * most, most, 2.0 * most, 50.0 * most):
        value = bernoulli_upper(mean, share)
        assert value <= q + slope * (share - at) + 1e-12
        if share < at:
            assert value >= mean + (q - mean) * share / at - 1e-12


@given(MEANS, st.floats(-3.9, 1.5), st.floats(0.0, 50.0))
def test_hints_lead_to_the_point_wanted(mean: float, power: float, hint: float) -> None:
    most = 10.0**power
    for _ in range(8):
        _, q, _, hint = bernoulli_point(mean, most, hint)
    assert q == pytest.approx(bernoulli_upper(mean, most), abs=1e-10, rel=0.0)


@pytest.mark.parametrize("mean", ENDS)
def test_the_inverse_at_its_ends(mean: float) -> None:
    assert bernoulli_upper(mean, 0.0) == mean
    assert bernoulli_upper(mean, -1.0) == mean
    assert bernoulli_upper(mean, math.inf) == 1.0
    assert mean <= bernoulli_upper(mean, 1e-25) <= mean + 1e-9
    assert bernoulli_upper(mean, 1e200) == 1.0
    assert bernoulli_upper(1.0 + 1e-15, 0.1) == 1.0


def test_the_inverse_of_one_half_has_a_closed_form() -> None:
    for most in (0.01, 0.1, 1.0, 5.0):
        closed = 0.5 + math.sqrt(0.25 - math.exp(-2.0 * (most + math.log(2.0))))
        assert bernoulli_upper(0.5, most) == pytest.approx(closed, abs=1e-14)


def test_the_divergence() -> None:
    for p in ENDS:
        for q in ENDS:
            assert bernoulli_divergence(p, q) == pytest.approx(kl(p, q), rel=1e-9, abs=1e-15)


def test_exp_of_negative_is_right_everywhere() -> None:
    for x in np.concatenate([np.linspace(0.0, 699.9, 3000), 10.0 ** np.linspace(-20, 0, 100)]):
        assert exp_of_negative(float(x)) == pytest.approx(math.exp(-x), rel=3e-15)
    assert exp_of_negative(1e9) == exp_of_negative(700.0) > 0.0


def test_many_at_once_have_the_bits_of_one() -> None:
    compiler.register([bernoulli_upper])

    @numba.njit(error_model="numpy")
    def all_of(means: np.ndarray, most: np.ndarray, bounds: np.ndarray) -> None:
        for lane in range(128):
            bounds[lane] = bernoulli_upper(means[lane], most[lane])

    rng, bounds = np.random.default_rng(0), np.zeros(128)
    means, most = rng.random(128), 10.0 ** rng.uniform(-6, 2, 128)
    means[:3] = 0.0, 1.0, 0.5
    all_of(means, most, bounds)
    assert [bernoulli_upper(float(p), float(d)) for p, d in zip(means, most, strict=True)] == list(
        bounds
    )
