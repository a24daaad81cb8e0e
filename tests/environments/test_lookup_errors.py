"""Rewards that are looked up are the law's quantiles, up to the error that is stated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from driftbandit.core.numerics import six_point_error, spline_error
from driftbandit.environments import laws
from driftbandit.environments.laws.lookup import REACH, grid, shares
from driftbandit.environments.laws.rows_by_mean import ERROR
from looked_up import MEANS, Floats, Paid, exact, paid

CONCENTRATIONS = (0.3, 0.5, 1.0, 1.7, 2.0, 5.0, 40.0, 1e3, 1e6)
SIGMAS = (1e-6, 0.01, 0.1, 0.5, 1.0, 10.0)
LUCK = st.one_of(st.floats(2.0**-53, 1.0 - 2.0**-53), st.floats(-15.0, 15.0).map(special.expit))
SHARES = st.one_of(st.floats(0.0, 1.0), st.floats(-12.0, 12.0).map(special.expit))


@given(st.sampled_from(CONCENTRATIONS), st.sampled_from(MEANS), LUCK)
def test_beta_rewards_of_a_few_means(concentration: float, mean: float, u: float) -> None:
    law = laws.Beta(concentration)
    reward = paid(law, MEANS).plain(u, mean)
    assert 0.0 <= reward <= 1.0
    assert abs(reward - exact(law, u, mean)) <= ERROR


@given(st.floats(0.2, 100.0), SHARES, LUCK)
def test_beta_rewards_of_any_single_mean(concentration: float, mean: float, u: float) -> None:
    law = laws.Beta(concentration)
    assert abs(Paid(law, (mean,)).plain(u, mean) - exact(law, u, mean)) <= ERROR


@given(st.sampled_from([c for c in CONCENTRATIONS if c >= 1.0]), SHARES, LUCK)
def test_beta_rewards_of_means_that_move(concentration: float, mean: float, u: float) -> None:
    law = laws.Beta(concentration)
    reward = paid(law, None).plain(u, mean)
    assert 0.0 <= reward <= 1.0
    assert abs(reward - exact(law, u, mean)) <= (2e-6 if concentration < 2.0 else 7e-7)


@given(st.sampled_from(SIGMAS), SHARES, LUCK)
def test_clipped_gaussian_rewards(sigma: float, mean: float, u: float) -> None:
    law = laws.ClippedGaussian(sigma)
    assert abs(paid(law, None).plain(u, mean) - exact(law, u, mean)) <= 1e-11 + 6e-11 * sigma


@pytest.mark.parametrize("means", [(0.1, 0.5, 0.8), None], ids=["rows", "grid"])
def test_a_million_beta_rewards_have_the_beta_law(means: tuple[float, ...] | None) -> None:
    luck = np.random.default_rng(8).random(1_000_000)
    for mean in (0.1, 0.5, 0.8):
        values = paid(laws.Beta(5.0), means).compiled(luck, np.full(luck.size, mean))
        truth = stats.beta(5.0 * mean, 5.0 * (1.0 - mean))
        assert stats.kstest(values, truth.cdf).pvalue > 0.01
        rarest = truth.ppf([1e-4, 1.0 - 1e-4])
        assert stats.binomtest(int((values < rarest[0]).sum()), luck.size, 1e-4).pvalue > 0.01
        assert stats.binomtest(int((values > rarest[1]).sum()), luck.size, 1e-4).pvalue > 0.01


def test_clipped_gaussian_rewards_keep_their_mean_and_ends() -> None:
    law, luck = laws.ClippedGaussian(0.3), (np.arange(1_000_000) + 0.5) / 1_000_000
    for mean in (0.02, 0.4, 0.9):
        values = paid(law, None).compiled(luck, np.full(luck.size, mean))
        assert values.mean() == pytest.approx(mean, abs=1e-6)
        assert (values == 0.0).mean() == pytest.approx(
            np.mean([exact(law, float(u), mean) == 0.0 for u in luck[::1_000]]), abs=2e-3
        )


def sixth_derivative(odds: Floats, a: float, b: float) -> Floats:
    """The sixth derivative of the beta quantile of 1 / (1 + e⁻ˢ) in s, by its power series.

    u' = u − u², x' = p, and p' = p (1 − 2u − p ((a − 1) / x − (b − 1) / (1 − x))), since p is
    u (1 − u) over the density at x.
    """
    u, x = [special.expit(odds)], [special.betaincinv(a, b, special.expit(odds))]
    p = [u[0] * special.expit(-odds) / stats.beta(a, b).pdf(x[0])]
    under, over = [1.0 / x[0]], [1.0 / (1.0 - x[0])]

    def product(one: Sequence[Floats], other: Sequence[Floats], k: int) -> Floats:
        return np.asarray(sum(one[i] * other[k - i] for i in range(k + 1)))

    bend: list[Floats] = []
    for k in range(6):
        if k > 0:  # the series of 1/x and of 1/(1 − x)
            known = sum(x[i] * under[k - i] for i in range(1, k + 1))
            under.append(-known / x[0])
            over.append(sum(x[i] * over[k - i] for i in range(1, k + 1)) / (1.0 - x[0]))
        force = [
            (a - 1.0) * left - (b - 1.0) * right for left, right in zip(under, over, strict=True)
        ]
        bend.append((1.0 if k == 0 else 0.0) - 2.0 * u[k] - product(p, force, k))
        u.append((u[k] - product(u, u, k)) / (k + 1))
        x.append(p[k] / (k + 1))
        p.append(product(p, bend, k) / (k + 1))
    return np.asarray(720.0 * x[6])


@pytest.mark.parametrize(
    ("concentration", "error"),
    [(1.0, 2e-6), (1.3, 1.3e-6), (2.0, 7.4e-7), (5.0, 4e-7), (1e4, 3e-7)],
)
def test_the_error_of_a_grid_is_that_of_a_spline(concentration: float, error: float) -> None:
    """The estimate from the third differences, and the largest error on a lattice out of step."""
    odds, mean_odds = np.arange(-8.99, 8.99, 1.0 / 31.0), np.arange(-7.99, 7.99, 1.0 / 29.0)
    luck, means = (
        special.expit(part).ravel() for part in np.broadcast_arrays(odds, mean_odds[:, None])
    )
    values = paid(laws.Beta(concentration), None).compiled(luck, means)
    truth = special.betaincinv(means * concentration, (1.0 - means) * concentration, luck)
    luck_odds, all_odds = np.array(grid(9.0, 16, 8)), np.array(grid(8.0, 16, 8))[:, None]
    shapes = special.expit(all_odds) * concentration, special.expit(-all_odds) * concentration
    estimate = spline_error(special.betaincinv(*shapes, special.expit(luck_odds)))
    assert np.abs(values - truth).max() <= estimate <= 1.1 * error


def steepest_sixth(a: float, b: float) -> float:
    """The largest where the quantile is at most ½; the law with a and b swapped has the rest."""
    odds = np.linspace(-REACH, REACH, 24 * 64 + 1)
    x = special.betaincinv(a, b, special.expit(odds))
    return float(np.abs(sixth_derivative(odds[(x > 1e-30) & (x <= 0.5)], a, b)).max(initial=0.0))


@pytest.mark.parametrize("concentration", [0.5, 1.0, 2.0, 5.0, 50.0, 1e3])
def test_the_error_follows_from_the_sixth_derivative(concentration: float) -> None:
    """|error| ≤ 225/64 h⁶/6! max |f⁽⁶⁾|, and what the nodes say of it is no less."""
    for mean in (0.01, 0.1, 0.3, 0.5, 0.8, 0.97):
        a, b = mean * concentration, (1.0 - mean) * concentration
        steepest = max(steepest_sixth(a, b), steepest_sixth(b, a))
        for per_unit in (16, 32, 64):
            bound = 225.0 / 64.0 / 720.0 * steepest / per_unit**6
            nodes = special.betaincinv(a, b, shares(grid(REACH, per_unit, 2)))
            assert bound <= six_point_error(nodes) + 2e-14
            assert six_point_error(nodes) <= 2.5 * bound + 2e-12 or bound > 1e-9
