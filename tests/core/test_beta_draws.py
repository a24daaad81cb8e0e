"""Draws of the beta law: exact, whatever the shapes, and the same bits in vector code."""

from __future__ import annotations

import functools
import math
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import special, stats

from driftbandit.core.beta_draws import BETA_NUMBERS, beta_from, beta_trial
from driftbandit.core.numerics import two_normals
from driftbandit.core.random import descendant, uniform_series
from driftbandit.engine import compiler

Floats = NDArray[np.float64]

SHAPES = [(1.0, 1.0), (1.0, 2.0), (3.5, 1.2), (40.0, 7.0), (0.5, 2.0), (900.0, 3000.0), (0.1, 0.2)]
EXTREME_SHAPES = [
    *[(1e-3, 1e-3), (1e-3, 1.0), (1e-3, 1e6), (0.02, 0.7), (0.5, 0.5), (0.999, 1.001)],
    *[(1.0, 1.0), (1.0, 1e3), (1.5, 2.0), (2.0, 5.0), (3.7, 0.05), (17.0, 23.0)],
    *[(123.4, 1e3), (1e4, 2.5), (1e6, 1e-3), (1e6, 1.0), (1e6, 1e6), (314_159.2, 271_828.0)],
]
BOUND = 2.5
"""A statistic of √n · distance above this has a chance of 2 exp(−2 · 2.5²) < 10⁻⁵."""


def fill_draws(words: NDArray[np.uint64], a: float, b: float, draws: Floats) -> None:
    """Draw one number after another."""
    noise = np.empty(BETA_NUMBERS)
    for place in range(draws.size):
        uniform_series(words, noise)
        draws[place] = beta_from((noise[0], noise[1], noise[2], noise[3], noise[4]), a, b)


@functools.cache
def compiled_fill() -> Any:
    compiler.register([beta_from, uniform_series])
    return numba.njit(error_model="numpy")(fill_draws)


def rounded_cdf(x: Floats, a: float, b: float) -> Floats:
    """P(X ≤ x) for a beta number that is rounded to the nearest double, 0 ≤ x < 1.

    The borders lie half-way to the next double. Below 1e-290 the law is xᵃ / (a B(a, b)), which
    logarithms compute even where no double lies half-way.
    """
    gap = np.nextafter(x, 1.0) - x
    below_one = 1.0 - special.betainc(b, a, (1.0 - x) - gap / 2.0)  # exact borders near 1
    law: Floats = np.where(x < 0.5, special.betainc(a, b, x + gap / 2.0), below_one)
    tiny = x < 1e-290
    least = math.log(5e-324)
    logs = [
        math.log(v) + math.log1p(0.5 * g / v) if v else least - math.log(2.0)
        for v, g in zip(x[tiny].tolist(), gap[tiny].tolist(), strict=True)
    ]
    law[tiny] = np.exp(a * np.array(logs) - math.log(a) - special.betaln(a, b))
    return law


def distance(draws: Floats, a: float, b: float) -> float:
    """√n times the largest distance of the law's distribution function from that of the draws."""
    values, counts = np.unique(draws, return_counts=True)
    inside = values < 1.0
    shares = np.cumsum(counts)[inside] / draws.size
    law = rounded_cdf(values[inside], a, b)
    below = np.concatenate([[0.0], shares[:-1]])
    before = rounded_cdf(np.nextafter(values[inside], -1.0).clip(0.0), a, b)
    before[values[inside] == 0.0] = 0.0
    return math.sqrt(draws.size) * float(max(abs(shares - law).max(), abs(below - before).max()))


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_the_law(a: float, b: float) -> None:
    noise = np.random.default_rng(3).random((20_000, BETA_NUMBERS))
    draws = np.array([beta_from(row.tolist(), a, b) for row in noise])
    assert distance(draws, a, b) < BOUND


@pytest.mark.parametrize(
    ("number", "other"), [(200_000, 3.1), pytest.param(10**7, 3.01, marks=pytest.mark.slow)]
)
def test_the_distance_tells_laws_apart(number: int, other: float) -> None:
    draws = stats.beta(3.0, 5.0).rvs(number, random_state=1)
    assert distance(draws, 3.0, 5.0) < BOUND < distance(draws, other, 5.0)
    zeros = np.where(np.random.default_rng(1).random(number) < 0.01, 0.0, draws)
    assert distance(zeros, 3.0, 5.0) > BOUND


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), EXTREME_SHAPES)
def test_the_law_and_its_tails_by_ten_million_draws(a: float, b: float) -> None:
    words = np.random.default_rng(11).integers(2**64, size=4, dtype=np.uint64)
    draws = np.empty(10**7)
    compiled_fill()(words, a, b, draws)
    assert distance(draws, a, b) < BOUND
    for level in (1e-6, 1e-5, 1e-4, 1e-3, 0.999, 0.9999, 0.99999, 0.999999):
        border = float(special.betaincinv(a, b, level))
        if 1e-290 < border < 1.0 - 1e-15:
            low, high = stats.binom(draws.size, special.betainc(a, b, border)).ppf([1e-6, 1 - 1e-6])
            assert low <= np.count_nonzero(draws <= border) <= high


@given(
    st.lists(st.floats(2.0**-53, 1.0 - 2.0**-53), min_size=5, max_size=5),
    st.floats(1e-3, 1e6),
    st.floats(1e-3, 1e6),
)
def test_a_trial_is_the_draw_or_not_a_number(noise: list[float], a: float, b: float) -> None:
    trial, draw = beta_trial(noise, a, b), beta_from(noise, a, b)
    assert trial == draw or math.isnan(trial)
    assert 0.0 <= draw <= 1.0


@given(
    st.floats(2.0**-53, 1.0 - 2.0**-53),
    st.floats(0.0, 1.0),
    st.floats(1e-6, 1.0),
    st.floats(1, 1e6),
)
def test_a_trial_takes_no_number_that_the_exact_test_refuses(
    u: float, angle: float, v: float, shape: float
) -> None:
    trial = beta_trial([u, angle, v, 1e-6, 0.5], shape, 1e9)  # the other side never fails
    z, d = two_normals(u, angle)[0], shape - 1.0 / 3.0
    root = 1.0 + z / math.sqrt(9.0 * d)
    if not math.isnan(trial):
        exponent = 3.0 * d * (math.log1p(root - 1.0) - (root - 1.0)) + 4.5 * d * (root - 1.0) ** 2
        assert math.log(v) <= exponent - d * (root - 1.0) ** 3 + 1e-9


def test_trials_fail_as_rarely_as_the_page_says() -> None:
    noise = np.random.default_rng(5).random((20_000, BETA_NUMBERS))
    shares = {
        shape: np.mean([math.isnan(beta_trial(row.tolist(), shape, 1e9)) for row in noise])
        for shape in (1.0, 20.0)
    }
    assert 0.06 < shares[1.0] < 0.08
    assert 0.001 < shares[20.0] < 0.004


def test_descendants_are_uniform_and_independent_of_what_they_come_from() -> None:
    seeds = (np.random.default_rng(2).integers(2**52, size=40_000) + 0.5) * 2.0**-52
    numbers = np.array([[descendant(float(u), n) for n in range(4)] for u in seeds])
    for column in numbers.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-3
        assert stats.kstest((column + seeds) % 1.0, "uniform").pvalue > 1e-3
    for n in range(3):
        assert stats.kstest((numbers[:, n] - numbers[:, n + 1]) % 1.0, "uniform").pvalue > 1e-3
    # Neighbours: seeds that differ in one bit, and the same seed many times.
    neighbours = [descendant((k + 0.5) * 2.0**-52, 0) for k in range(40_000)]
    series = [descendant(0.3, n) for n in range(40_000)]
    for values in (neighbours, series):
        assert stats.kstest(values, "uniform").pvalue > 1e-3
        assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.02
        assert len(set(values)) == len(values)


def test_compiled_and_plain_give_the_same_bits() -> None:
    for a, b in SHAPES:
        words = np.random.default_rng(4).integers(2**64, size=4, dtype=np.uint64)
        again, draws, plain = words.copy(), np.empty(2_000), np.empty(2_000)
        compiled_fill()(words, a, b, draws)
        with np.errstate(over="ignore"):  # the words wrap around on purpose
            fill_draws(again, a, b, plain)
        assert draws.tobytes() == plain.tobytes()
