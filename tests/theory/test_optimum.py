"""The γ and τ that make the bounds least, and the paper's rules."""

from __future__ import annotations

import numpy as np
import pytest

import driftbandit as db
from driftbandit.theory import best_discount, best_window, discounted, statements, windowed

CASES = [(10_000, 3, 0.5), (100_000, 1, 0.9), (1_000_000, 50, 0.2)]


@pytest.mark.parametrize(("T", "changes", "gap"), CASES)
def test_no_other_window_has_a_smaller_bound(T: int, changes: int, gap: float) -> None:
    choice = best_window(T, changes, gap)
    others = np.unique(np.geomspace(2, T, 100).astype(int))
    least = min(windowed.plays(T, changes, gap, int(tau)).value for tau in others)
    assert choice.bound.value <= least * 1.005
    assert choice.bound.value == windowed.plays(T, changes, gap, int(choice.value)).value
    assert choice.rule_bound is not None
    assert choice.bound.value <= choice.rule_bound.value
    assert choice.rule == db.theory.window_rule(T, changes)


@pytest.mark.parametrize(("T", "changes", "gap"), [(1_000, 1, 0.9), (2_000, 5, 0.5), (500, 0, 0.3)])
def test_the_best_window_is_the_best_of_all(T: int, changes: int, gap: float) -> None:
    least = min(windowed.plays(T, changes, gap, tau).value for tau in range(1, T + 1))
    assert best_window(T, changes, gap).bound.value == least


@pytest.mark.parametrize(("T", "changes", "gap"), CASES)
def test_no_other_discount_has_a_smaller_bound(T: int, changes: int, gap: float) -> None:
    choice = best_discount(T, changes, gap)
    others = 1 - np.geomspace(0.5, 1 / T, 100)
    least = min(discounted.plays(T, changes, gap, float(gamma)).value for gamma in others)
    assert choice.bound.value <= least * 1.005
    assert choice.rule_bound is not None
    assert choice.bound.value <= choice.rule_bound.value


def test_if_nothing_changes_nothing_is_forgotten() -> None:
    assert best_window(10_000, 0, 0.5).value == 10_000
    discount = best_discount(10_000, 0, 0.5)
    assert discount.value > 1 - 1e-5
    never = db.theory.ucb1.plays(10_000, 0.5, xi=2.4)  # with γ → 1 and the padding 2B
    assert never.value <= discount.bound.value <= 1.3 * never.value
    assert (discount.rule, discount.rule_bound) == (1.0, None)


def test_the_rules_follow_the_remarks() -> None:
    rules = db.theory.discount_rule, db.theory.window_rule
    assert [rule(10**4, 4) for rule in rules] == [0.995, 303]
    assert [rule(density=4e-4) for rule in rules] == [0.995, 280]
    for rule in rules:
        with pytest.raises(db.InputError, match="must be given alone"):
            rule(10**4, density=0.1)
        with pytest.raises(db.InputError, match="fewer than the horizon"):
            rule(100, 100)


def test_statements_tell_what_is_vacuous_and_what_does_not_apply() -> None:
    changing = statements(10_000, 2, 0.2, discount=0.99)
    assert {s.policy for s in changing} == {"D-UCB", "SW-UCB", "EXP3.S", "any policy"}
    vacuous = [s for s in changing if s.policy == "D-UCB" and s.form == "holds, as given"]
    assert vacuous[0].regret.vacuous
    assert vacuous[0].plays is not None
    assert vacuous[0].plays.vacuous
    assert {s.policy for s in statements(1000, 0, 0.2)} >= {"UCB-1", "UCB-1 (Auer et al.)"}
    assert not [s for s in statements(1000, 1, 0.2) if s.policy == "any policy"]
    with pytest.raises(db.InputError, match="policy must be one of"):
        statements(1000, 1, 0.2, ["exp4"])


def test_the_doubling_rules_follow_the_round() -> None:
    rules = db.theory.doubling_discount, db.theory.doubling_window
    assert [rule(1023, 0.0) for rule in rules] == [rule(512, 0.0) for rule in rules]
    assert rules[0](1024, 0.5) == pytest.approx(1 - 1024**-0.25 / 4)
    assert rules[1](1024, 0.5) == db.theory.window_rule(1024, 32)


def test_regret_is_plays_times_the_largest_gap() -> None:
    near, far = (statements(10**6, 2, 0.1, "sw-ucb", largest_gap=g)[1] for g in (None, 0.5))
    assert near.plays is not None
    assert near.regret.value == pytest.approx(0.1 * near.plays.value)
    assert far.regret.value == pytest.approx(0.5 * near.plays.value)
    assert far.regret.trivial == 0.5 * 10**6


def test_no_horizon_is_too_long_for_a_discount() -> None:
    assert 0.9 < best_discount(9 * 10**15, breakpoints=2, gap=0.1).value < 1.0
