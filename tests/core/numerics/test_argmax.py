"""The law of the argmax against closed forms, scipy's distribution functions, and draws."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from driftbandit.core.numerics import argmax, beta_argmax, normal_argmax
from driftbandit.core.numerics.panels import largest_of

Array = NDArray[np.float64]
Law = Callable[[Any, Any], list[float]]


def quadrature(densities: list[Array], below: list[Array], weights: Array) -> Array:
    """∫ f_i Π_{j≠i} F_j, word for word."""
    others = [np.prod([*below[:i], *below[i + 1 :]], axis=0) for i in range(len(below))]
    terms = zip(densities, others, strict=True)
    return np.array([np.sum(weights * density * other) for density, other in terms])


def points_between(knots: Array) -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(6)
    knots = np.unique(knots)
    halves = 0.5 * np.diff(knots)[:, None]
    return (knots[:-1, None] + halves + halves * nodes).ravel(), (halves * weights).ravel()


def normal_reference(means: Sequence[float], deviations: Sequence[float]) -> Array:
    laws = list(zip(means, deviations, strict=True))
    x, weights = points_between(
        np.concatenate([m + s * np.arange(-10, 10.1, 0.25) for m, s in laws])
    )
    densities = [stats.norm.pdf(x, m, s) for m, s in laws]
    return quadrature(densities, [special.ndtr((x - m) / s) for m, s in laws], weights)


def beta_knots(a: float, b: float) -> list[Array]:
    """Many points on every scale that the density of log-odds has."""
    mode, width, bend = np.log(a / b), np.sqrt(1 / a + 1 / b), np.log(max(a + b, 1.0))
    near, fine, tail = np.arange(0, 10, 0.25) * width, np.arange(-40, 5, 0.5), np.arange(1, 200) / 4
    return [mode + near, mode - near, fine - bend, bend - fine, mode - tail / a, mode + tail / b]


def beta_below(u: Array, a: float, b: float) -> Array:
    """P(X ≤ x) at the log-odds u of x, where x may be too close to 0 or 1 for a float."""
    log_beta = special.betaln(a, b)
    far = 35.0 + np.log(max(a + b, 1.0))
    low = np.exp(a * np.minimum(u, -far) - np.log(a) - log_beta)
    high = np.exp(-b * np.maximum(u, far) - np.log(b) - log_beta)
    left = special.betainc(a, b, special.expit(np.clip(u, -far, 0)))
    right = special.betaincc(b, a, special.expit(-np.clip(u, 0, far)))
    inner = np.where(u < 0, left, right)
    below: Array = np.where(np.abs(u) < far, inner, np.where(u < 0, low, 1.0 - high))
    return below


def beta_reference(alphas: Sequence[float], betas: Sequence[float]) -> Array:
    laws = list(zip(alphas, betas, strict=True))
    low = max(np.log(a / b) - 10 * np.sqrt(1 / a + 1 / b) - 40 / a for a, b in laws)
    high = max(np.log(a / b) + 10 * np.sqrt(1 / a + 1 / b) + 40 / b for a, b in laws)
    knots = [knot for law in laws for knot in beta_knots(*law)]
    u, weights = points_between(np.clip(np.concatenate([*knots, [low, high]]), low, high))
    densities = [
        np.exp(-a * np.logaddexp(0, -u) - b * np.logaddexp(0, u) - special.betaln(a, b))
        for a, b in laws
    ]
    return quadrature(densities, [beta_below(u, a, b) for a, b in laws], weights)


BETAS = {
    "a live page": ([21.0, 35.0, 30.0, 2.0], [400.0, 610.0, 480.0, 9.0]),
    "priors": ([1.0, 1.0, 1.5], [1.0, 2.0, 1.0]),
    "mass at both ends": ([0.001, 0.02, 0.3, 0.001], [0.001, 0.05, 0.004, 0.7]),
    "mass at one end": ([0.001, 0.05, 3.0], [5.0, 300.0, 1000.0]),
    "wide and narrow": ([1.0, 500000.0, 5000.0, 3.0], [1.0, 500000.0, 4990.0, 2.0]),
    "near 0": ([1.2, 3.0, 8.0, 1.0], [30000.0, 90000.0, 200000.0, 5000.0]),
    "near 1": ([30000.0, 90000.0, 200000.0], [1.2, 3.0, 8.0]),
    "large": ([300300.0, 299400.0, 301000.0], [699700.0, 700600.0, 699000.0]),
    "a certain winner": ([900.0, 20.0, 1.0], [100.0, 180.0, 60.0]),
    "everything": ([0.001, 1e6, 1.0, 40.0, 0.5], [1e6, 1e5, 0.01, 3.0, 0.5]),
}


@pytest.mark.parametrize(("alphas", "betas"), BETAS.values(), ids=BETAS)
def test_beta_argmax_agrees_with_scipy(alphas: list[float], betas: list[float]) -> None:
    reference = beta_reference(alphas, betas)
    assert abs(reference.sum() - 1.0) < 2e-9  # scipy's log B has an error like that
    np.testing.assert_allclose(beta_argmax(alphas, betas), reference, rtol=0.0, atol=2e-9)


NORMALS = {
    "alike": ([0.1, 0.0, -0.3, 0.5], [1.0, 0.8, 1.2, 0.5]),
    "nested": ([0.0, 1e-6, 0.0, 1e-3], [1.0, 1e-6, 1e-3, 1e-2]),
    "far apart": ([0.0, 5.0, 1e4], [1.0, 3.0, 5e3]),
    "a certain winner": ([0.0, 1.0, 9.0], [0.1, 0.2, 0.3]),
}


@pytest.mark.parametrize(("means", "deviations"), NORMALS.values(), ids=NORMALS)
def test_normal_argmax_agrees_with_scipy(means: list[float], deviations: list[float]) -> None:
    reference = normal_reference(means, deviations)
    np.testing.assert_allclose(normal_argmax(means, deviations), reference, rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("arms", [2, 10, 100])
def test_powers_of_uniform_numbers_win_by_their_shapes(arms: int) -> None:
    """Beta(α, 1) is U^{1/α}, and −log U / α is exponential: P(i) = α_i / Σ α."""
    alphas = np.logspace(-3, 6, arms)
    for shapes in (alphas, alphas[::-1], np.full(arms, 1e-3), np.linspace(0.5, 2.0, arms)):
        law = beta_argmax(shapes.tolist(), [1.0] * arms)
        np.testing.assert_allclose(law, shapes / shapes.sum(), rtol=0.0, atol=1e-9)


def exact_beta(a: int, b: int) -> Fraction:
    return Fraction(factorial(a - 1) * factorial(b - 1), factorial(a + b - 1))


@pytest.mark.parametrize(
    "shapes", [(1, 1, 1, 1), (3, 5, 2, 9), (1, 40, 7, 90), (80, 3, 30, 1), (200, 300, 250, 310)]
)
def test_two_betas_with_whole_shapes(shapes: tuple[int, int, int, int]) -> None:
    """P(X > Y) = Σ_{i<a} B(c + i, b + d) / ((b + i) B(1 + i, b) B(c, d))."""
    a, b, c, d = shapes
    terms = (exact_beta(c + i, b + d) / ((b + i) * exact_beta(1 + i, b)) for i in range(a))
    first = float(sum(terms) / exact_beta(c, d))
    np.testing.assert_allclose(beta_argmax([a, c], [b, d]), [first, 1.0 - first], atol=1e-11)


def test_two_normals_differ_by_a_normal() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        means, widths = rng.normal(size=2), 10.0 ** rng.uniform(-4, 2, 2)
        first = special.ndtr((means[0] - means[1]) / np.hypot(*widths))
        law = normal_argmax(means.tolist(), widths.tolist())
        np.testing.assert_allclose(law, [first, 1.0 - first], atol=1e-11)


@pytest.mark.parametrize("arms", [1, 2, 3, 100])
@pytest.mark.parametrize("shapes", [(1e-3, 1e-3), (1e-3, 1e6), (1.0, 1.0), (0.5, 30.0), (1e6, 1e6)])
def test_equal_laws_share_alike(arms: int, shapes: tuple[float, float]) -> None:
    for law in (beta_argmax, normal_argmax):
        shares = law([shapes[0]] * arms, [shapes[1]] * arms)
        np.testing.assert_allclose(shares, [1.0 / arms] * arms, atol=1e-12)


@pytest.mark.parametrize("law", [beta_argmax, normal_argmax])
def test_an_order_of_the_laws_is_an_order_of_the_results(law: Law) -> None:
    rng = np.random.default_rng(4)
    first, second = 10.0 ** rng.uniform(-2, 3, (2, 12))
    order = rng.permutation(12)
    permuted = law(first[order].tolist(), second[order].tolist())
    np.testing.assert_allclose(permuted, np.array(law(first, second))[order], atol=1e-12)


def test_moving_and_stretching_normal_laws_changes_nothing() -> None:
    means, widths = np.array([0.2, 0.5, 0.1]), np.array([0.1, 0.3, 2.0])
    law = normal_argmax(means.tolist(), widths.tolist())
    moved = normal_argmax((7.0 + 50.0 * means).tolist(), (50.0 * widths).tolist())
    np.testing.assert_allclose(moved, law, atol=1e-12)


def log_gamma_draws(rng: np.random.Generator, shapes: Array) -> Array:
    """Logarithms of gamma draws, as G(a) = G(a + 1) U^{1/a}: a small one is no float above 0."""
    size = (10**6, len(shapes))
    draws: Array = np.log(rng.gamma(shapes + 1.0, size=size)) - rng.exponential(size=size) / shapes
    return draws


def agree(plays: NDArray[np.intp], law: list[float]) -> bool:
    """Whether the frequencies fit; arms that are expected less than five times count as one."""
    expected, observed = len(plays) * np.array(law), np.bincount(plays, minlength=len(law))
    rare = expected < 5.0
    if observed[rare].sum() > 20:
        return False
    kept = stats.chisquare(observed[~rare], expected[~rare], sum_check=False)
    return bool(kept.pvalue > 1e-3)


@pytest.mark.parametrize("scale", [0.01, 0.1, 1.0, 30.0, 1000.0])
def test_frequencies_of_draws_agree(scale: float) -> None:
    rng = np.random.default_rng(5)
    alphas, betas = scale * rng.uniform(0.5, 1.0, (2, 5))
    log_odds = log_gamma_draws(rng, alphas) - log_gamma_draws(rng, betas)
    assert agree(log_odds.argmax(axis=1), beta_argmax(alphas.tolist(), betas.tolist()))
    draws = rng.normal(alphas, betas, (10**6, 5))
    assert agree(draws.argmax(axis=1), normal_argmax(alphas.tolist(), betas.tolist()))


@pytest.mark.parametrize("arms", [2, 5, 30, 100])
def test_results_are_probabilities_before_they_are_divided_by_their_sum(
    arms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums: list[float] = []

    def recorded(densities: Array, halves: Array) -> Array:
        sums.append(float(largest_of(densities, halves).sum()))
        return largest_of(densities, halves)

    monkeypatch.setattr(argmax, "largest_of", recorded)
    rng = np.random.default_rng(arms)
    for low, high in ((-3, 6), (-3, 0), (0, 3), (-3, 1), (5, 6)) * 6:
        law = beta_argmax(*(10.0 ** rng.uniform(low, high, (2, arms))).tolist())
        assert min(law) >= 0.0
        assert abs(sum(law) - 1.0) < 1e-12
        law = normal_argmax(
            rng.normal(size=arms).tolist(), (10.0 ** rng.uniform(low, high, arms)).tolist()
        )
        assert min(law) >= 0.0
        assert abs(sum(law) - 1.0) < 1e-12
    np.testing.assert_allclose(sums, 1.0, rtol=0.0, atol=1e-8)


SCRIPT = """
import sys
from driftbandit.core.numerics import argmax
print(argmax.beta_argmax([1 + i for i in range(40)], [90 - i for i in range(40)]))
print(argmax.normal_argmax([0.1 * i for i in range(40)], [1 + i for i in range(40)]))
print(sorted({"numba", "scipy"} & set(sys.modules)))
"""


def test_every_process_computes_the_same_floats_without_scipy_and_numba() -> None:
    runs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(runs) == 1
    assert runs.pop().splitlines()[-1] == "[]"
