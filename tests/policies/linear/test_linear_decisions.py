"""Compiled, live and naive linear policies agree."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

import driftbandit as db
import naive_linear
from driftbandit.linear import (
    Ball,
    ConstantRadius,
    Fixed,
    GaussianNoise,
    LinearPolicy,
    PiecewiseLinear,
)
from driftbandit.policies.linear.live import Regression
from linear_rounds import DISCOUNT, WINDOW, naive, rounds_of, shortfall

TURNED = PiecewiseLinear(
    (60,), ((0.6, -0.3, 0.5), (-0.6, 0.5, 0.2)), actions=Ball(5), law=GaussianNoise(0.4)
)
THREE = [db.LinUCB(), db.DiscountedLinUCB(DISCOUNT), db.SlidingWindowLinUCB(WINDOW)]
LABELS = [policy.label for policy in THREE]


@dataclass(frozen=True)
class Both(db.Forget):
    """A discount and a growing window at once."""

    discount: float = 0.97

    @staticmethod
    def factor(t: float, discount: float) -> float:
        return discount

    @staticmethod
    def span(t: float, discount: float) -> float:
        return 10.0 + math.sqrt(t)


@pytest.mark.parametrize("policy", THREE, ids=LABELS)
@pytest.mark.parametrize("ridge", [1e-3, 1.0])
def test_compiled_takes_the_decisions_of_the_naive_version(
    policy: LinearPolicy, ridge: float
) -> None:
    policy = policy.replace(ridge=ridge)
    chosen = db.trace(policy, TURNED, horizon=300, seed=3)[:, 0]
    assert shortfall(naive(policy, 3), TURNED, chosen, seed=3) < 1e-9


@pytest.mark.parametrize("policy", THREE, ids=LABELS)
def test_live_takes_the_decisions_of_the_compiled_version(policy: LinearPolicy) -> None:
    chosen = db.trace(policy, TURNED, horizon=300, runs=2, seed=4)[:, 1]
    agent = policy.agent(dimension=3)
    for actions, means, luck, row in zip(*rounds_of(TURNED, 300, 4, run=1), chosen, strict=True):
        assert agent.choose(actions) == row
        agent.learn(actions[row], TURNED.law.reward(luck, means[row]))


def test_a_discount_and_a_growing_window_at_once() -> None:
    policy = LinearPolicy(Both(), confidence=ConstantRadius(1.0), ridge=0.01, label="both")
    chosen = db.trace(policy, TURNED, horizon=400)[:, 0]
    assert shortfall(Regression(policy, 3), TURNED, chosen) < 1e-9


@pytest.mark.parametrize("forget", [db.Full(), db.Window(15)], ids=str)
def test_planned_restarts_forget_all(forget: db.Forget) -> None:
    plain = LinearPolicy(forget, label="plain")
    planned = plain.replace(detect=db.KnownRestart((121,)))
    chosen = db.trace(planned, TURNED, horizon=240)[:, 0]
    assert np.array_equal(chosen[:120], db.trace(plain, TURNED, horizon=120)[:, 0])
    assert shortfall(Regression(planned, 3), TURNED, chosen) < 1e-9
    whole, late = Regression(planned, 3), Regression(plain, 3)
    for t, (actions, _, luck) in enumerate(zip(*rounds_of(TURNED, 240), strict=True), start=1):
        whole.learn(actions[0], luck)
        if t > 120:
            late.learn(actions[0], luck)
            assert np.allclose(whole.indices(actions), late.indices(actions))


def test_sums_of_any_forgetting_rule_are_what_its_weights_say() -> None:
    policy = LinearPolicy(Both(), confidence=ConstantRadius(1.0), ridge=0.01, label="both")
    rng, plays = np.random.default_rng(5), []
    regression = Regression(policy, 3)
    for t in range(1, 201):
        action, reward = rng.normal(size=3), rng.normal()
        regression.learn(action, reward)
        plays.append((t, action, reward))
        plays = [play for play in plays if play[0] > t - (10.0 + math.sqrt(t))]
        ridge = 0.01 * np.eye(3)
        weights = [0.97 ** (t - s) for s, _, _ in plays]
        V = ridge + sum(w * np.outer(a, a) for w, (_, a, _) in zip(weights, plays, strict=True))
        V2 = ridge + sum(w**2 * np.outer(a, a) for w, (_, a, _) in zip(weights, plays, strict=True))
        assert np.allclose(regression.V, V, rtol=0, atol=1e-11)
        assert np.allclose(regression.V_squared, V2, rtol=0, atol=1e-11)
        assert math.isclose(regression.schedule.squares, sum(w**2 for w in weights))


def test_a_window_stays_exact_for_long() -> None:
    """Taking out what was added leaves rounding errors; sums are made anew before they count."""
    policy = LinearPolicy(db.Window(7), confidence=ConstantRadius(1.0), ridge=1e-6, label="window")
    regression, rng = Regression(policy, 2), np.random.default_rng(6)
    actions = rng.normal(size=(30_000, 2)) * 10.0 ** rng.integers(-3, 4, size=(30_000, 1))
    for action in actions:
        regression.learn(action, 1.0)
    exact = actions[-7:].T @ actions[-7:] + 1e-6 * np.eye(2)
    assert np.allclose(regression.V, exact, rtol=1e-9, atol=1e-9)


def test_the_squared_weights_are_right_and_the_published_program_is_another() -> None:
    """Ṽ goes on from Ṽ; the published program goes on from V, and looks √2 times as wide."""
    rng = np.random.default_rng(7)
    ours = Regression(db.DiscountedLinUCB(DISCOUNT), 2)
    right, wrong = (
        kind(DISCOUNT, 2) for kind in (naive_linear.DiscountedLinUCB, naive_linear.PublishedProgram)
    )
    actions = rng.uniform(-0.7, 0.7, size=(400, 2))
    for action in actions:
        for each in (ours, right, wrong):
            each.learn(action, 1.0)
    weights = DISCOUNT ** np.arange(399, -1, -1)
    by_hand = (actions.T * weights**2) @ actions + 0.1 * np.eye(2)
    assert np.allclose(ours.V_squared, by_hand)
    assert np.allclose(right.V2, by_hand)
    assert np.allclose(wrong.V, right.V)
    ratio = np.linalg.eigvals(np.linalg.solve(right.V2, wrong.V2))
    assert ratio.min() > 1.6


@dataclass(frozen=True)
class Rooted(db.Explore):
    """mean + α / √count: what a constant radius is for one-hot features."""

    alpha: float

    @staticmethod
    def index(mean: float, count: float, clock: float, alpha: float) -> float:
        return mean + alpha / math.sqrt(count)


ARMS = PiecewiseLinear(
    (80,), ((0.2, 0.5, 0.8), (0.9, 0.1, 0.3)), actions=Fixed.one_hot(3), law=GaussianNoise(0.2)
)


@pytest.mark.parametrize("forget", [db.Full(), db.Window(30)], ids=str)
def test_one_hot_features_make_a_bandit_with_arms(forget: db.Forget) -> None:
    linear = LinearPolicy(forget, confidence=ConstantRadius(0.5), ridge=1e-9, label="linear")
    arms = db.Policy(forget=forget, explore=Rooted(0.5)).learner(3)
    chosen = db.trace(linear, ARMS, horizon=300)[:, 0]
    for _, means, luck, row in zip(*rounds_of(ARMS, 300), chosen, strict=True):
        assert arms.choose(lambda: 0.5) == row
        arms.learn(int(row), ARMS.law.reward(luck, means[row]))


@pytest.mark.parametrize("forget", [db.Full(), db.Discount(0.9), db.Window(20)], ids=str)
def test_one_hot_estimates_are_the_means_of_the_arms(forget: db.Forget) -> None:
    linear = LinearPolicy(forget, ridge=1e-12, label="linear").agent(dimension=3)
    arms = db.Policy(forget=forget).learner(3)
    rng = np.random.default_rng(8)
    for _ in range(200):
        arm, reward = int(rng.integers(3)), float(rng.random())
        linear.learn(np.eye(3)[arm], reward)
        arms.learn(arm, reward)
    assert np.allclose(linear.theta, arms.means, rtol=1e-9)


def test_identities() -> None:
    plain = LinearPolicy(ridge=0.5, label="plain")
    relatives = {
        "discount 1": plain.replace(forget=db.Discount(1.0)),
        "window beyond the horizon": plain.replace(forget=db.Window(500)),
    }
    policies = [plain, *(policy.replace(label=name) for name, policy in relatives.items())]
    expected, *traces = (db.trace(policy, TURNED, horizon=300) for policy in policies)
    for trace in traces:
        assert np.array_equal(trace, expected)
