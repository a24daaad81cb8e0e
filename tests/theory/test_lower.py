"""Section 4: the lower bound, its printed constants, and every shipped policy above it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import driftbandit as db
from driftbandit import theory
from driftbandit.theory import kl_bernoulli, kl_finite, kl_gaussian, lower, statements

BEST, WORST, NEW = 0.5, 0.1, 0.6
ALPHA, DELTA = kl_bernoulli(WORST, NEW), NEW - BEST

chances = st.floats(0.001, 0.999)


@given(chances, chances)
def test_divergences_agree_and_bound_the_distance(p: float, q: float) -> None:
    value = kl_bernoulli(p, q)
    assert value == pytest.approx(kl_finite([p, 1 - p], [q, 1 - q]))
    assert abs(p - q) <= math.sqrt(value / 2) + 1e-12  # Pinsker
    mirrored = kl_finite({1.0: p, 0.0: 1 - p}, {0.0: 1 - q, 1.0: q})
    assert value == pytest.approx(mirrored)


def test_divergences_have_all_digits_where_the_laws_are_close() -> None:
    """Where a logarithm is a small difference of large numbers, and so was even negative."""
    with localcontext() as context:
        context.prec = 400
        for p in (0.5, 0.1, 1e-5, 0.999, 1.0 - 1e-12, 1e-300, 0.0):
            for q in (p + 1e-9, abs(p - 1e-9), p + 1e-15, p * 1.04, p / 2.1, p * 1e-12):
                if not (0.0 < q < 1.0):
                    continue
                a, b = Decimal(p), Decimal(q)
                exact = (a * (a / b).ln() if p else 0) + (1 - a) * ((1 - a) / (1 - b)).ln()
                assert kl_bernoulli(p, q) == pytest.approx(float(exact), rel=1e-12, abs=0)
        for s in (1.0 + 1e-9, 1.0 - 1e-7, 1.2, 0.7, 30.0, 1e-40):
            square = Decimal(s) ** 2
            exact = (square - 1 - square.ln()) / 2
            assert kl_gaussian(0.0, 0.0, s) == 0.0
            assert kl_gaussian(0.0, 0.0, s, 1.0) == pytest.approx(float(exact), rel=1e-12, abs=0)
    assert kl_finite([0.5, 0.3, 0.2], [0.5, 0.3 + 1e-9, 0.2 - 1e-9]) == pytest.approx(
        0.5e-18 * (1 / 0.3 + 1 / 0.2), rel=1e-6, abs=0
    )


def test_gaussian_divergence_is_its_integral() -> None:
    x = np.linspace(-30, 30, 200_001)
    for p, q, s, r in ((0.0, 1.0, 1.0, 1.0), (0.3, -0.4, 0.5, 2.0)):
        log_p, log_q = (-((x - m) ** 2) / (2 * d * d) - np.log(d) for m, d in ((p, s), (q, r)))
        density = np.exp(log_p) / np.exp(log_p).sum()
        assert kl_gaussian(p, q, s, r) == pytest.approx((density * (log_p - log_q)).sum(), abs=1e-6)


def test_without_a_root_of_two_the_distance_is_not_bounded() -> None:
    """Erratum: ½√KL is less than the distance of two coins that it should bound."""
    assert abs(0.5 - 0.6) > 0.5 * math.sqrt(kl_bernoulli(0.5, 0.6))


def every_period(N: float, T: int, delta: float, alpha: float) -> float:
    values = [0.0]
    for tau in range(1, T + 1):
        M = T // tau
        values.append(delta * (tau - N / M - tau * math.sqrt(alpha * N / (2 * M))))
    return max(values)


@pytest.mark.parametrize("N", [0.0, 0.5, 3.0, 40.0, 300.0, 1999.0, 2000.0])
@pytest.mark.parametrize("alpha", [0.001, 0.1, 3.0])
def test_the_bound_is_that_of_the_best_period(N: float, alpha: float) -> None:
    bound = lower.after(N, 2000, DELTA, alpha).value
    assert bound == pytest.approx(every_period(N, 2000, DELTA, alpha), rel=1e-9, abs=1e-9)


def test_the_printed_constant_is_twice_the_maximum_it_should_be() -> None:
    """Erratum: even with the printed inequality, 16/27 is the most; 32/27 is printed."""
    T, N, alpha = 10**9, 1000.0, 0.5
    tau = np.geomspace(1e3, 1e8, 400_001)
    values = tau - tau * N / (T - tau) - 0.5 * np.sqrt(alpha * tau**3 * N / (T - tau))
    most = values.max() * alpha * N / T
    assert most == pytest.approx(16 / 27, rel=0.01)
    printed = lower.after(N, T, 1.0, alpha, as_printed=True).value * alpha * N / T
    assert printed == pytest.approx(32 / 27)


@pytest.mark.parametrize("alpha", [0.001, 0.02])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_constant_that_holds(alpha: float, share: float) -> None:
    """0.13 δ (μ(1) − μ(K)) T / (α E[R_T]) for 32/(9α) ≤ E[N_T(K)] ≤ T/16."""
    T = 10**7
    low, high = 32 / (9 * alpha), T / 16
    N = low ** (1 - share) * high**share
    bound = lower.after(N, T, DELTA, alpha).value
    assert bound >= lower.constant(DELTA, 1.0, alpha) * T / N


def test_the_corollary_is_not_for_every_horizon() -> None:
    """Erratum: √(C T) at T = 1 is more than any regret can be; ours never is."""
    alpha = kl_bernoulli(0.49, 0.51)
    assert lower.any_policy(1, 0.01, 0.01, alpha, as_printed=True).value > 0.3
    for T in (1, 2, 10, 1000):
        assert lower.any_policy(T, 0.01, 0.01, alpha).value <= 0.01 * T


def test_any_policy_is_a_crossing_and_grows_as_the_root() -> None:
    values = {}
    for T in (10**3, 10**5, 10**7):
        r = lower.any_policy(T, 0.2, DELTA, ALPHA).value
        assert r == pytest.approx(lower.after(r / 0.2, T, DELTA, ALPHA).value, rel=1e-6)
        values[T] = r
    slopes = [math.log10(b / a) / 2 for a, b in itertools.pairwise(values.values())]
    assert slopes == pytest.approx([0.5, 0.5], abs=0.03)


def test_logarithmic_policies_pay_t_over_log_t() -> None:
    ratios = [
        lower.after_logarithm(5.0, T, DELTA, ALPHA).value * math.log(T) / T
        for T in (10**4, 10**6, 10**8)
    ]
    assert ratios == pytest.approx([ratios[-1]] * 3, rel=0.1)


T = 20_000
POLICIES = [
    db.UCB1(),
    db.UCB1(xi=2.0, label="UCB-1 of Auer"),
    db.DiscountedUCB.tuned(T, 2),
    db.DiscountedUCB.tuned(T, 2, padding=1.0, label="D-UCB (padding B)"),
    db.SlidingWindowUCB.tuned(T, 2),
    db.EXP3S.tuned(T, 2, 2),
    db.EXP3.tuned(T, 2),
    db.Uniform(),
]
OTHERS = pytest.param([db.EXP3P.tuned(T, 2), db.UCBV(), db.Softmax()], marks=pytest.mark.slow)


@pytest.mark.parametrize("policies", [POLICIES, OTHERS])
def test_no_policy_beats_the_lower_bound(policies: list[db.Strategy]) -> None:
    """Regret in the family of the proof, with the period that is worst for each policy."""
    still = db.environments.Stationary(means=(BEST, WORST))
    calm = db.simulate(policies, still, T, 256, checkpoints=(T,))
    alone = lower.any_policy(T, BEST - WORST, DELTA, ALPHA).value
    for policy in policies:
        plays = calm[policy.label].plays[:, 1].mean()
        bound = lower.after(plays, T, DELTA, ALPHA)
        family = lower.worlds([BEST, WORST], NEW, T, int(bound.terms["periods"]))
        means = [
            db.simulate(policy, world, T, 64, checkpoints=(T,))[policy.label].final_regret.mean()
            for world in family[:: max(1, len(family) // 16)]
        ]
        assert np.mean(means) >= bound.value
        assert max(calm[policy.label].final_regret.mean(), np.mean(means)) >= alone
        if policy.label == "UCB-1":
            assert bound.value > 20  # it says something


class Ends:
    """Names that end in trouble."""

    def __iter__(self) -> Any:
        raise RuntimeError("no more")


BAD = [
    (lambda: kl_bernoulli(1.2, 0.5), r"p must lie in \[0, 1\], got 1.2"),
    (lambda: kl_finite([0.5, 0.6], [0.5, 0.5]), "p must be probabilities"),
    (lambda: kl_finite([1.0], [0.5, 0.5]), "same outcomes"),
    (lambda: kl_finite(0.5, 0.5), "lists of probabilities"),  # type: ignore[arg-type]  # that is the point
    (lambda: kl_gaussian(0.0, 1.0, sd=0.0), "sd must lie in"),
    (lambda: kl_gaussian(0.0, 1.0, other_sd=5e-324), "other_sd must be at least 1e-100"),
    (
        lambda: statements(1000, 1, 0.1, Ends()),  # type: ignore[arg-type]  # that is the point
        "policies cannot be gone through: 'RuntimeError: no more'",
    ),
    (lambda: lower.after(-1.0, 100, 0.1, 0.1), "plays must lie in"),
    (lambda: lower.any_policy(0, 0.1, 0.1, 0.1), "horizon must be a whole number"),
    (lambda: lower.worlds(0.5, 0.7, 10, 2), "means must be a list"),  # type: ignore[arg-type]  # that is the point
    (lambda: lower.worlds([0.3, 0.5], 0.9, 100, 2), "means must have their largest first"),
    (lambda: lower.worlds([0.5, 0.3], 0.4, 100, 2), "changed must lie in"),
    (lambda: lower.worlds([0.5, 0.3], 0.9, 100, 200), "rounds of a period"),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_questions_get_a_clear_answer(call: Callable[[], object], words: str) -> None:
    with pytest.raises(db.InputError, match=words):
        call()


def test_the_printed_form_is_marked() -> None:
    assert not theory.lower.after(10.0, 1000, DELTA, ALPHA, as_printed=True).holds
    assert theory.lower.after(10.0, 1000, DELTA, ALPHA).lower


def test_series_of_pandas_are_paired_by_their_index() -> None:
    p, q = pd.Series({0.0: 0.3, 1.0: 0.7}), pd.Series({1.0: 0.8, 0.0: 0.2})
    assert kl_finite(p, q) == kl_finite({0.0: 0.3, 1.0: 0.7}, {0.0: 0.2, 1.0: 0.8})
