"""Domains: declared beside a field, checked when a value is made, in users' classes too."""

from __future__ import annotations

import dataclasses
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import cloudpickle
import numpy as np
import pytest

import driftbandit as db
from driftbandit.core.domain import (
    Checked,
    Count,
    Domain,
    Flag,
    Instance,
    NonNegative,
    OpenShare,
    Positive,
    PositiveShare,
    Real,
    Share,
    Whole,
    domains,
)
from driftbandit.core.errors import real, whole
from driftbandit.core.value import Value

if TYPE_CHECKING:
    from nowhere import Unknown  # type: ignore[import-not-found]  # a name for checkers alone

INTERVALS = ["(0, inf)", "[0, inf)", "[0, 1]", "(0, 1]", "(0, 1)", "[1.05, 2]", "(-inf, inf)"]
NUMBERS: list[Any] = [-1, 0, 0.0, 1e-99, 0.5, 1, 1.0, 1.05, 2, 2.0, math.inf, -math.inf, math.nan]
OTHERS: list[Any] = [True, None, "0.5", b"1", [0.5], np.float64(0.5), np.int64(1), np.ones(1)]


def outcome(check: Any, *arguments: Any) -> tuple[Any, ...]:
    """Return the type and value that a check returns, or the message it raises."""
    try:
        value = check(*arguments)
    except db.InputError as error:
        return ("raises", str(error))
    return (type(value), value)


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("value", NUMBERS + OTHERS, ids=repr)
def test_a_real_domain_is_the_check_of_its_interval(interval: str, value: Any) -> None:
    assert outcome(Real(interval), "x", value) == outcome(real, "x", value, interval)


@pytest.mark.parametrize(("least", "most"), [(1, 2**53), (0, 2**53), (2, 2**53), (1, 9), (1, None)])
@pytest.mark.parametrize("value", [*NUMBERS, *OTHERS, 9, 10, 2**53, 2**53 + 1, 2.5, 1e3], ids=repr)
def test_a_whole_domain_is_the_check_of_its_range(least: int, most: int | None, value: Any) -> None:
    assert outcome(Whole(least, most), "n", value) == outcome(whole, "n", value, least, most)


@pytest.mark.parametrize("value", [1.1e100, 1e308, 10**200])
def test_numbers_whose_squares_overflow_are_refused(value: float) -> None:
    with pytest.raises(db.InputError, match=r"xi must lie between ±1e\+100, or it overflows, got"):
        db.UCB1(xi=value)
    assert db.UCB1(xi=1e100).explore == db.UCB(xi=1e100)


def test_even_numbers() -> None:
    even = Whole(least=2, even=True)
    assert [even("n", value) for value in (2, 4.0, np.int64(10**6))] == [2, 4, 10**6]
    assert outcome(even, "n", 3) == ("raises", "n must be even, got 3")
    assert outcome(even, "n", 0) == ("raises", "n must be a whole number of at least 2, got 0")


def sorted_pair(name: str, value: Any) -> tuple[float, float]:
    low, high = sorted(value)
    return low, high


class Lower(Domain):
    """A domain of one's own."""

    def __call__(self, name: str, value: Any) -> str:
        return str(value).lower()


@dataclasses.dataclass(frozen=True)
class Everything(Value):
    positive: Positive = 1.0
    least: NonNegative = 0.0
    share: Share = 0.0
    some: PositiveShare = 1.0
    inside: OpenShare = 0.5
    count: Count = 1
    odd: Annotated[float, Real("(2, 3)")] = 2.5
    maybe: Positive | None = None
    few: Annotated[int, Whole(most=5)] | None = None
    flag: Annotated[bool, Flag()] = False
    text: Annotated[str, "a note that is no domain", Lower()] = "A"
    law: Annotated[Value | None, Instance(Value, "a value")] = dataclasses.field(
        default_factory=db.Full
    )
    pair: Annotated[tuple[float, float], Checked(sorted_pair)] = (2.0, 1.0)
    free: float = -1.0
    unknown: Unknown = "anything"


def test_every_field_is_converted_and_the_rest_left_alone() -> None:
    value = Everything(positive=2, maybe=3, few=4.0)  # type: ignore[arg-type]  # whole all the same
    assert (type(value.positive), type(value.maybe), type(value.few)) == (float, float, int)
    assert (value.pair, value.text, value.free) == ((1.0, 2.0), "a", -1.0)
    assert value.unknown == "anything"
    assert {name for name, _ in domains(Everything)} == {
        field.name for field in dataclasses.fields(Everything)
    } - {"free", "unknown"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"positive": 0}, "positive must lie in (0, inf), got 0"),
        ({"least": -1}, "least must lie in [0, inf), got -1"),
        ({"share": 1.1}, "share must lie in [0, 1], got 1.1"),
        ({"some": 0}, "some must lie in (0, 1], got 0"),
        ({"inside": 1}, "inside must lie in (0, 1), got 1"),
        ({"count": 0}, "count must be a whole number of at least 1, got 0"),
        ({"odd": 3}, "odd must lie in (2, 3), got 3"),
        ({"maybe": -2}, "maybe must lie in (0, inf), got -2"),
        ({"few": 6}, "few must be at most 5, got 6"),
        ({"flag": 1}, "flag must be True or False, got 1"),
        ({"law": None}, "law must be a value, got None"),
    ],
)
def test_messages(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        Everything(**fields)
    assert str(caught.value) == message
    with pytest.raises(db.InputError):
        Everything().replace(**fields)


@dataclasses.dataclass(frozen=True)
class Quick(db.Discount):
    """A class of one's own below one of ours, with a domain, a free field and a check."""

    least: Positive = 0.5
    note: Unknown = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        assert isinstance(self.least, float), "fields are checked by now"

    @staticmethod
    def factor(t: float, discount: float, *others: float) -> float:
        return max(discount, others[0])


def test_classes_of_ones_own_inherit_and_declare_domains() -> None:
    assert Quick(1, 1) == Quick(1.0, 1.0)
    for arguments, message in (((2.0,), "discount must lie"), ((0.5, 0.0), "least must lie")):
        with pytest.raises(db.InputError, match=message):
            Quick(*arguments)
    assert pickle.loads(pickle.dumps(Quick(0.9))) == Quick(0.9)
    assert db.Policy(forget=Quick(0.9)).label.startswith("Quick(discount=0.9")


def test_a_check_of_ones_own_may_leave_ours_out() -> None:
    @dataclasses.dataclass(frozen=True)
    class Loose(db.Detect):
        scope: str = "neither"

        def __post_init__(self) -> None:
            """Check nothing."""

    with pytest.raises(db.InputError, match=r"Loose\.scope must be 'arm' or 'all', got 'neither'"):
        db.Policy(detect=Loose())


def test_the_scope_and_the_label_are_checked_by_themselves() -> None:
    @dataclasses.dataclass(frozen=True)
    class Sideways(db.Detect):
        scope: str = "sideways"

    @dataclasses.dataclass(frozen=True)
    class Falling(db.Weights):
        bound: Positive = 1.0

    with pytest.raises(db.InputError, match=r"Sideways\.scope must be 'arm' or 'all'"):
        Sideways()
    assert Falling().label == "Falling"
    with pytest.raises(db.InputError, match="label must be a text of one line, and visible, got 3"):
        Falling(label=3)  # type: ignore[arg-type]  # that is the point


MAIN = """
import dataclasses, sys
import cloudpickle
import driftbandit as db
from driftbandit.core.domain import Positive

@dataclasses.dataclass(frozen=True)
class Own(db.Discount):
    least: Positive = 0.5

    @staticmethod
    def factor(t, discount, least):
        return max(discount, least)

sys.stdout.buffer.write(cloudpickle.dumps((Own, Own(0.9))))
"""


def test_a_class_of_main_works_in_another_process() -> None:
    payload = subprocess.run([sys.executable, "-c", MAIN], capture_output=True, check=True).stdout
    own, value = cloudpickle.loads(payload)
    assert own(0.9) == value
    with pytest.raises(db.InputError, match="discount must lie in"):
        value.replace(discount=2.0)


@pytest.mark.parametrize("tiny", [1e-101, 5e-324])
def test_a_parameter_that_vanishes_is_refused(tiny: float) -> None:
    with pytest.raises(db.InputError, match=r"^bound must be at least 1e-100, or it vanishes, got"):
        db.UCBTuned(bound=tiny)


@pytest.mark.parametrize(
    "make",
    [
        lambda rate: db.environments.RandomSwitching(rate=rate),
        lambda rate: db.environments.RandomJumps(rate=rate),
        lambda rate: db.environments.NewsFeed(rate=rate),
        db.force.GrowingSweeps,
    ],
)
def test_a_rate_that_vanishes_is_refused(make: Callable[[float], Any]) -> None:
    with pytest.raises(db.InputError, match=r"^rate must be at least 1e-100, or it vanishes, got"):
        make(5e-324)
    assert make(1e-100).rate == 1e-100


def test_a_rate_may_be_zero() -> None:
    assert db.environments.RandomJumps(rate=0).rate == 0.0


@pytest.mark.parametrize(
    "policy", [db.GaussianThompson(deviation=1e-100), db.UCBTuned(bound=1e-100)]
)
def test_the_least_of_parameters_plays_live(policy: db.Policy) -> None:
    agent = policy.agent(arms=3)
    for t in range(9):
        decision = agent.decide(at=float(t))
        agent.reward(decision.id, decision.arm * policy.bound / 2.0, at=float(t))
    assert sum(agent.probabilities().values()) == pytest.approx(1.0)
