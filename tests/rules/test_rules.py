"""Rules of a user's own: what is wrong with one is said in one line, before anything runs."""

from __future__ import annotations

import dataclasses
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

import driftbandit as db


@dataclasses.dataclass(frozen=True)
class NotStatic(db.Explore):
    scale: float = 1.0

    def index(self, mean: float, count: float, clock: float, scale: float) -> float:
        return mean


@dataclasses.dataclass(frozen=True)
class TooFew(db.Explore):
    scale: float = 1.0

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean


@dataclasses.dataclass(frozen=True)
class NoNumber(db.Explore):
    names: Any = ("a", "b")

    @staticmethod
    def width(clock: float, names: Any) -> float:
        return 1.0


@dataclasses.dataclass(frozen=True)
class Growing(db.Forget):
    @staticmethod
    def factor(t: float) -> float:
        return 1.5


@dataclasses.dataclass(frozen=True)
class Shrinking(db.Forget):
    @staticmethod
    def span(t: float) -> float:
        return max(1.0, 100.0 - t)


@dataclasses.dataclass(frozen=True)
class Nowhere(db.Detect):
    """With a check of its own, which leaves out that of the scope."""

    scope = "each"

    def __post_init__(self) -> None:
        pass


@dataclasses.dataclass(frozen=True)
class LevelAlone(db.Explore):
    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + math.log(clock) / count

    @staticmethod
    def level(clock: float) -> float:
        return math.log(clock)


@dataclasses.dataclass(frozen=True)
class NoisyTangent(db.Explore):
    noise = 1
    level = staticmethod(LevelAlone.level)

    @staticmethod
    def index(mean: float, count: float, clock: float, noise: float) -> float:
        return mean + noise

    @staticmethod
    def tangent(mean: float, share: float) -> tuple[float, float]:
        return mean + share, 1.0


@dataclasses.dataclass(frozen=True)
class NearAlone(db.Explore):
    width = staticmethod(LevelAlone.level)

    @staticmethod
    def near(mean: float, share: float, hint: float) -> tuple[float, float, float, float]:
        return share, mean, 1.0, hint


@dataclasses.dataclass(frozen=True)
class DraftAlone(db.Explore):
    width = staticmethod(LevelAlone.level)

    @staticmethod
    def draft(mean: float, count: float, clock: float) -> float:
        return mean


@dataclasses.dataclass(frozen=True)
class LessThanNoise(db.Explore):
    noise = -1

    @staticmethod
    def index(mean: float, count: float, clock: float, noise: float) -> float:
        return mean


def unmarked(mean: float) -> float:
    return mean


@dataclasses.dataclass(frozen=True)
class CallsUnmarked(db.Explore):
    scale: float = 1.0

    @staticmethod
    def index(mean: float, count: float, clock: float, scale: float) -> float:
        return unmarked(mean) * scale


@pytest.mark.parametrize(
    ("axis", "rule", "message"),
    [
        ("explore", NotStatic(), "NotStatic.index must be a staticmethod of (mean, count, clock,"),
        ("explore", TooFew(), "TooFew.index must be a staticmethod of (mean, count, clock, scale)"),
        ("explore", NoNumber(), "names of NoNumber must be a number, got ('a', 'b')"),
        ("explore", LevelAlone(), "LevelAlone.level must come together with tangent, got"),
        ("explore", NoisyTangent(), "NoisyTangent.tangent must belong to an index of mean, count"),
        ("explore", NearAlone(), "NearAlone.near must come together with tangent"),
        ("explore", DraftAlone(), "DraftAlone.draft must belong to an index that has no tangent"),
        ("explore", LessThanNoise(), "LessThanNoise.noise must be a whole number of at least 0"),
        ("forget", Growing(), "Growing.factor at round 1 must lie in (0, 1], got 1.5"),
        ("forget", Shrinking(), "Shrinking.span at round 2 must be at least 99, got 98.0"),
        ("detect", Nowhere(), "Nowhere.scope must be 'arm' or 'all', got 'each'"),
    ],
)
def test_a_wrong_rule_makes_no_policy(axis: str, rule: Any, message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        db.Policy(**{axis: rule})
    assert str(caught.value).startswith(message)


def test_an_unmarked_helper_is_named() -> None:
    world = db.environments.Stationary((0.1, 0.2))
    with pytest.raises(db.InputError) as caught:
        db.simulate(db.Policy(explore=CallsUnmarked()), world, horizon=10, runs=1)
    assert str(caught.value) == "a rule calls unmarked, which must be marked with @db.compilable"


def test_the_decorator_is_found_after_the_policies_are_loaded() -> None:
    db.UCB1()
    assert callable(db.compilable)


@dataclasses.dataclass(frozen=True)
class SquareRoot(db.Forget):
    """A span that is no whole number."""

    @staticmethod
    def span(t: float) -> float:
        return 1.0 + math.sqrt(t)


def test_a_span_need_not_be_whole() -> None:
    db.checks.check_policy(db.Policy(forget=SquareRoot()))


@dataclasses.dataclass(frozen=True)
class Losses(db.Weights):
    """Exponents below zero."""

    exploration: float = 0.3

    def numbers(self) -> tuple[float, ...]:
        return (self.exploration,)

    def steepest(self, arms: int) -> float:
        return 1.0

    @staticmethod
    def exponent(gain: float, probability: float, arms: float, exploration: float) -> float:
        return -exploration * gain / arms


def test_exponents_may_be_negative() -> None:
    db.checks.check_live_is_compiled(Losses(label="losses"))


class Flat(db.environments.World):
    """A world whose state is not in its fields."""

    arms = 2
    table: ClassVar[Any]

    def __init__(self, means: Any) -> None:
        super().__init__()
        object.__setattr__(self, "table", np.array(means))

    def mean_rewards(self, first: int, last: int) -> Any:
        return self.table if self.table.ndim == 2 else np.tile(self.table, (last - first + 1, 1))


def test_equal_looking_worlds_are_not_mixed_up() -> None:
    for means, expected in (((0.1, 0.9), 1), ((0.9, 0.1), 0)):
        assert (db.trace(db.Oracle(), Flat(means), horizon=5) == expected).all()


@pytest.mark.parametrize(
    ("means", "message"),
    [
        ((0.1, 0.2, 0.3), "means of Flat must have the shape (5, 2) for rounds 1 to 5, got (5, 3)"),
        (
            [[0.1, 0.2]] * 4,
            "means of Flat must have the shape (5, 2) for rounds 1 to 5, got (4, 2)",
        ),
        ((0.1, 1.2), "means of Flat must lie in [0, 1], got 1.2"),
        ((0.1, math.nan), "means of Flat must lie in [0, 1], got nan"),
    ],
)
def test_a_world_with_impossible_means_is_refused(means: Any, message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        db.simulate(db.UCB1(), Flat(means), horizon=5, runs=1)
    assert str(caught.value) == message


@dataclasses.dataclass(frozen=True)
class Wild(db.environments.World):
    """A random world that leaves its borders."""

    random = True
    arms = 2

    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        for step in range(means.shape[0]):
            means[step, 0] = 0.5
            means[step, 1] = math.nan


def test_a_random_world_with_impossible_means_is_refused() -> None:
    with pytest.raises(db.InputError, match=r"Wild\.path .* got none or nan for arm 1 in round 1"):
        db.simulate(db.UCB1(), Wild(), horizon=5, runs=1)


@dataclasses.dataclass(frozen=True)
class Generous(db.environments.laws.Law):
    """A law that pays too much."""

    @staticmethod
    def quantile(u: float, mean: float, parameters: Any) -> float:
        return 2.0 * mean


def test_a_law_that_pays_too_much_is_refused() -> None:
    world = db.environments.Stationary((0.1, 0.2), law=Generous())
    with pytest.raises(db.InputError, match=r"Generous.quantile must pay rewards in \[0, 1\]"):
        db.simulate(db.UCB1(), world, horizon=5, runs=1)


def test_a_rule_asked_once_has_promised_to_be_steady() -> None:
    @dataclasses.dataclass(frozen=True)
    class Sunday(db.Discount):
        @staticmethod
        def factor(t: float, discount: float) -> float:
            return discount if t % 7.0 == 0.0 else 1.0

    assert db.Discount(0.5).steady
    assert not Sunday(0.5).steady
    agent = db.Policy(forget=Sunday(0.5)).agent(arms=2)
    for _ in range(7):
        agent.learn(agent.choose(), 1.0)
    assert agent._learner.clock == 4.0  # type: ignore[attr-defined]  # an index learner


def test_a_broken_promise_is_refused() -> None:
    @dataclasses.dataclass(frozen=True)
    class Fickle(db.Forget):
        steady: ClassVar[bool] = True

        @staticmethod
        def span(t: float) -> float:
            return 1.0 + t

    with pytest.raises(db.InputError, match=r"Fickle at round 2 must be steady at \(1.0, 2.0\)"):
        db.Policy(forget=Fickle())


@pytest.mark.parametrize("axis", ["forget", "detect", "explore", "force"])
def test_the_axis_itself_is_no_rule(axis: str) -> None:
    base = getattr(db, axis.capitalize())
    with pytest.raises(db.InputError, match=rf"^{axis} must be an? {base.__name__} rule, got"):
        db.Policy(**{axis: base()})


@dataclasses.dataclass(frozen=True)
class Scaled(db.Explore):
    scale: Any = 1.0

    @staticmethod
    def width(clock: float, scale: float) -> float:
        return scale


@pytest.mark.parametrize("number", [Decimal("0.1"), Fraction(1, 10)])
def test_a_field_may_be_a_decimal_or_a_fraction(number: Any) -> None:
    """It is kept as the float that the function gets; JSON has no other."""
    policy = db.Policy(explore=Scaled(number))
    assert policy == db.Policy(explore=Scaled(0.1))
    assert db.Policy.from_json(policy.to_json()) == policy


def test_a_field_that_no_float_holds_is_refused() -> None:
    with pytest.raises(db.InputError, match="scale of Scaled must be a number, got Frac"):
        db.Policy(explore=Scaled(Fraction(10**400)))
