"""Policies as values: parameters, tuning rules, JSON."""

from __future__ import annotations

import dataclasses
import inspect
import math
import pickle
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import driftbandit as db
import naive
import naive_weights
from driftbandit.core.value import Value
from driftbandit.policies import CATALOGUE


def test_the_paper_s_parameters() -> None:
    assert db.EXP3S.tuned(horizon=10_000, breakpoints=2, arms=3).exploration == pytest.approx(
        0.0638, abs=5e-5
    )
    for horizon, breakpoints, bound in ((10_000, 2, 1.0), (500, 3, 2.0), (10**6, 40, 0.5)):
        discounted = db.DiscountedUCB.tuned(horizon, breakpoints, bound=bound)
        assert discounted.forget == db.Discount(naive.tuned_discount(horizon, breakpoints, bound))
        windowed = db.SlidingWindowUCB.tuned(horizon, breakpoints, bound=bound)
        assert windowed.forget == db.Window(naive.tuned_window(horizon, breakpoints, bound))
        assert (
            db.DiscountedThompson.tuned(horizon, breakpoints, bound=bound).forget
            == discounted.forget
        )
        assert (
            db.SlidingWindowThompson.tuned(horizon, breakpoints, bound=bound).forget
            == windowed.forget
        )
        exp3s = db.EXP3S.tuned(horizon, breakpoints, arms=7)
        assert (exp3s.exploration, exp3s.sharing) == naive_weights.tuned_exp3s(
            horizon, breakpoints, 7
        )
        assert db.EXP3.tuned(horizon, arms=7).exploration == naive_weights.tuned_exp3(horizon, 7)
        exp3p = db.EXP3P.tuned(horizon, arms=7, delta=0.1)
        assert (exp3p.exploration, exp3p.confidence) == naive_weights.tuned_exp3p(horizon, 7, 0.1)
        six = db.EXP3SIX.tuned(horizon, breakpoints, arms=7)
        assert (six.rate, six.sharing) == pytest.approx(
            naive_weights.tuned_exp3_six(horizon, breakpoints, 7), rel=1e-12
        )
        rexp3 = db.REXP3.tuned(horizon, variation=bound * breakpoints, arms=7, bound=bound)
        assert (rexp3.batch, rexp3.exploration) == naive_weights.tuned_rexp3(
            horizon, breakpoints, 7
        )
    for density in (1e-5, 0.01, 0.3):
        assert db.DiscountedUCB.tuned(density=density).forget == db.Discount(
            naive.tuned_discount_density(density, 1.0)
        )
        assert db.SlidingWindowUCB.tuned(density=density).forget == db.Window(
            naive.tuned_window_density(density, 1.0)
        )


def test_doubling_epochs_change_at_powers_of_two() -> None:
    discount, window = db.DoublingDiscount(0.3, 2.0), db.DoublingWindow(0.3, 2.0)
    for t in (1, 2, 3, 4, 7, 8, 1023, 1024, 1025, 2**40 - 1, 2**40):
        factor = discount.factor(float(t), *discount.numbers())
        assert factor == pytest.approx(naive.doubling_discount(t, 0.3, 2.0), rel=1e-15)
        assert window.span(float(t), *window.numbers()) == naive.doubling_window(t, 0.3, 2.0)


def test_no_breakpoints_means_no_forgetting() -> None:
    assert db.EXP3SIX.tuned(100, 0, 3, label="EXP3-IX") == db.EXP3IX.tuned(100, 3)
    for variation in (0.0, 1e-300, 0.18):  # below √(K log K / T)
        steady = db.REXP3.tuned(100, variation, 3)
        assert (steady.batch, steady.exploration) == (100, db.EXP3.tuned(100, 3).exploration)
    assert db.DiscountedUCB.tuned(horizon=100, breakpoints=0).forget == db.Discount(1.0)
    assert db.SlidingWindowUCB.tuned(horizon=100, breakpoints=0).forget == db.Window(100)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: db.DiscountedUCB(1.2), "discount must lie in (0, 1], got 1.2"),
        (lambda: db.DiscountedUCB(0), "discount must lie in (0, 1], got 0"),
        (lambda: db.DiscountedUCB(cast(Any, "0.9")), "discount must lie in (0, 1], got '0.9'"),
        (lambda: db.DiscountedUCB(math.nan), "discount must lie in (0, 1], got nan"),
        (lambda: db.DiscountedUCB(0.9, xi=-1), "xi must lie in [0, inf), got -1"),
        (lambda: db.DiscountedUCB(0.9, bound=0), "bound must lie in (0, inf), got 0"),
        (lambda: db.DiscountedUCB(0.9, padding=math.inf), "padding must lie in [0, inf), got inf"),
        (
            lambda: db.SlidingWindowUCB(0),
            "window must be a whole number of at least 1, got 0",
        ),
        (
            lambda: db.SlidingWindowUCB(cast(Any, 2.5)),
            "window must be a whole number of at least 1, got 2.5",
        ),
        (lambda: db.EXP3S(0.0, 0.1), "exploration must lie in (0, 1], got 0.0"),
        (lambda: db.EXP3S(0.1, 1.1), "sharing must lie in [0, 1], got 1.1"),
        (lambda: db.EXP3SIX(0.1, 0.0), "implicit must lie in (0, inf), got 0.0"),
        (lambda: db.EXP3SIX(0.1, 0.1, 1.0), "sharing must lie in [0, 1), got 1.0"),
        (lambda: db.EXP3SIX.tuned(50, 49, 2), "breakpoints must be at most 48, got 49"),
        (lambda: db.REXP3(0.1, batch=0), "batch must be a whole number of at least 1, got 0"),
        (lambda: db.REXP3.tuned(50, -1.0, 2), "variation must lie in [0, inf), got -1.0"),
        (lambda: db.EXP3PP(beta=0), "beta must lie in (0, inf), got 0"),
        (lambda: db.AnytimeEXP3IX(bound=0), "bound must lie in (0, inf), got 0"),
        (lambda: db.EXP3R(0.1, 10, 1.0), "delta must lie in (0, 1), got 1.0"),
        (lambda: db.EXP3R.tuned(10**4, 3, 0.0), "gap must lie in (0, 1.0], got 0.0"),
        (
            lambda: db.EXP3R.tuned(10_000, 3, 0.4),
            "horizon must be longer than the interval, 11011 rounds for a gap of 0.4, got 10000",
        ),
        (lambda: db.Softmax(0), "temperature must lie in (0, inf), got 0"),
        (lambda: db.UCBV(zeta=-1), "zeta must lie in [0, inf), got -1"),
        (
            lambda: db.DiscountedUCB.tuned(horizon=100),
            "tuned needs horizon and breakpoints, or density, or growth",
        ),
        (
            lambda: db.SlidingWindowUCB.tuned(horizon=100, breakpoints=100),
            "breakpoints must be fewer than the horizon 100, got 100",
        ),
        (
            lambda: db.DiscountedUCB.tuned(horizon=100, growth=0.5),
            "growth must be given alone: tuned takes one kind of knowledge",
        ),
        (lambda: db.DiscountedUCB.tuned(density=2), "density must lie in (0, 1), got 2"),
        (lambda: db.DiscountedUCB.tuned(growth=1), "growth must lie in [0, 1), got 1"),
        (
            lambda: db.DiscountedUCB.tuned(growth=0, bound=0.2),
            "bound must lie in (0.25, inf), got 0.2",
        ),
        (lambda: db.Policy(forget=cast(Any, db.UCB())), "forget must be a Forget rule, got UCB("),
        (lambda: db.DiscountedUCB.tuned(100, 9, bound=0), "bound must lie in (0, inf), got 0"),
        (
            lambda: db.SlidingWindowUCB.tuned(100, 9, bound=math.nan),
            "bound must lie in (0, inf), got nan",
        ),
        (lambda: db.DiscountedUCB.tuned(100, 99, bound=0.2), "bound must lie in (0.249, inf)"),
        (
            lambda: db.Policy.from_json('{"kind": "driftbandit:forget.Full", "x": 1}'),
            "Full cannot be made from ['x']",
        ),
        (lambda: db.Policy.from_json("{"), "not valid JSON"),
        (
            lambda: db.Policy.from_json('{"kind": "os:path"}'),
            "kind must name a class of driftbandit, or one of your own that is defined here, as "
            "module:Class, got 'os:path'",
        ),
        (lambda: db.Policy.from_json(db.Uniform().to_json()), "expected a Policy, got Uniform"),
    ],
)
def test_bad_parameters(make: Callable[[], object], message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        make()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_rule_says_one_thing() -> None:
    with pytest.raises(db.InputError, match="exactly one of width and index"):

        @dataclasses.dataclass(frozen=True)
        class Silent(db.Explore):
            """Says nothing."""


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_named_policy_is_documented(name: str) -> None:
    make = CATALOGUE[name]
    doc = inspect.getdoc(make)
    assert doc is not None
    assert "Reference:" in doc
    assert ">>>" in doc
    assert inspect.signature(make)


def test_values_print_compare_and_survive() -> None:
    policy = db.DiscountedUCB(0.99)
    assert policy == db.DiscountedUCB(0.99)
    assert policy != db.DiscountedUCB(0.98)
    assert policy.replace(label="x").label == "x"
    assert db.Strategy.from_json(policy.to_json()) == policy
    assert Value.from_json(policy.to_json()) == policy
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert eval(repr(policy), {name: getattr(db, name) for name in dir(db)}) == policy
    with pytest.raises(dataclasses.FrozenInstanceError):
        policy.label = "y"  # type: ignore[misc]  # that is the point


def test_a_default_label_follows_the_parameters() -> None:
    composed = db.Policy(forget=db.Window(5))
    assert composed.replace(forget=db.Discount(0.9)) == db.Policy(forget=db.Discount(0.9))
    linear = db.linear.LinearPolicy()
    assert linear.replace(forget=db.Window(9)) == db.linear.LinearPolicy(forget=db.Window(9))
    doubled = db.Doubling("moss")
    assert doubled.replace(base=db.EXP3, known={"arms": 2}).label == "EXP3, doubling"
    assert db.EXP3S().replace(sharing=0.1).label == "EXP3.S"


def test_a_label_of_ones_own_stays() -> None:
    composed = db.Policy(forget=db.Window(5), label="mine")
    assert composed.replace(forget=db.Discount(0.9)).label == "mine"
    assert db.Doubling("moss", label="mine").replace(first=7).label == "mine"
    assert db.EXP3S(label="mine").replace(sharing=0.1).label == "mine"
    assert composed.replace(label="").label == composed.default_label()
    assert composed.replace(forget=db.Full(), label="yours").label == "yours"


@pytest.mark.parametrize("label", ["two\nlines", "half \ud800", " ", "a\0b", "a\tb", 5, None])
def test_a_label_is_a_text_that_a_table_can_show(label: Any) -> None:
    with pytest.raises(db.InputError, match="label must be a text of one line"):
        db.UCB1(label=label)


def test_a_label_is_a_plain_text_whatever_kind_of_text_it_was() -> None:
    policy = db.UCB1(label=np.str_("mine"))
    assert type(policy.label) is str
    assert "label='mine'" in repr(policy)


@pytest.mark.parametrize("label", ["\u200b", "\u2060 \u00a0", "\ufeff", "UCB \u202e1", "\u2066a"])
def test_a_label_can_be_seen_and_turns_nothing_round(label: str) -> None:
    with pytest.raises(db.InputError, match="label must be a text of one line, and visible"):
        db.UCB1(label=label)


@pytest.mark.parametrize("label", ["می\u200cخواهم", "👩\u200d🔬", "עברית", "ε-greedy", "e\u0301"])
def test_labels_of_all_languages_are_fine(label: str) -> None:
    assert db.UCB1(label=label).label == label
