"""A rule of a user's own computes the same numbers live as compiled."""

from __future__ import annotations

import dataclasses
import math
import pickle
from collections.abc import Callable
from math import log

import numpy as np
import pytest

import driftbandit as db
from driftbandit.core.arithmetic import value_of

REWARDS = (0.0, 0.5, 1.0)


@db.compilable
def inverse(x: float) -> float:
    return 1.0 / x


@dataclasses.dataclass(frozen=True)
class Curious(db.Explore):
    """An index that divides by zero where an arm was never played."""

    prior = True

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + inverse(count)


@dataclasses.dataclass(frozen=True)
class Logarithmic(db.Explore):
    """An index with the logarithm of 0, and an exponential that no float can hold."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return log(mean) / count + math.exp(900.0 * mean)


@dataclasses.dataclass(frozen=True)
class Late(db.Explore):
    """A width that is infinite in one round."""

    @staticmethod
    def width(clock: float) -> float:
        return 1.0 / math.log(clock - 2.0)


def played_live(policy: db.Policy) -> list[int]:
    agent = policy.agent(arms=3)
    arms = []
    for _ in range(20):
        arms.append(agent.choose())
        agent.learn(arms[-1], REWARDS[arms[-1]])
    return arms


@pytest.mark.parametrize("rule", [Curious(), Logarithmic(), Late()], ids=repr)
def test_a_division_by_zero_is_infinite_live_as_in_compiled_code(rule: db.Explore) -> None:
    policy = db.Policy(explore=rule)
    world = db.environments.Table([REWARDS] * 20, law=db.environments.laws.Exact())
    assert played_live(policy) == db.trace(policy, world)[:, 0].tolist()


def test_an_agent_with_a_rule_of_ones_own_is_pickled() -> None:
    agent = db.Policy(explore=Curious()).agent(arms=3)
    assert pickle.loads(pickle.dumps(agent)).choose() == agent.choose()


@pytest.mark.parametrize(
    ("function", "value"),
    [
        (lambda x: x / 0.0, math.inf),
        (lambda x: -x / 0.0, -math.inf),
        (lambda x: math.log(0.0 * x), -math.inf),
        (lambda x: math.exp(1e4 * x), math.inf),
        (lambda x: x > 1.0, 1.0),
        (lambda x: np.float32(x + 0.0), 2.0),
    ],
)
def test_numbers_beyond_plain_python(function: Callable[..., float], value: float) -> None:
    assert value_of(function, 2.0) == value


@pytest.mark.parametrize("function", [lambda x: math.sqrt(-x), lambda x: (-x) ** 0.5])
def test_the_root_of_a_negative_number_is_none(function: Callable[..., float]) -> None:
    assert math.isnan(value_of(function, 2.0))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (
            lambda x: missing * x,  # type: ignore[name-defined]  # noqa: F821  # the mistake
            "fails for (2.0,): NameError: name 'missing' is not defined (line ",
        ),
        (lambda x: x[0], "fails for (2.0,): TypeError"),
        (lambda x: None if x else 1.0, "must be a number, got None"),
        (lambda x: "high", "must be a number, got 'high'"),
        (lambda x: 10**400, "must be a number, got 1000"),
        (lambda x: 1 // int(0 * x), "fails for (2.0,): "),
    ],
)
def test_a_rule_that_fails_says_for_which_numbers(
    function: Callable[..., float], words: str
) -> None:
    with pytest.raises(db.InputError) as error:
        value_of(function, 2.0)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def beyond(x: float) -> float:
    return math.gamma(x) / math.sqrt(x - 1.0)


def test_functions_that_numpy_lacks_are_those_of_math() -> None:
    assert value_of(beyond, 1.0) == math.inf
