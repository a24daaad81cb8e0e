"""How a user declares a rule: what is in another order, left out or misspelt is named."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import driftbandit as db

WORLD = db.environments.two_swaps(100)


@dataclasses.dataclass(frozen=True)
class Swapped(db.Explore):
    scale: float = 1.0
    power: float = 0.5

    @staticmethod
    def index(mean: float, count: float, clock: float, power: float, scale: float) -> float:
        return float(mean + scale / count**power)


@dataclasses.dataclass(frozen=True)
class ClockFirst(db.Explore):
    @staticmethod
    def index(mean: float, clock: float, count: float) -> float:
        return mean + 1.0 / count


class Undeclared(db.Explore):
    scale: float = 1.0

    @staticmethod
    def index(mean: float, count: float, clock: float, scale: float) -> float:
        return mean + scale / count


class Assigning(db.Explore):
    def __init__(self, scale: float) -> None:
        self.scale = scale

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + 1.0 / count


@dataclasses.dataclass(frozen=True)
class Pair(db.Explore):
    weights: tuple[float, float] = (1.0, 2.0)

    @staticmethod
    def index(mean: float, count: float, clock: float, weights: Any) -> float:
        return mean + float(weights[0]) / count


@dataclasses.dataclass(frozen=True)
class Wide(db.Explore):
    wide: bool = True

    @staticmethod
    def index(mean: float, count: float, clock: float, wide: float) -> float:
        return mean + wide / count


class Misspelt(db.Forget):
    @staticmethod
    def factr(t: float) -> float:
        return 0.5


class NoAlarm(db.Detect):
    pass


class NoArm(db.Force):
    pass


@dataclasses.dataclass(frozen=True)
class Distance(db.Detect):
    state = db.State("mean")

    @staticmethod
    def alarm(state: Any, reward: float, count: float) -> Any:
        return reward - 0.5  # 0 for one of the examples


@pytest.mark.parametrize(
    ("axis", "rule", "message"),
    [
        (
            "explore",
            Swapped(),
            "Swapped.index must be a staticmethod of (mean, count, clock, scale, power), in this "
            "order, got (mean",
        ),
        ("explore", ClockFirst(), "ClockFirst.index must be a staticmethod of (mean, count, clock"),
        ("explore", Assigning(2.0), "scale of Assigning must be a field"),
        ("explore", Pair(), "Pair.index must be a staticmethod of (mean, count, clock, weights[0]"),
        ("explore", Wide(), "wide of Wide must be a number, 1.0 or 0.0, got True"),
        ("forget", Misspelt(), "Misspelt must have a staticmethod factor or span"),
        ("detect", NoAlarm(), "NoAlarm must have a staticmethod alarm or due"),
        ("force", NoArm(), "NoArm must have a staticmethod arm"),
        ("detect", Distance(), "what Distance.alarm returns must be True or False, got -0.2"),
    ],
)
def test_a_rule_that_says_another_thing_than_meant_is_refused(
    axis: str, rule: Any, message: str
) -> None:
    with pytest.raises(db.InputError) as caught:
        db.Policy(**{axis: rule})
    assert str(caught.value).startswith(message)


def test_a_class_without_its_decorator_is_told_so() -> None:
    with pytest.raises(db.InputError, match=r"fields need @dataclass\(frozen=True\) above"):
        db.Policy(explore=Undeclared())


@dataclasses.dataclass(frozen=True)
class Renamed(db.Explore):
    scale: float = 1.0

    @staticmethod
    def index(average: float, plays: float, time: float, width: float) -> float:
        return average + width / plays


def test_arguments_may_have_other_names() -> None:
    assert db.simulate(db.Policy(explore=Renamed()), WORLD, runs=2)


def test_a_rule_that_exec_has_made_without_a_module_plays() -> None:
    source = (
        "class Bare(db.Explore):\n"
        "    @staticmethod\n"
        "    def index(mean, count, clock):\n"
        "        return mean + 1.0 / count\n"
    )
    scope: dict[str, Any] = {"db": db}
    exec(source, scope)  # as notebooks of other makers do
    assert db.simulate(db.Policy(explore=scope["Bare"](), label="bare"), WORLD, runs=2)
