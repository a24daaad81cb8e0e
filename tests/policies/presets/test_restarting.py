"""The named policies that start over: their cells, and what their tuning rules say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import driftbandit as db
import naive_detect as slow

TOLD = [(10_000, 2, 3), (500, 7, 10), (10**6, 40, 2)]


def close(rule: db.Detect | db.Force, kind: type, *numbers: float) -> bool:
    """Say whether a rule is of this kind, with these numbers up to rounding."""
    return type(rule) is kind and rule.numbers() == pytest.approx(numbers)


@pytest.mark.parametrize(("T", "changes", "K"), TOLD)
def test_tuning_rules(T: int, changes: int, K: int) -> None:
    for scope in ("all", "arm"):
        delta, rate = slow.tuned_glr(T, K)
        glr = db.GLRUCB.tuned(T, K, scope=scope)
        assert close(glr.detect, db.BernoulliGLR, delta, 10.0, 1.0)
        assert close(glr.force, db.GrowingSweeps, rate)
        delta, rate = slow.tuned_glr_known(T, changes, K, scope == "all")
        glr = db.GLRUCB.tuned(T, K, changes, scope=scope)
        assert close(glr.detect, db.BernoulliGLR, delta, 10.0, 1.0)
        assert close(glr.force, db.Sweeps, rate)
        assert glr.detect.scope == scope
        kl = db.GLRklUCB.tuned(T, K, changes, scope=scope)
        assert (kl.detect, kl.force, kl.explore) == (glr.detect, glr.force, db.KLUCB())
    h, rate = slow.tuned_cusum(T, changes)
    cusum, pht = db.CUSUMUCB.tuned(T, changes, bound=2.0), db.PHTUCB.tuned(T, changes, bound=2.0)
    assert close(cusum.detect, db.CUSUM, 100.0, 0.1, 2.0 * h)
    assert close(pht.detect, db.PageHinkley, 0.1, 2.0 * h)
    assert close(cusum.force, db.RandomForce, rate)
    assert close(pht.force, db.RandomForce, rate)
    w, b, rate = slow.tuned_m_ucb(T, changes, K, 0.4)
    for bound in (1.0, 3.0):
        m_ucb = db.MUCB.tuned(T, changes, K, change=0.4 * bound, bound=bound)
        assert close(m_ucb.detect, db.TwoHalves, w, bound * b)
        assert close(m_ucb.force, db.Sweeps, rate)
        assert db.MUCB.tuned(T, changes, K, window=w, bound=bound) == m_ucb
    period = slow.tuned_period(T, 0.5, K)
    assert db.PeriodicUCB.tuned(T, 0.5, K).detect == db.PeriodicRestart(period)


def test_any_index_can_take_the_place_of_ucb() -> None:
    explore = db.UCBVariance()
    policies = [
        db.GLRUCB.tuned(1_000, 3, explore=explore),
        db.CUSUMUCB.tuned(1_000, 2, explore=explore),
        db.PHTUCB.tuned(1_000, 2, explore=explore),
        db.MUCB.tuned(1_000, 2, 3, window=50, explore=explore),
        db.ADWINUCB(explore=explore),
        db.PeriodicUCB.tuned(1_000, 1.0, 3, explore=explore),
        db.OracleRestart([500], explore=explore),
    ]
    assert {policy.explore for policy in policies} == {explore}
    assert {policy.forget for policy in policies} == {db.Full()}


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: db.GLRUCB(0.1, 0.1, xi=2.0, explore=db.KLUCB()), "xi must be left out where "),
        (lambda: db.MUCB(10, 1.0, 0.1, xi=0.5, explore=db.KLUCB()), "xi must be left out where "),
        (lambda: db.PeriodicUCB(10, xi=-1.0, explore=db.KLUCB()), "xi must lie in "),
        (lambda: db.ADWINUCB(bound=9, explore=db.KLUCB()), "explore must have the bound 9, got KL"),
    ],
)
def test_what_would_have_no_effect_beside_explore_is_refused(
    make: Callable[[], db.Policy], line: str
) -> None:
    with pytest.raises(db.InputError) as error:
        make()
    assert str(error.value).startswith(line)
    assert db.ADWINUCB(bound=9, explore=db.KLUCB(bound=9)).bound == 9.0
    assert db.MUCB(10, 1.0, 0.1, xi=2.0, explore=db.KLUCB()).explore == db.KLUCB()


def test_the_bound_is_the_smaller_one() -> None:
    assert db.Policy(detect=db.BernoulliGLR(0.1, bound=2.0), explore=db.UCB(bound=3.0)).bound == 2.0
    assert db.GLRUCB(0.1, 0.1, bound=4.0).bound == 4.0
    assert db.Policy(detect=db.ADWIN(bound=2.0), explore=db.Gibbs(1.0)).bound == 2.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: db.GLRUCB(0.0, 0.1), "delta must lie in (0, 1), got 0.0"),
        (lambda: db.GLRUCB(0.1, 0.1, every=0), "every must be a whole number of at least 1, got 0"),
        (lambda: db.GLRUCB(0.1, 0.1, scope="one"), "GLR.scope must be 'arm' or 'all'"),
        (
            lambda: db.GLRUCB.tuned(60, arms=3, breakpoints=2, scope=cast(Any, np.array([]))),
            "GLR.scope must be 'arm' or 'all'",
        ),
        (lambda: db.GaussianGLR(0.1, sigma=0), "sigma must lie in (0, inf), got 0"),
        (lambda: db.CUSUM(0, 0.1, 1.0), "warmup must be a whole number of at least 1, got 0"),
        (lambda: db.CUSUM(5, -0.1, 1.0), "drift must lie in [0, inf), got -0.1"),
        (lambda: db.PageHinkley(0.1, 0.0), "threshold must lie in (0, inf), got 0.0"),
        (lambda: db.TwoHalves(7, 1.0), "window must be even, got 7"),
        (lambda: db.MUCB.tuned(100, 2, 3), "tuned needs either change or window"),
        (lambda: db.MUCB.tuned(100, 2, 3, change=2), "change must lie in (0, 1], got 2"),
        (
            lambda: db.CUSUMUCB.tuned(100, 0),
            "breakpoints must be a whole number of at least 1, got 0",
        ),
        (
            lambda: db.PHTUCB.tuned(100, 100),
            "breakpoints must be fewer than the horizon 100, got 100",
        ),
        (lambda: db.PeriodicUCB.tuned(100, 0.0, 3), "variation must lie in (0, inf), got 0.0"),
        (lambda: db.OracleRestart([]), "rounds must be a list of at least one round, got []"),
        (
            lambda: db.ADWINUCB(explore=cast(Any, "kl")),
            "explore must be an Explore rule, got 'kl'",
        ),
    ],
)
def test_bad_parameters(make: Callable[[], object], message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        make()
    assert str(caught.value).startswith(message)


NAMED = [
    db.GLRUCB.tuned(1_000, 3),
    db.CUSUMUCB.tuned(1_000, 2),
    db.PHTUCB.tuned(1_000, 2),
    db.MUCB.tuned(1_000, 2, 3, window=50),
    db.ADWINUCB(),
    db.PeriodicUCB(100),
]


@pytest.mark.parametrize("policy", NAMED, ids=lambda policy: policy.label)
def test_a_name_that_says_ucb_is_kept_for_ucb_only(policy: db.Policy) -> None:
    assert policy.replace(explore=db.UCB(2.0)).label == policy.label
    other = policy.replace(explore=db.KLUCB())
    assert other.label == other.default_label()
    assert "× KLUCB(" in other.label
    assert other.replace(label="mine").replace(explore=db.UCB()).label == "mine"


def test_a_preset_with_another_index_is_labelled_by_its_rules() -> None:
    policies = [
        db.GLRUCB(0.01, 0.1, explore=db.KLUCB()),
        db.CUSUMUCB.tuned(1_000, 2, explore=db.KLUCB()),
        db.PeriodicUCB(100, explore=db.KLUCB()),
    ]
    assert [policy.label for policy in policies] == [each.default_label() for each in policies]
    assert db.GLRUCB(0.01, 0.1, explore=db.KLUCB(), label="mine").label == "mine"
    assert db.OracleRestart([5], explore=db.KLUCB()).label == "oracle restart"


@pytest.mark.parametrize("explore", [0, "", (), {}, False])
def test_what_is_no_rule_does_not_count_as_none(explore: Any) -> None:
    makers: list[Callable[[], object]] = [
        lambda: db.GLRUCB(0.1, 0.1, explore=explore),
        lambda: db.ADWINUCB(explore=explore),
        lambda: db.PeriodicUCB(50, explore=explore),
        lambda: db.OracleRestart([50], explore=explore),
    ]
    for make in makers:
        with pytest.raises(db.InputError, match="explore must be an Explore rule"):
            make()


def test_growing_is_true_or_false() -> None:
    for make in (db.GLRUCB, db.GLRklUCB):
        with pytest.raises(db.InputError, match="growing must be True or False, got 'no'"):
            make(0.1, 0.1, growing=cast(Any, "no"))


@pytest.mark.parametrize("preset", [db.CUSUMUCB, db.PHTUCB])
def test_rewards_in_another_unit_change_no_decision(preset: Any) -> None:
    plays = []
    for unit in (1.0, 128.0):
        means = [[0.2 * unit, 0.5 * unit], [0.8 * unit, 0.5 * unit]]
        world = db.environments.Piecewise([301], means, horizon=600, bound=unit)
        policy = preset.tuned(600, 1, bound=unit, label="tuned")
        plays.append(db.trace(policy, world, runs=4))
    assert np.array_equal(plays[0], plays[1])
    assert preset.tuned(600, 1, bound=2.0, drift=0.3).detect.drift == 0.3
