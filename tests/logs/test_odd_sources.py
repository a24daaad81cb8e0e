"""Files and frames as others write them: odd names, kinds of columns, and spellings of times."""

from __future__ import annotations

import datetime
import decimal
import math
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]  # it has no types
import pytest

import driftbandit as db

HEAD = "time,arm,reward\n"


def columns(**odd: Any) -> dict[str, Any]:
    return {"time": [1.0, 2.0], "arm": ["a", "b"], "reward": [1.0, 0.0], **odd}


def refusal(source: Any, **terms: Any) -> str:
    with pytest.raises(db.InputError) as caught:
        db.Log.read(source, **terms).check()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def arms_of(source: Any) -> list[Any]:
    check = db.Log.read(source).check()
    assert check.good == check.rows == 2
    return check.arms


class Odd:
    """A class that no data frame knows."""


@pytest.mark.parametrize(
    ("role", "values", "kind"),
    [
        ("reward", [[1.0], [0.0]], "List(Float64)"),
        ("reward", [{"x": 1}, {"x": 0}], "Struct({'x': Int64})"),
        ("reward", [datetime.date(1970, 1, 1)] * 2, "Date"),
        ("reward", [datetime.timedelta(0)] * 2, "Duration(time_unit='us')"),
        ("propensity", [[0.5], [0.5]], "List(Float64)"),
        ("time", [datetime.timedelta(0)] * 2, "Duration(time_unit='us')"),
        ("time", [False, True], "Boolean"),
        ("reward_time", [datetime.time(1)] * 2, "Time"),
        ("arm", [Odd(), Odd()], "Odd"),
        ("id", [[1], [2]], "List(Int64)"),
        ("eligible", [[["a"]], [["b"]]], "List(List(String))"),
    ],
)
def test_a_column_of_another_kind_is_refused_by_its_role(role: str, values: Any, kind: str) -> None:
    message = refusal(pl.DataFrame(columns(**{role: values})))
    assert message.startswith(f"{role} must ")
    assert message.endswith(f", got a column of {kind}")


@pytest.mark.parametrize(
    ("arms", "labels"),
    [
        (pl.Series(["x", "y"], dtype=pl.Enum(["y", "x"])), ["x", "y"]),
        (pl.Series([10**30, 5], dtype=pl.Int128), ["5", str(10**30)]),
        (pl.Series([b"\xff", b"\x01"]), ["01", "ff"]),
    ],
)
def test_arms_of_every_kind_have_names(arms: pl.Series, labels: list[Any]) -> None:
    assert arms_of(pl.DataFrame(columns(arm=arms))) == labels


def test_nan_is_no_arm_and_no_id() -> None:
    frame = pl.DataFrame(columns(arm=[1.5, math.nan], id=[math.nan, math.nan]))
    assert db.Log.read(frame).check().reasons == {"arm is missing": 1}


@pytest.mark.parametrize(
    "ids",
    [
        [True, True],
        [1e20, 1e20],
        [datetime.datetime(2024, 1, 1)] * 2,
        [decimal.Decimal("1.50")] * 2,
        [b"\xff"] * 2,
    ],
)
def test_an_id_of_any_kind_stands_once(ids: list[Any]) -> None:
    reasons = db.Log.read(pl.DataFrame(columns(id=ids))).check().reasons
    assert reasons == {"id stands in an earlier row": 1}


def test_frames_of_pandas_with_odd_columns() -> None:
    whole = pd.DataFrame(columns(arm=[uuid.UUID(int=1), uuid.UUID(int=2)]))
    assert arms_of(whole) == [str(uuid.UUID(int=1)), str(uuid.UUID(int=2))]
    frame = pd.DataFrame(columns())
    frame[7] = 1
    assert arms_of(frame) == ["a", "b"]
    assert arms_of(frame.assign(reward=frame["reward"].astype(np.longdouble))) == ["a", "b"]
    for unit in ("s", "ms", "us", "ns"):
        times = pd.date_range("2024-01-01", periods=2, unit=unit)
        log = db.Log.read(frame.assign(time=times), zone="UTC")
        assert log.check().start == 1_704_067_200.0
    assert "got a column of complex" in refusal(frame.assign(reward=[1j, 2j]))
    assert "got a column of Period" in refusal(
        frame.assign(time=pd.period_range("2024-01-01", periods=2, freq="D"))
    )
    assert refusal(frame, time=7) == "time must be a text, the name of a column, got 7"


def test_a_column_stands_once_in_a_frame() -> None:
    frame = pd.DataFrame(columns())
    twice = pd.concat([frame, frame[["reward"]]], axis=1)
    message = "columns must have different names, got 'reward' twice"
    assert refusal(twice) == message
    arrays = [pa.array(values) for values in columns().values()]
    table = pa.Table.from_arrays([*arrays, arrays[2]], ["time", "arm", "reward", "reward"])
    assert refusal(table) == message


@pytest.mark.parametrize(
    "array",
    [
        pa.array([decimal.Decimal("0.5")] * 2, pa.decimal256(40, 3)),
        pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array([1.0])),
    ],
)
def test_what_polars_has_no_kind_for_is_refused(array: Any) -> None:
    message = refusal(pa.table(columns(reward=array)))
    assert message.startswith("source must have columns of kinds that Polars has, got time: double")


def test_a_frame_that_cannot_be_computed_is_one_line() -> None:
    lazy = pl.LazyFrame(columns())
    assert refusal(lazy.select("nothing")).startswith("source cannot be read: unable to find")
    late = refusal(lazy.with_columns(reward=pl.col("arm").cast(pl.Float64)))
    assert late.startswith("source cannot be read: conversion from `str` to `f64` failed")
    assert refusal(pl.DataFrame(columns()), layout="vowpal-wabbit").startswith("source cannot be")


def test_names_of_files_are_no_patterns(tmp_path: Path) -> None:
    frame = pl.DataFrame(columns())
    for stem in ("log[1]", "log*"):
        frame.write_csv(tmp_path / f"{stem}.csv")
        frame.write_ndjson(tmp_path / f"{stem}.jsonl")
        frame.write_parquet(tmp_path / f"{stem}.parquet")
        for ending in ("csv", "jsonl", "parquet"):
            assert arms_of(tmp_path / f"{stem}.{ending}") == ["a", "b"]


def test_hidden_files_of_a_folder_are_left_alone(tmp_path: Path) -> None:
    pl.DataFrame(columns()).write_csv(tmp_path / "log.csv")
    (tmp_path / "._log.csv").write_bytes(b"\x00\x05\x16\x07")
    assert arms_of(tmp_path) == ["a", "b"]


@pytest.mark.parametrize(
    ("ending", "content", "what"),
    [
        ("csv", "time,arm,reward\r1,a,1\r", "lines that end with carriage returns alone"),
        ("jsonl", '[{"time": 1, "arm": "a", "reward": 1}]', "a list in JSON"),
        ("jsonl", '\ufeff{"time": 1, "arm": "a"}', "JSON lines after a byte order mark"),
    ],
)
def test_what_a_file_holds_instead_is_said(
    tmp_path: Path, ending: str, content: str, what: str
) -> None:
    path = tmp_path / f"log.{ending}"
    path.write_bytes(content.encode())
    assert refusal(path).endswith(f"as its ending says, but holds {what}")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-01-31 10:00:00 UTC", 1_706_695_200.0),
        ("2024-01-31 10:00:00.5 GMT", 1_706_695_200.5),
        ("2024-01-31t10:00:00z", 1_706_695_200.0),
        ("2024-01-31T10:00:00+14:00", 1_706_644_800.0),
        ("2024-01-31T10:00:00-0330", 1_706_707_800.0),
        ("2024-01-31T10:00:00+15:00", None),
        ("2024-01-31T10:00:00+01:60", None),
        ("2024-01-31T10:00:00+99:99", None),
        ("inf", None),
    ],
)
def test_offsets_are_those_that_exist(text: str, moment: float | None) -> None:
    times = ["2024-01-01T00:00:00Z", text]
    check = db.Log.read(pl.DataFrame(columns(time=times)), zone="UTC").check()
    assert check.good == 1 + (moment is not None)
    assert moment in (None, check.end)


@pytest.mark.parametrize("date", [20240131, 20240131235959])
def test_dates_in_digits_are_no_seconds(date: int) -> None:
    for times in ([date, date + 0], [float(date)] * 2, [str(date)] * 2):
        message = refusal(pl.DataFrame(columns(time=times)))
        assert message.endswith(f"got a date in digits, {date}")
    assert arms_of(pl.DataFrame(columns(time=[20240199, 20240200]))) == ["a", "b"]


def test_columns_of_objects_are_of_one_kind() -> None:
    same = uuid.UUID(int=1)
    frame = pd.DataFrame(columns(id=[same, same], g=[same, same]))
    log = db.Log.read(frame, group="g")
    assert log.check().reasons == {"id stands in an earlier row": 1}
    assert {label: each.check().rows for label, each in log.groups().items()} == {str(same): 2}
    mixed = pd.DataFrame(columns(id=[1, "1"], g=pd.Series([1, "1"], dtype=object)))
    log = db.Log.read(mixed, group="g")
    assert log.check().reasons == {"id stands in an earlier row": 1}
    assert list(log.groups()) == ["1"]
    sets = pd.DataFrame(columns(id=pd.Series([{1}, {2}])))
    assert refusal(sets) == "id must be one name per row, got unhashable type: 'set'"
    mixed[7] = pd.Series([1, "x"], dtype=object)
    assert arms_of(mixed.drop(columns=["id"])) == ["a", "b"]


def test_nothing_is_no_eligible_arm() -> None:
    assert arms_of(pl.DataFrame(columns(eligible=[["a", None], ["b", None]]))) == ["a", "b"]


def test_a_column_without_a_name_is_no_group() -> None:
    frame = pl.DataFrame({**columns(), "": ["x", "y"]})
    message = "group must be a text, the name of a column, got ''"
    assert refusal(frame, group="") == message


def test_numbers_of_json_lines_may_turn_into_fractions_late(tmp_path: Path) -> None:
    rows = 10_002
    lines = [f'{{"time": {row}, "arm": "{"ab"[row % 2]}", "reward": 1}}' for row in range(rows)]
    lines[-1] = lines[-1].replace("1}", "0.5}")
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    value = db.Log.read(tmp_path / "log.jsonl").value()["as logged"].value
    assert value == pytest.approx(1.0 - 0.5 / rows, abs=1e-12)


def test_json_lines_of_several_files_have_kinds_that_fit_all(tmp_path: Path) -> None:
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_text('{"time": 1, "arm": 1, "reward": 1}\n')
    second.write_text('{"time": 1.5, "arm": 2, "reward": 0.5, "propensity": 0.5}\n')
    (tmp_path / "3.jsonl").write_text("")
    check = db.Log.read(tmp_path, bad="set aside").check()
    assert (check.rows, check.good, check.start) == (3 - 1, 1, 1.5)  # the first lacks a propensity


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("time,arm,clicks\n3,a,0\n", "must have the columns of '1.csv', time, arm, reward, got"),
        ("time,arm,reward\n3,a,0,5,6\n", "is not a readable log of CSV: "),
        ("", "is not a readable log: it is empty"),
    ],
)
def test_a_file_that_does_not_fit_the_others_is_named(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "1.csv").write_text(f"{HEAD}1,a,0\n2,b,1\n")
    (tmp_path / "2.csv").write_text(text)
    assert refusal(tmp_path).startswith(f"{str(tmp_path / '2.csv')!r} {line}")
