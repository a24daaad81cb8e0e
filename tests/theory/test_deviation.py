"""The deviation inequalities: their formulas, the search for η, and where they hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftbandit import theory
from driftbandit.core.errors import InputError
from driftbandit.theory.peeling import FORMS
from previsible import Rule, always, forget_bad_luck, play, stop_above, stop_late

discounts = st.one_of(st.just(1.0), st.floats(0.01, 0.99), st.floats(0.99, 1.0))
strong = st.floats(0.3, 1.0)
"""Discounts whose powers a plain sum can hold."""
deltas = st.floats(0.05, 8.0)
forms = st.sampled_from(["sharp", "simple"])


def span(rounds: int, discount: float, least: float) -> float:
    """log(largest / least value of N_t(γ²)), as a sum."""
    weights = [discount ** (2 * k) for k in range(rounds)]
    return math.log(math.fsum(weights) / max(least, weights[-1]))


def gain(eta: float, form: str) -> float:
    if form == "simple":
        return 1.0 - eta**2 / 16.0
    root = math.sqrt(math.sqrt(1.0 + eta))
    return 4.0 / (root + 1.0 / root) ** 2


def over_slices(log_span: float, most: int, value: Callable[[int, float], float]) -> float:
    """The least value over all whole numbers of slices."""
    return min(value(D, math.expm1(log_span / D)) for D in range(1, most))


@given(deltas, st.integers(1, 100), strong, st.sampled_from([0.0, 1e-3, 0.5, 1.0]), forms)
def test_the_best_eta_is_that_of_a_search_over_all_slices(
    delta: float, rounds: int, discount: float, least: float, form: str
) -> None:
    log_span = span(rounds, discount, least)
    naive = over_slices(
        log_span, 2000, lambda D, eta: D * math.exp(-2.0 * delta**2 * max(0.0, gain(eta, form)))
    )
    fast = theory.deviation(delta, rounds, discount=discount, least=least, form=form)
    assert fast == pytest.approx(min(1.0, naive), rel=1e-9)


@given(st.floats(1e-9, 0.999999), st.integers(1, 100), strong, forms)
def test_the_threshold_is_that_of_a_search_over_all_slices(
    probability: float, rounds: int, discount: float, form: str
) -> None:
    log_span = span(rounds, discount, 0.1)

    def square(D: int, eta: float) -> float:
        return math.log(D / probability) / gain(eta, form) if gain(eta, form) > 0 else math.inf

    naive = math.sqrt(over_slices(log_span, 2000, square) / 2.0)
    fast = theory.deviation_threshold(probability, rounds, discount=discount, least=0.1, form=form)
    assert fast == pytest.approx(naive, rel=1e-9)


@given(st.floats(0.3, 5.0), st.integers(2, 10**6), discounts, forms)
def test_no_eta_is_better_than_the_best(
    delta: float, rounds: int, discount: float, form: str
) -> None:
    case: dict[str, Any] = {"discount": discount, "form": form}
    best = theory.deviation(delta, rounds, **case)
    tried = [
        theory.deviation(delta, rounds, eta=eta, **case) for eta in np.geomspace(1e-3, 1e3, 99)
    ]
    assert best <= min(tried) * (1.0 + 1e-12)
    eta = theory.best_eta(delta, rounds, **case)
    assert theory.deviation(delta, rounds, eta=eta, **case) == pytest.approx(best, rel=1e-9)
    assert theory.deviation(delta, rounds, **case | {"form": "sharp"}) <= best


@given(st.floats(1e-12, 0.9), st.integers(1, 10**9), discounts, forms)
def test_thresholds_invert_the_bounds(
    probability: float, rounds: int, discount: float, form: str
) -> None:
    case: dict[str, Any] = {"discount": discount, "form": form, "bound": 3.0}
    for threshold, bound in (
        (theory.deviation_threshold, theory.deviation),
        (theory.maximal_threshold, theory.maximal_deviation),
    ):
        delta = threshold(probability, rounds, **case)
        assert bound(delta, rounds, **case) == pytest.approx(probability, rel=1e-6)
        assert bound(0.999 * delta, rounds, **case) > probability


def test_with_a_given_eta_they_are_the_printed_formulas() -> None:
    t, gamma, eta, delta, B = 500, 0.98, 0.3, 4.1, 1.5
    n, n2 = (1 - gamma**t) / (1 - gamma), (1 - gamma ** (2 * t)) / (1 - gamma**2)
    tail = math.exp(-2 * delta**2 / B**2 * (1 - eta**2 / 16))
    case: dict[str, Any] = {"bound": B, "eta": eta, "form": "simple"}

    def slices(largest: float) -> int:
        return math.ceil(math.log(largest) / math.log(1 + eta))

    printed = {"discount": gamma, "as_printed": True, **case}
    assert theory.deviation(delta, t, **printed) == pytest.approx(slices(n) * tail)
    maximal = slices(gamma ** (-2 * t) * n2) * tail
    assert theory.maximal_deviation(delta, t, **printed) == pytest.approx(maximal)
    assert theory.deviation(delta, t, window=60, **case) == pytest.approx(slices(60) * tail)
    exponent = 8 / ((1 + eta) ** 0.25 + (1 + eta) ** -0.25) ** 2
    sharp = slices(60) * math.exp(-(delta**2) / B**2 * exponent)
    assert theory.deviation(delta, t, window=60, bound=B, eta=eta) == pytest.approx(sharp)


@given(deltas, st.integers(1, 10**6), discounts)
def test_identities(delta: float, rounds: int, discount: float) -> None:
    one: dict[str, Any] = {"discount": discount}
    assert theory.deviation(delta, 1, **one) == theory.hoeffding(delta)
    assert theory.maximal_deviation(delta, 1, **one) == theory.hoeffding(delta)
    maximal = theory.maximal_deviation(delta, rounds, **one)
    assert maximal == pytest.approx(theory.deviation(delta, rounds, least=0.0, **one))
    assert theory.deviation(delta, rounds, **one) <= maximal
    assert theory.maximal_deviation(delta, rounds, as_printed=True, **one) >= maximal * (
        0.0 if rounds == 1 else 1.0 - 1e-12
    )
    full = theory.maximal_deviation(delta, rounds)
    assert full == theory.deviation(delta, rounds) == theory.deviation(delta, rounds, window=rounds)
    assert full == theory.maximal_deviation(delta, rounds, window=rounds + 5)
    assert theory.deviation(4 * delta, rounds, bound=4.0, **one) == pytest.approx(
        theory.deviation(delta, rounds, **one)
    )


def test_one_possible_value_takes_one_slice_and_not_none() -> None:
    for case in ({}, {"window": 1}, {"discount": 0.9}):
        rounds = 7 if "window" in case else 1
        assert theory.deviation(1.0, rounds, **case) == theory.hoeffding(1.0)
        assert theory.deviation(1.0, rounds, as_printed=True, **case) == 0.0
        assert theory.best_eta(1.0, rounds, **case) == 0.0
        assert theory.deviation(1.0, rounds, eta=0.0, **case) == theory.hoeffding(1.0)


def test_what_cannot_happen_has_no_probability() -> None:
    assert theory.deviation(1.0, 10, least=11.0) == 0.0
    assert theory.deviation(1.0, 10, least=10.0) == theory.hoeffding(1.0)
    assert theory.deviation_threshold(0.1, 10, least=11.0) == 0.0
    largest = (1 - 0.9**20) / (1 - 0.81)
    assert theory.deviation(1.0, 10, discount=0.9, least=largest) == pytest.approx(
        theory.hoeffding(1.0)
    )


def test_a_window_adds_up_the_rounds_after_the_first_windowful() -> None:
    once = theory.deviation(3.0, 100, window=100)
    assert theory.maximal_deviation(3.0, 300, window=100) < 201 * once * (1 + 1e-12)
    assert theory.maximal_deviation(3.0, 300, window=100) > 200 * once


@pytest.mark.parametrize("form", FORMS)
def test_extremes_neither_overflow_nor_stall(form: str) -> None:
    for rounds, discount, delta in product(
        (1, 10, 2**53), (1e-300, 0.5, 1.0 - 2.0**-53, 1.0), (1e-300, 1.0, 30.0, 1e300)
    ):
        case: dict[str, Any] = {"discount": discount, "form": form}
        bound = theory.maximal_deviation(delta, rounds, **case)
        assert 0.0 <= bound <= 1.0
        assert bound == 1.0 or delta > 0.1
        assert theory.best_eta(delta, rounds, least=0.0, **case) >= 0.0
    assert 4.0 < theory.maximal_threshold(1e-3, 2**53, discount=0.5, form=form) < 7.0
    assert theory.maximal_threshold(1e-300, 2**53, discount=0.5, form=form) < 30.0
    assert theory.deviation(3.0, 2**53, eta=1e-320, form=form) == 1.0
    assert theory.deviation_threshold(0.1, 2**53, eta=1e-320, form=form) < 30.0


def test_the_pull_of_the_sharp_form_is_largest_at_its_peak() -> None:
    sharp = FORMS["sharp"]
    y = np.linspace(0.01, 30.0, 30_000)
    pulls = [sharp.pull(float(value)) for value in y]
    assert abs(y[np.argmax(pulls)] - sharp.peak) < 2e-3
    assert (np.diff(np.sign(np.diff(pulls))) != 0).sum() == 1
    h = 1e-6
    for form in FORMS.values():
        for point in (0.1, 0.7, 1.5):
            slope = (form.gain(point + h) - form.gain(point - h)) / (2 * h)
            assert form.pull(point) == pytest.approx(-point * slope, rel=1e-6)


@given(st.floats(0.05, 0.999), st.sets(st.integers(0, 200), min_size=1))
def test_weight_of_is_the_least_weight_of_a_count(discount: float, ages: set[int]) -> None:
    count = math.fsum(discount**age for age in ages)
    weight = math.fsum(discount ** (2 * age) for age in ages)
    assert weight >= theory.weight_of(count, discount) * (1 - 1e-12)


BAD: list[tuple[Callable[..., float], tuple[float, ...], dict[str, Any], str]] = [
    (theory.deviation, (0.0, 10), {}, "delta"),
    (theory.deviation, (math.nan, 10), {}, "delta"),
    (theory.deviation, (1.0, 0), {}, "rounds"),
    (theory.deviation, (1.0, 10), {"discount": 0.0}, "discount"),
    (theory.deviation, (1.0, 10), {"discount": 1.1}, "discount"),
    (theory.deviation, (1.0, 10), {"discount": 0.9, "window": 5}, "discount"),
    (theory.deviation, (1.0, 10), {"window": 0}, "window"),
    (theory.deviation, (1.0, 10), {"bound": 0.0}, "bound"),
    (theory.deviation, (0.0, 10), {"least": 11.0}, "delta"),
    (theory.deviation_threshold, (0.1, 10), {"least": 11.0, "bound": 0.0}, "bound"),
    (theory.deviation, (1.0, 10), {"eta": 0.0}, "eta"),
    (theory.deviation, (1.0, 10), {"form": "blunt"}, "form"),
    (theory.deviation, (1.0, 10), {"least": -1.0}, "least"),
    (theory.deviation, (1.0, 10), {"least": 0.5, "as_printed": True}, "least"),
    (theory.maximal_deviation, (1.0, 10), {"window": 5, "as_printed": True}, "window"),
    (theory.maximal_threshold, (0.0, 10), {}, "probability"),
    (theory.deviation_threshold, (1.0, 10), {}, "probability"),
    (theory.deviation_threshold, (0.1, 10), {"bound": -1.0}, "bound"),
    (theory.hoeffding, (-1.0,), {}, "delta"),
    (theory.weight_of, (1.0, 1.0), {}, "discount"),
    (theory.weight_of, (0.0, 0.5), {}, "count"),
]


@pytest.mark.parametrize(("function", "arguments", "keywords", "culprit"), BAD)
def test_bad_input_is_named(
    function: Callable[..., float],
    arguments: tuple[float, ...],
    keywords: dict[str, Any],
    culprit: str,
) -> None:
    with pytest.raises(InputError, match=f"^{culprit} must"):
        function(*arguments, **keywords)


HALF = np.full(300, 0.5)
RUNS = 2_000


def standard_error(bound: float) -> float:
    return math.sqrt(bound * (1.0 - min(bound, 1.0)) / RUNS)


@pytest.mark.parametrize(("discount", "least"), [(0.9, 0.9), (0.99, 0.5)])
def test_the_printed_inequality_fails_if_one_may_stop(discount: float, least: float) -> None:
    history = play(stop_above(1.5), np.full(10_000, 0.5), discount, runs=250)
    share = (history.ratio[-1] > 1.5).mean()
    assert share > least
    for form in FORMS:
        case: dict[str, Any] = {"discount": discount, "form": form, "as_printed": True}
        assert theory.deviation(1.5, 10_000, **case) < 0.1


def rules(delta: float, gamma: float) -> list[Rule]:
    late = [stop_late(delta, gamma, least) for least in (1.0, 0.01)]
    return [always, stop_above(delta), forget_bad_luck(delta), *late]


@pytest.mark.parametrize("gamma", [0.5, 0.9, 0.99, 1.0])
@pytest.mark.parametrize("delta", [0.9, 1.3, 1.7])
def test_the_repaired_and_the_maximal_inequality_hold(gamma: float, delta: float) -> None:
    case: dict[str, Any] = {"discount": gamma}
    for rule in rules(delta, gamma):
        history = play(rule, HALF, gamma, RUNS, seed=1)
        for least in (1.0, 0.01, 0.0):
            bound = theory.deviation(delta, len(HALF), least=least, **case)
            share = ((history.ratio[-1] > delta) & (history.weight[-1] >= least)).mean()
            assert share <= bound + 4.0 * standard_error(bound)
        bound = theory.maximal_deviation(delta, len(HALF), **case)
        assert (history.ratio > delta).any(axis=0).mean() <= bound + 4.0 * standard_error(bound)


def test_hoeffding_fails_if_one_may_stop_and_the_paper_s_inequality_holds() -> None:
    history = play(stop_above(1.1), np.full(2_000, 0.5), 1.0, runs=1_000)
    share = (history.ratio[-1] > 1.1).mean()
    assert share > 1.5 * theory.hoeffding(1.1)
    assert share < theory.deviation(1.1, 2_000)
    fixed = play(always, np.full(2_000, 0.5), 1.0, runs=1_000)
    assert (fixed.ratio[-1] > 1.1).mean() < theory.hoeffding(1.1)
