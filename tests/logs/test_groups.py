"""Logs that are cut by a column, and sources that are not what they seem."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import polars as pl
import pytest

import driftbandit as db
from logs.simulated import drawn
from logs.test_reading import MAKERS

COUNTRIES = np.where(np.arange(1_000) % 3 == 0, "it", "fr")
FRAME = drawn("drift", 1_000, 0).frame.with_columns(country=pl.Series(COUNTRIES))


def values(log: db.Log) -> list[float]:
    return [round(row.value, 10) for row in log.value([db.UCB1(), {"a": 1.0}])]


@pytest.mark.parametrize("name", ["polars", "pandas", "pyarrow", "duckdb", "ibis", "dask"])
def test_a_group_is_the_log_of_its_rows(name: str) -> None:
    groups = db.Log.read(MAKERS[name](FRAME), group="country").groups()
    assert list(groups) == ["fr", "it"]
    for country, log in groups.items():
        alone = db.Log.read(FRAME.filter(pl.col("country") == country))
        assert values(log) == values(alone)


def test_rows_without_a_group_are_a_group() -> None:
    frame = FRAME.with_columns(country=pl.Series([1.0, None] * 500))
    for source in (frame, MAKERS["pandas"](frame)):
        groups = db.Log.read(source, group="country").groups()
        assert {label: log.check().good for label, log in groups.items()} == {1.0: 500, None: 500}
    with pytest.raises(db.InputError, match="group must name a column when the log is read"):
        db.Log.read(FRAME).groups()


def test_a_command_answers_for_each_group(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    FRAME.write_csv(path)
    words = ["log", "value", str(path), "--fixed", "a", "--group", "country"]
    content = json.loads(command(*words, "--json").out)["groups"]
    for country, log in db.Log.read(path, group="country").groups().items():
        assert content[country] == json.loads(json.dumps(log.value({"a": 1.0}).to_dict()))
    text = command(*words).out
    assert text.index("== fr") < text.index("== it")


@pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # Ibis calls it
def test_ibis_reads_tables_of_duckdb(tmp_path: Path) -> None:
    connection = ibis.duckdb.connect()
    FRAME.write_parquet(tmp_path / "log.parquet")
    table = connection.read_parquet(tmp_path / "log.parquet")
    for source in (table.filter(table.time >= 0), ibis.memtable(FRAME.to_arrow())):
        assert values(db.Log.read(source)) == values(db.Log.read(FRAME))


HEADS = {
    "log.parquet": (b"time,arm,reward\n0,a,1\n", "must hold Parquet, .* but holds CSV"),
    "log.csv": (b"PAR1 and more", "must hold CSV, .* but holds Parquet"),
    "lines.csv": (b'{"time": 0}\n', "must hold CSV, .* but holds JSON lines"),
    "log.jsonl": (b"time,arm,reward\n0,a,1\n", "must hold JSON lines, .* but holds CSV"),
    "packed.csv": (gzip.compress(b"time,arm,reward\n"), "must hold CSV, .* but holds gzip"),
    "wide.csv": ("time,arm".encode("utf-16"), "must hold CSV, .* but holds UTF-16"),
    "odd.csv": (b"time,\0arm", "must hold CSV, .* but holds no text"),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_file_that_is_not_what_its_ending_says_is_refused(name: str, tmp_path: Path) -> None:
    content, message = HEADS[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(db.InputError, match=message):
        db.Log.read(tmp_path / name)


@pytest.mark.parametrize("maker", ["polars", "pandas", "pyarrow"])
def test_times_with_mixed_offsets_are_sorted_as_times(maker: str, tmp_path: Path) -> None:
    texts = ["1970-01-01T03:30:00+02:00", "1970-01-01T01:00:00Z", "1970-01-01T02:00:00+02:00"]
    frame = pl.DataFrame({"time": texts, "arm": ["a", "b", "a"], "reward": [0, 1, 0]})
    frame.write_csv(tmp_path / "log.csv")
    for source in (MAKERS[maker](frame), tmp_path / "log.csv"):
        check = db.Log.read(source, sort=True).check()
        assert (check.reasons, check.start, check.end) == ({}, 0.0, 5_400.0)


def alike(value: float) -> db.Log:
    rewards = pl.when(pl.col("arm") == "a").then(value).otherwise(0.0)
    return db.Log.read(FRAME.with_columns(reward=rewards))


def test_an_interval_without_width_is_explained() -> None:
    values = alike(0.4).value({"a": 1.0}, method="snips")
    assert values["always a"].low == values["always a"].high == 0.4
    assert any("interval of always a has no width" in note for note in values.notes)
    assert not any("no width" in note for note in db.Log.read(FRAME).value({"a": 1.0}).notes)


def test_rewards_that_are_all_alike_are_counted() -> None:
    values = alike(1.0).value([{"a": 1.0}, {"b": 1.0}], method=["snips", "dr"])
    assert any(note.startswith("Nearly all rewards behind always a, ") for note in values.notes)
    for row in values[:3]:
        if row.policy == "always a":
            assert (row.value, row.high) == (1.0, 1.0)
            assert row.low == pytest.approx(0.025 ** (1.0 / row.effective))
        if row.policy == "always b":
            assert (row.value, row.low) == (0.0, 0.0)
            assert row.high == pytest.approx(1.0 - 0.025 ** (1.0 / row.effective))
    apart = {(each.policy, each.against): each for each in values.differences}
    assert apart["always b", "always a"].high - apart["always b", "always a"].low > 0.01
    now = alike(1.0).value({"b": 1.0}, at="now")["always b"]
    assert now.high > 0.005
