"""What counts as a number, wherever a user gives one."""

import datetime
import decimal
import fractions
import math
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.core.arrays import is_list, real_array
from driftbandit.core.errors import LONGEST, as_float, plain, real, require, shown, whole

HUGE = 10**400
NO_NUMBERS = [
    np.True_,
    np.array(True),
    np.array("5"),
    np.array(None, dtype=object),
    np.complex128(1 + 2j),
    np.complex128(1.0),
    np.datetime64("2020-01-01"),
    np.timedelta64(5, "s"),
    np.ma.masked,
    decimal.Decimal("sNaN"),
    decimal.Decimal("NaN"),
    datetime.date(2020, 1, 1),
    float,
    "5",
    b"5",
    True,
    None,
    [5],
]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_what_is_no_real_number_is_refused_by_name(value: object) -> None:
    with pytest.raises(db.InputError, match=r"^xi must lie in \[0, inf\), got "):
        db.UCB1(xi=value)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(db.InputError, match=r"^window must be a whole number of at least 1, got "):
        db.SlidingWindowUCB(window=value)  # type: ignore[arg-type]  # the mistake


@pytest.mark.parametrize(
    "value",
    [HUGE, -HUGE, fractions.Fraction(HUGE), 10**5000],
    ids=["huge", "low", "fraction", "long"],
)
def test_numbers_that_no_float_can_hold_are_refused_in_one_short_line(value: Any) -> None:
    for make in (db.UCB1, db.EpsilonGreedy, db.SlidingWindowUCB):
        with pytest.raises(db.InputError) as error:
            make(value)
        assert len(str(error.value)) < LONGEST + 80


def test_a_fraction_that_rounds_to_zero_counts_as_zero() -> None:
    tiny = fractions.Fraction(1, HUGE)
    assert real("xi", tiny, "[0, 1]") == 0.0
    with pytest.raises(db.InputError, match="exploration must lie in"):
        db.EXP3S(exploration=tiny)  # type: ignore[arg-type]  # a fraction


@pytest.mark.parametrize(
    "value", [np.float32(0.5), np.float16(0.5), np.array(0.5), decimal.Decimal("0.5"), 0.5]
)
def test_numbers_of_all_kinds_are_taken(value: float) -> None:
    assert db.UCB1(xi=value) == db.UCB1(xi=0.5)
    assert db.environments.laws.Beta(value).concentration == 0.5
    assert whole("runs", np.array(5)) == whole("runs", decimal.Decimal(5)) == 5


def test_long_values_are_shortened_and_stay_on_one_line() -> None:
    with pytest.raises(db.InputError) as error:
        require(False, "means", np.zeros((100, 100)), "be few")
    assert "\n" not in str(error.value)
    assert len(shown("x" * 10_000)) <= LONGEST
    assert shown(10**5000) == "a number of 16,610 bits"


def test_a_bound_has_all_its_digits() -> None:
    world = db.environments.Stationary
    assert world([1000001.0, 0.0], bound=1000001.0).means == (1000001.0, 0.0)
    with pytest.raises(
        db.InputError, match=r"means\[0\] must lie in \[0, 1000001\], got 1000001.5"
    ):
        world([1000001.5, 0.0], bound=1000001.0)
    assert plain(0.1) == "0.1"


@pytest.mark.parametrize(
    "rows",
    [
        [["0.5", "0.1"]],
        [np.ma.array([0.5, 0.1], mask=[True, False])],
        np.ma.array([[0.5, 0.1]], mask=[[True, False]]),
        [[0.5j, 0.1]],
        [[HUGE, 0.1]],
        [[np.datetime64("2020-01-01"), 0.1]],
        [[0.5, None]],
    ],
)
def test_tables_of_anything_but_real_numbers_are_refused(rows: object) -> None:
    assert real_array(rows) is None
    with pytest.raises(db.InputError, match=r"^means"):
        db.environments.Table(rows)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(db.InputError, match=r"^rows"):
        db.linear.Fixed(rows)
    with pytest.raises(db.InputError, match=r"^features must"):
        db.LinUCB().agent(dimension=2).choose(rows)  # type: ignore[arg-type]  # the mistake


def test_tables_of_decimals_fractions_and_clicks_are_taken() -> None:
    rows = [[decimal.Decimal("0.5"), fractions.Fraction(1, 4)]]
    assert db.environments.Table(rows).means == ((0.5, 0.25),)  # type: ignore[arg-type]
    assert db.environments.Table(np.array([[True, False]])).means == ((1.0, 0.0),)


@pytest.mark.parametrize("value", [np.array(5), np.ma.masked, "5", 5, {5}])
def test_what_is_no_list_is_refused_where_a_list_is_wanted(value: object) -> None:
    assert not is_list(value)
    makers = {
        "rounds": db.OracleRestart,
        "table": db.environments.laws.Quantile,
        "means": db.environments.Stationary,
    }
    for name, make in makers.items():
        with pytest.raises(db.InputError, match=rf"^{name} must "):
            make(value)  # type: ignore[operator]  # each takes one list


def test_as_float_says_of_large_numbers_that_they_are_infinite() -> None:
    assert as_float(-HUGE) == -math.inf
    assert math.isnan(as_float(np.ma.masked))
