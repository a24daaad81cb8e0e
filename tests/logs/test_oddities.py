"""What is odd about a log though no row is bad, and what is said of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from logs.simulated import drawn

FRAME = drawn("still", 300, 0).frame
ALIKE = "count as different arms, though their names look alike."


def log(**columns: Any) -> db.Log:
    return db.Log.read(FRAME.with_columns(**columns))


def renamed(one: str, two: str) -> pl.Expr:
    return pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit(one)).otherwise(pl.lit(two))


@pytest.mark.parametrize(
    ("one", "two"),
    [("red", "red "), ("red", "Red"), ("1", "1.0"), ("01", "1"), ("é", "e\u0301"),
     ("red big", "red\u00a0big")],
)  # fmt: skip
def test_names_of_arms_that_look_alike_are_told(one: str, two: str) -> None:
    mixed = log(arm=renamed(one, two))
    names = " and ".join(map(repr, mixed.check().arms))
    assert mixed.check().remarks() == [f"Mind: {names} {ALIKE}"]
    assert any(ALIKE in note for note in mixed.value(method="snips").notes)
    assert any(ALIKE in text for text in mixed.report(tune=False).advice.warnings)


def test_other_names_are_not_told() -> None:
    assert log(arm=renamed("1", "1.5")).check().remarks() == []
    assert log(arm=renamed("nan_1", "nan1")).check().remarks() == []


def test_many_names_that_look_alike_are_cut() -> None:
    arms = [f"{place // 2}{' ' * (place % 2)}" for place in range(10)] * 30
    assert f"'2' and '2 ', and 2 more {ALIKE}" in log(arm=pl.Series(arms)).check().remarks()[0]


@pytest.mark.parametrize(("place", "time", "where"), [(0, 0.0, "first"), (299, 9e9, "last")])
def test_a_time_far_from_all_others_is_told(place: int, time: float, where: str) -> None:
    far = pl.when(pl.int_range(pl.len()) == place).then(time).otherwise(1e9 + pl.col("time"))
    odd = log(time=far)
    told = f"the {where} row lies "
    assert told in odd.check().remarks()[0]
    assert any(told in note for note in odd.drift().notes)


def test_a_gap_in_the_middle_and_even_times_are_not_told() -> None:
    half = pl.when(pl.int_range(pl.len()) < 150).then(pl.col("time")).otherwise(9e9)
    assert log().check().remarks() == log(time=half).check().remarks() == []


def test_one_time_for_all_rows_is_told() -> None:
    assert "all rows have the same time" in log(time=pl.lit(1.7e9)).check().remarks()[0]


def test_no_value_lies_outside_of_the_rewards() -> None:
    for reward in (0.0, 1.0):
        for method in ("dr", "ips", "snips"):
            for row in log(reward=pl.lit(reward)).value(method=method):
                assert 0.0 <= row.low <= row.value <= row.high <= 1.0


def test_booleans_of_postgresql_are_rewards() -> None:
    letters = pl.when(pl.col("reward") > 0).then(pl.lit("t")).otherwise(pl.lit("f"))
    assert log(reward=letters).value().to_dict() == log().value().to_dict()


def test_empty_ids_are_none() -> None:
    ids = pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("")).otherwise(pl.lit("x"))
    assert log(id=ids).check().reasons == {"id stands in an earlier row": 149}


def test_arms_of_numpy_are_names_of_python() -> None:
    numbers = FRAME["arm"].replace_strict({"a": 1, "b": 2, "c": 3})
    row = log(arm=numbers).value({np.int64(1): 1.0})["always 1"]
    assert row.value == log().value({"a": 1.0})["always a"].value


@pytest.mark.parametrize(
    ("column", "value", "remedy"),
    [("reward", "NULL", "text such as NULL, yes or 45% is none"),
     ("reward", "7", "bound (--bound) is the largest that a reward may be"),
     ("propensity", "50", "it is how likely the arm was that was played: 0.25, not 25")],
)  # fmt: skip
def test_what_helps_is_said(column: str, value: str, remedy: str) -> None:
    bad = log(**{column: pl.lit(value)})
    assert remedy in bad.check().remarks()[1]
    with pytest.raises(db.InputError, match=r"log must have good rows") as refused:
        bad.value()
    assert remedy in str(refused.value)


@pytest.mark.parametrize("address", ["s3://bucket/log.parquet", "https://example.org/log.csv"])
def test_an_address_is_told_as_it_was_given(address: str) -> None:
    with pytest.raises(db.InputError, match="must be the path of a file") as refused:
        db.Log.read(address)
    assert f"got the address {address!r}: read it with Polars" in str(refused.value)


def test_a_log_of_one_arm_is_not_tuned() -> None:
    one = log(arm=pl.lit("a"), propensity=pl.lit(1.0)).tune(db.Thompson(), spans=["4d"])
    assert one.advice == "Cannot tell: the log shows one arm, so nothing is chosen."
