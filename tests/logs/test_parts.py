"""Parquet files of one log whose columns are of different kinds."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import driftbandit as db

ROWS = {"time": [1.0, 2.0], "arm": ["a", "b"], "reward": [1, 0]}


def log_of(folder: Path, *parts: dict[str, Any], **terms: Any) -> db.Log:
    for place, part in enumerate(parts):
        pl.DataFrame({**ROWS, **part}).write_parquet(folder / f"{place}.parquet")
    return db.Log.read(folder, sort=True, **terms)


INTS, FLOATS = pl.Series([1, 0]), pl.Series([1.0, 0.0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (INTS, FLOATS),
        (FLOATS, INTS),
        (INTS.cast(pl.Int8), INTS),
        (INTS.cast(pl.UInt8), INTS),
        (FLOATS.cast(pl.Float32), FLOATS),
    ],
)
def test_numbers_of_several_kinds_are_numbers(
    first: pl.Series, second: pl.Series, tmp_path: Path
) -> None:
    log = log_of(tmp_path, {"reward": first}, {"reward": second})
    assert log.check().good == 4
    assert log.drift()["a"].rate == 1.0


def test_arms_that_a_missing_one_made_floats_are_the_same_arms(tmp_path: Path) -> None:
    first, second = {"arm": [1, 2]}, {"arm": [1.0, None]}
    log = log_of(tmp_path, first, second, bad="set aside")
    assert (log.check().arms, log.check().good) == ([1, 2], 3)


def test_whole_numbers_that_no_float_holds_are_missing_beside_floats(tmp_path: Path) -> None:
    log = log_of(tmp_path, {"arm": [2**60 + 1, 2**60]}, {"arm": [1.0, 2.0]})
    assert log.check().reasons == {"arm is missing": 2}


def test_a_part_without_any_reward_is_of_no_kind(tmp_path: Path) -> None:
    log = log_of(tmp_path, {"reward": [None, None]}, {}, default_reward=0.0)
    assert log.check().good == 4


def test_numbers_beside_texts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(db.InputError, match=r"1\.parquet' must have the columns of '0\.parquet'"):
        log_of(tmp_path, {}, {"arm": [1, 2]}).check()


def test_times_with_a_zone_beside_times_without_are_refused(tmp_path: Path) -> None:
    """Polars reads both as UTC, whatever zone the second file is of."""
    naive = [datetime.datetime(2024, 1, day) for day in (1, 2)]
    zoned = [each.replace(tzinfo=datetime.UTC) for each in naive]
    for first, second in ((naive, zoned), (zoned, naive)):
        with pytest.raises(db.InputError, match="must have times with a zone in 'time' where"):
            log_of(tmp_path, {"time": first}, {"time": second}, zone="Europe/Berlin")
