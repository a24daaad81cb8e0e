"""Linear policies and worlds are values; what is wrong is refused in one line."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import driftbandit as db
from driftbandit.core.value import Value
from driftbandit.linear import (
    Ball,
    ConstantRadius,
    Cube,
    Fixed,
    GaussianNoise,
    LinearAgent,
    LinearPolicy,
    PiecewiseLinear,
    Rotating,
    Sphere,
    WindowEllipsoid,
)

VALUES: list[Value] = [
    db.LinUCB(ridge=1.0, delta=0.1),
    db.DiscountedLinUCB(0.99, noise=0.5),
    db.SlidingWindowLinUCB(200, length=2.0, label="mine"),
    LinearPolicy(db.GrowingWindow(0.7), confidence=ConstantRadius(0.3), ridge=2.0),
    LinearPolicy(detect=db.PeriodicRestart(30)),
    db.linear.abrupt(),
    db.linear.slow(),
    PiecewiseLinear([5], [[1, 0], [0, 1]], actions=Fixed([[1, 2], [3, 4], [0, 1]])),
    Rotating(actions=Sphere(3), law=db.environments.laws.Uniform(0.1)),
    Rotating(actions=Cube(7)),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_compare_pickle_and_survive_json(value: Value) -> None:
    assert value == value.replace()
    assert hash(value) == hash(value.replace())
    assert pickle.loads(pickle.dumps(value)) == value
    assert type(value).from_json(value.to_json()) == value


def test_tuned_rules() -> None:
    world = db.linear.abrupt()
    known: dict[str, Any] = {"horizon": 6_000, "variation": world.variation(), "dimension": 2}
    rate = ((4.0 + math.sqrt(2.0)) / 12_000) ** (2 / 3)
    discount, window = db.DiscountedLinUCB.tuned(**known), db.SlidingWindowLinUCB.tuned(**known)
    assert isinstance(discount.forget, db.Discount)
    assert math.isclose(discount.forget.discount, 1.0 - rate)
    assert window.forget == db.Window(170)
    assert isinstance(window.confidence, WindowEllipsoid)
    still = known | {"variation": 0.0}
    assert db.DiscountedLinUCB.tuned(**still).forget == db.Discount(1.0)
    assert db.SlidingWindowLinUCB.tuned(**still).forget == db.Window(6_000)


def test_the_published_worlds() -> None:
    abrupt, slow = db.linear.abrupt(), db.linear.slow()
    assert abrupt.theta(1_000, 1_001).tolist() == [[1, 0], [-1, 0]]
    assert abrupt.theta(3_001, 3_001).tolist() == [[0, -1]]
    assert math.isclose(abrupt.variation(), 4.0 + math.sqrt(2.0))
    assert np.allclose(slow.theta(401, 401), [[0.9781476, 0.20791169]])  # as their program prints
    assert np.allclose(slow.theta(3_201, 3_201), [[0.0, 1.0]])
    assert math.isclose(slow.variation(), math.pi / 2, rel_tol=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: db.LinUCB(ridge=0.0), r"ridge must lie in \(0, inf\), got 0.0"),
        (lambda: db.LinUCB(delta=1.0), r"delta must lie in \(0, 1\), got 1.0"),
        (lambda: db.LinUCB(noise=-1.0), r"noise must lie in \[0, inf\), got -1.0"),
        (lambda: db.LinUCB(norm="1"), r"norm must lie in \[0, inf\), got '1'"),  # type: ignore[arg-type]
        (lambda: db.DiscountedLinUCB(1.5), r"discount must lie in \(0, 1\], got 1.5"),
        (lambda: LinearPolicy(forget=3), "forget must be a Forget rule, got 3"),  # type: ignore[arg-type]
        (
            lambda: LinearPolicy(forget=db.ArmWindow(3)),
            "forget must go by rounds: .*, got ArmWindow",
        ),
        (lambda: db.LinUCB().agent(), "must be given dimension, .*, got nothing"),
        (lambda: db.LinUCB().agent(arms=3), "must be given dimension, .*, got arms"),  # type: ignore[call-arg]  # on purpose
        (lambda: LinearPolicy(confidence=db.UCB()), "confidence must be a Confidence rule"),  # type: ignore[arg-type]
        (lambda: LinearPolicy(detect=db.ADWIN()), "detect must plan its restarts: alarms are "),
        (
            lambda: LinearPolicy(confidence=WindowEllipsoid()),
            r"WindowEllipsoid.radius with Full\(\) must lie in \[0, inf\), got inf",
        ),
        (
            lambda: db.DiscountedLinUCB.tuned(10, 30.0, 2),
            "variation must be below dimension times horizon, got 30.0",
        ),
        (lambda: Ball(0), "number must be a whole number of at least 1, got 0"),
        (lambda: Fixed([[1, 2], [3]]), "rows must be rows of numbers, all of one length"),
        (lambda: Fixed([]), r"rows must be rows of numbers, got the shape \(0,\)"),
        (lambda: Rotating(actions=Fixed.one_hot(3)), "actions must have 2 features, as theta has"),
        (lambda: Rotating(actions=5), "actions must be an action set, got 5"),  # type: ignore[arg-type]
        (lambda: Rotating(law="none"), "law must be a reward law, got 'none'"),  # type: ignore[arg-type]
        (lambda: GaussianNoise(-1), r"sigma must lie in \[0, inf\), got -1"),
        (lambda: Rotating().variation(), "horizon must be given: this world has no last round"),
        (
            lambda: PiecewiseLinear([5], [[1, 0]]),
            "thetas must have 2 rows for 1 breakpoints, got 1",
        ),
        (
            lambda: PiecewiseLinear([], [[math.nan, 0]]),
            r"thetas\[0\]\[0\] must be a finite number, got nan",
        ),
    ],
)
def test_bad_parameters_are_refused(make: Any, message: str) -> None:
    with pytest.raises(db.InputError, match=message) as error:
        make()
    assert "\n" not in str(error.value)


def played_agent() -> LinearAgent:
    agent = db.SlidingWindowLinUCB(5).agent(dimension=2)
    for t in range(9):
        agent.learn([math.cos(t), math.sin(t)], 0.1 * t)
    return agent


@pytest.mark.parametrize(
    ("features", "reward", "message"),
    [
        ([1.0], 1.0, "features must have 2 columns, got 1"),
        ([[1.0, 0.0]], 1.0, r"features must be one row of numbers, .* got \[\[1.0, 0.0\]\]"),
        ("red", 1.0, "features must be one row of numbers, the features of the action that"),
        (None, 1.0, "features must be"),
        (
            [1.0, math.nan],
            1.0,
            "features must have a norm of at most 1, the policy's length, got nan",
        ),
        ([1.0, 1.0], 1.0, "features must have a norm of at most 1, .* got 1.41421 in row 0"),
        ([1e300, 1.0], 1.0, "features must have a norm of at most 1, .* got inf in row 0"),
        ([1.0, 0.0], math.nan, "reward must be a finite number, got nan"),
        ([1.0, 0.0], math.inf, "reward must be a finite number, got inf"),
        ([1.0, 0.0], "1", "reward must be a finite number, got '1'"),
        ([1.0, 0.0], None, "reward must be a finite number, got None"),
        ([1.0, 0.0], [1.0], r"reward must be a finite number, got \[1.0\]"),
    ],
)
def test_an_agent_refuses_bad_input_and_learns_nothing(
    features: Any, reward: Any, message: str
) -> None:
    agent = played_agent()
    before = pickle.dumps(agent)
    with pytest.raises(db.InputError, match=message) as error:
        agent.learn(features, reward)
    assert "\n" not in str(error.value)
    assert pickle.dumps(agent) == before


@pytest.mark.parametrize("features", [[], [[]], [1.0, 0.0], [[1.0, 0.0], [1.0]], {}, {"a": "b"}])
def test_an_agent_refuses_features_that_are_no_rows(features: Any) -> None:
    agent = played_agent()
    before = pickle.dumps(agent)
    with pytest.raises(db.InputError, match="features must"):
        agent.choose(features)
    assert pickle.dumps(agent) == before


def test_an_agent_takes_any_number_of_actions_and_names() -> None:
    agent = played_agent()
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0], [0.6, 0.6]])
    best = agent.choose(rows)
    names = ["a", "b", "c", "d"]
    assert agent.choose(dict(zip(names, rows, strict=True))) == names[best]
    assert agent.choose(rows[[best]]) == 0
    agent.learn(rows[best], True)
    assert agent.rounds == 10


def test_an_agent_keeps_its_own_copy() -> None:
    agent, other = played_agent(), played_agent()
    row = np.array([1.0, 0.0])
    agent.learn(row, 1.0)
    other.learn([1.0, 0.0], 1.0)
    row[:] = 7.0
    for each in (agent, other):
        for t in range(4):
            each.learn([math.sin(t), 0.0], 0.0)
    assert np.array_equal(agent.theta, other.theta)
    agent.theta[:] = 0.0
    assert agent.theta.any()


@given(
    st.lists(st.tuples(st.floats(-0.7, 0.7), st.floats(-0.7, 0.7), st.floats(-5, 5)), max_size=40),
    st.sampled_from([db.Full(), db.Discount(0.5), db.Window(3), db.DoublingWindow(0.0)]),
)
def test_sums_are_the_weighted_sums_of_the_plays(
    plays: list[tuple[float, float, float]], forget: db.Forget
) -> None:
    """Weights as `Forget` defines them; what has left a window that grows does not come back."""
    agent = LinearPolicy(forget, confidence=ConstantRadius(1.0), ridge=0.3).agent(dimension=2)
    for x, y, reward in plays:
        agent.learn([x, y], reward)
    t, numbers = len(plays), forget.numbers()
    weights = np.array(
        [
            math.prod(forget.factor(float(u), *numbers) for u in range(s + 1, t + 1))
            if all(s > u - forget.span(float(u), *numbers) for u in range(s, t + 1))
            else 0.0
            for s in range(1, t + 1)
        ]
    )
    table = np.array(plays).reshape(-1, 3)
    A, rewards = table[:, :2], table[:, 2]
    V = (A.T * weights) @ A + 0.3 * np.eye(2)
    assert np.allclose(agent.theta, np.linalg.solve(V, (A.T * weights) @ rewards), atol=1e-9)
