"""The experiments have the paper's worlds and parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest

import driftbandit as db
from driftbandit.studies.paper import experiments


def test_parameters_are_the_paper_s() -> None:
    assert experiments.DISCOUNT == 1 - 1 / 400
    assert experiments.WINDOW == 1213
    ucb, exp3s, discounted, window, halved = experiments.abrupt().policies
    assert ucb == db.UCB1(xi=0.5)
    assert isinstance(exp3s, db.EXP3S)
    gamma = math.sqrt(3 * (2 * math.log(3e4) + math.e) / ((math.e - 1) * 1e4))
    assert exp3s.exploration == pytest.approx(gamma)
    assert exp3s.sharing == 1e-4
    assert discounted == db.DiscountedUCB(0.9975, xi=0.5, padding=2.0)
    assert window == db.SlidingWindowUCB(1213, xi=0.5)
    assert halved == db.DiscountedUCB(0.9975, padding=1.0, label="D-UCB (padding B)")


def test_the_second_experiment_has_the_same_parameters_for_two_arms() -> None:
    first, second = experiments.abrupt(), experiments.continuous()
    assert [policy.label for policy in first.policies] == [p.label for p in second.policies]
    assert second.policies[2:] == first.policies[2:]
    assert second.policies[1] == db.EXP3S.tuned(horizon=10_000, breakpoints=2, arms=2)


def test_the_worlds_are_the_paper_s() -> None:
    first = experiments.abrupt().world.realise(10_000).mean_rewards(1, 10_000)
    assert first[[0, 2998, 2999, 4998, 4999, 9999], 2].tolist() == [0.4, 0.4, 0.9, 0.9, 0.4, 0.4]
    second = experiments.continuous().world.realise(10_000).mean_rewards(1, 10_000)
    rounds = np.arange(1, 10_001)
    np.testing.assert_allclose(second[:, 0], 0.5 + 0.4 * np.cos(6 * np.pi * rounds / 1e4))


def test_checkpoints_end_just_before_each_breakpoint() -> None:
    rounds = experiments.abrupt().checkpoints
    assert {2999, 4999, 10_000} <= set(rounds)
    assert rounds == tuple(sorted(set(rounds)))


def test_the_sweep_contains_the_paper_s_choice() -> None:
    swept = {policy.label: policy for policy in experiments.sweep().policies}
    assert len(swept) == 4 * len(experiments.FACTORS)
    assert swept["SW-UCB × 1"].replace(label="SW-UCB") == db.SlidingWindowUCB(1213)
    doubled = swept["D-UCB × 2"]
    assert isinstance(doubled, db.Policy)
    assert isinstance(doubled.forget, db.Discount)
    assert doubled.forget.discount == pytest.approx(0.995)
