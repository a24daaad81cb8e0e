"""One log, however it is stored: files, frames of any library, and layouts of other programs."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs.reading import batches
from driftbandit.logs.survey import BadRow
from logs.simulated import drawn

FRAME = drawn("drift", 1_000, 0).frame.with_columns(
    id=pl.int_range(1_000).cast(pl.String), eligible=pl.lit([["a", "b", "c"]]).list.first()
)
PLAIN = FRAME.drop("eligible")


def answer(log: db.Log) -> Any:
    """Return values; pieces of other sizes are added in another order, so not to the last bit."""
    values = log.value([db.UCB1(), {"a": 1.0}], method=["dr", "replay"])
    return [(*row[:3], *np.round(row[3:8], 10).tolist()) for row in values]


VALUE = answer(db.Log.read(FRAME))


def as_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})


def as_duckdb(frame: pl.DataFrame) -> Any:
    table = frame.sample(fraction=1.0, shuffle=True, seed=0).to_arrow()  # it has no order anyway
    return duckdb.connect().from_arrow(table)


def as_dask(frame: pl.DataFrame) -> Any:
    return dd.from_pandas(as_pandas(frame), npartitions=3)  # type: ignore[no-untyped-call]  # Dask has no types


MAKERS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pandas": as_pandas,
    "pandas with arrow": lambda frame: as_pandas(frame).convert_dtypes(dtype_backend="pyarrow"),
    "pyarrow": lambda frame: frame.to_arrow(),
    "duckdb": as_duckdb,
    "ibis": lambda frame: ibis.polars.connect().create_table("log", frame.to_arrow()),
    "dask": as_dask,
}


@pytest.mark.parametrize("name", MAKERS)
def test_every_frame_is_the_same_log(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SIZE", 300)  # so that there are several
    log = db.Log.read(MAKERS[name](PLAIN))
    assert answer(log) == VALUE
    assert log.check().good == 1_000


@pytest.mark.parametrize("name", ["polars", "lazy", "pandas", "pyarrow", "duckdb"])
def test_lists_of_eligible_arms_are_read_from_every_frame(name: str) -> None:
    log = db.Log.read(MAKERS[name](FRAME))
    assert answer(log) == VALUE


def written(form: str, folder: Path) -> Path:
    path = folder / f"log.{form}"
    if form == "csv":
        PLAIN.write_csv(path)
    elif form == "parquet":
        FRAME.write_parquet(path)
    else:
        FRAME.write_ndjson(path)
    return path


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_every_file_is_the_same_log(form: str, tmp_path: Path) -> None:
    assert answer(db.Log.read(written(form, tmp_path))) == VALUE


def test_a_folder_and_a_pattern_are_the_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    for place in range(4):
        PLAIN[place * 250 : (place + 1) * 250].write_csv(tmp_path / f"{place}.csv")
    for source in (tmp_path, str(tmp_path / "*.csv")):
        log = db.Log.read(source)
        assert answer(log) == VALUE
    bad = PLAIN[:1].with_columns(reward=pl.lit(7.0))
    bad.write_csv(tmp_path / "4.csv")
    assert (1_001, "reward is outside of [0, 1]") in [
        (row.number, row.reason) for row in db.Log.read(tmp_path).check().bad
    ]


def test_a_log_that_is_too_long_to_keep_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("driftbandit.logs.survey.MOST_KEPT", 100)
    monkeypatch.setattr(batches, "SIZE", 90)
    frame = PLAIN.with_columns(reward=pl.when(pl.col("id") == "5").then(9.0).otherwise("reward"))
    log = db.Log.read(frame, bad="set aside")
    values = answer(log)
    assert log._contents.survey.kept is None
    monkeypatch.undo()
    assert values == answer(db.Log.read(frame, bad="set aside"))


def test_rows_in_no_order_are_sorted_on_request() -> None:
    shuffled = PLAIN.sample(fraction=1.0, shuffle=True, seed=1)
    assert answer(db.Log.read(shuffled, sort=True)) == VALUE
    with pytest.raises(db.InputError, match=r"time goes backwards .* sort=True \(--sort\) sorts"):
        db.Log.read(shuffled).value()


def test_numbers_in_csv_are_sorted_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("time,arm,reward\n10,a,1\n9.5,b,0\n100,a,1\n")
    check = db.Log.read(path, sort=True).check()
    assert (check.reasons, check.start, check.end) == ({}, 9.5, 100.0)


def agent_log(path: Path) -> None:
    agent = db.UCB1().agent(arms=["red", "blue"], seed=0, floor=0.5)
    with path.open("w", encoding="utf-8") as file:
        for place in range(400):
            decision = agent.decide(at=float(place))
            file.write(decision.to_json() + "\n")
            if place % 4:
                reward = db.Reward(decision.id, float(place % 2), place + 0.5)
                agent.apply(reward)
                file.write(reward.to_json() + "\n")


def test_events_of_an_agent_are_a_log(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    agent_log(path)
    log = db.Log.read(path, layout="agent")
    assert log.check().reasons == {"reward is missing or no number": 100}
    full = db.Log.read(path, layout="agent", default_reward=0.0)
    assert full.check().reasons == {}
    assert full.check().arms == ["blue", "red"]
    assert full.value([{"red": 1.0}])["as logged"].value == 0.5
    assert full.overlap().propensities == "logged"


def test_events_without_any_reward_are_decisions_without_reward(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(db.UCB1().agent(arms=2).decide(at=0.0).to_json() + "\n")
    assert db.Log.read(path, layout="agent").check().reasons == {
        "reward is missing or no number": 1
    }


def test_the_open_bandit_dataset_is_a_log(tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    path.write_text(
        ",timestamp,item_id,position,click,propensity_score,user_feature_0\n"
        "0,2019-11-24 00:00:22.768349+00:00,79,2,0,0.0125,81ce\n"
        "1,2019-11-24 00:00:29.106144+00:00,14,1,1,0.0125,81ce\n"
    )
    log = db.Log.read(path, layout="open-bandit")
    check = log.check()
    assert (check.good, check.arms) == (2, [14, 79])
    assert check.end - check.start == pytest.approx(6.337795)
    value = log.value([{79: 1.0}])["always 79"]
    assert np.isnan(value.value)
    assert value.why.startswith("cannot tell: 1.0 effective rows")


def test_decision_service_json_is_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log.dsjson"
    event = {
        "_label_cost": -0.5, "_label_probability": 0.25, "_label_Action": 2, "_labelIndex": 1,
        "o": [{"v": 0.5, "EventId": "x"}], "Timestamp": "2021-02-04T16:31:29.2460000Z",
        "EventId": "x", "a": [2, 1, 3], "p": [0.25, 0.5, 0.25], "c": {"_multi": [{}, {}, {}]},
    }  # fmt: skip
    path.write_text(json.dumps(event) + "\n")
    log = db.Log.read(path, layout="vowpal-wabbit")
    check = log.check()
    assert (check.good, check.arms) == (1, [1, 2, 3])
    moment = dt.datetime(2021, 2, 4, 16, 31, 29, 246_000, tzinfo=dt.UTC)
    assert check.start == pytest.approx(moment.timestamp())
    (piece,) = log._evidence.pieces()
    assert (piece.rows.reward[0], piece.rows.propensity[0], piece.rows.eligible[0]) == (
        0.5,
        0.25,
        0,
    )


SPELLINGS = {
    "seconds": [0, 3_600],
    "text": ["1970-01-01T00:00:00Z", "1970-01-01T01:00:00Z"],
    "offsets": ["1970-01-01 01:00:00+01:00", "1969-12-31T20:00-0500"],
    "offsets in hours": ["1970-01-01 01:00:00+01", "1969-12-31 20:00:00.000-05"],
    "numbers as text": ["0", "3600.0"],
    "datetimes": [
        dt.datetime(1970, 1, 1, tzinfo=dt.UTC),
        dt.datetime(1970, 1, 1, 1, tzinfo=dt.UTC),
    ],
}


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("maker", ["polars", "pandas", "pyarrow"])
def test_times_may_be_spelt_in_many_ways(name: str, maker: str) -> None:
    frame = pl.DataFrame({"time": SPELLINGS[name], "arm": ["a", "b"], "reward": [0, 1]})
    check = db.Log.read(MAKERS[maker](frame)).check()
    assert (check.start, check.end) == (0.0, 3_600.0)


@pytest.mark.parametrize(
    ("times", "options"),
    [
        ([0, 3_600_000], {"unit": "ms"}),
        (["1970-01-01 01:00", "1970-01-01 02:00"], {"zone": "Europe/Paris"}),
        ([dt.datetime(1970, 1, 1, 1), dt.datetime(1970, 1, 1, 2)], {"zone": "Europe/Paris"}),
        (["1970-01-01", "1970-01-01T01:00:00Z"], {"zone": "UTC"}),
    ],
)
def test_units_and_zones_are_said(times: list[Any], options: dict[str, Any]) -> None:
    frame = pl.DataFrame({"time": times, "arm": ["a", "b"], "reward": [0, 1]})
    check = db.Log.read(frame, **options).check()
    assert (check.start, check.end) == (0.0, 3_600.0)


@pytest.mark.parametrize("text", ["01/02/2024 10:00", "01.02.2024", "1-2-2024", "24-01-02"])
def test_a_date_that_does_not_begin_with_the_year_is_not_guessed(text: str) -> None:
    frame = pl.DataFrame({"time": [text, text], "arm": ["a", "b"], "reward": [0, 1]})
    check = db.Log.read(frame, zone="UTC").check()
    assert check.reasons == {"time is missing or cannot be read": 2}
    assert "text must begin with the year" in check.remarks()[1]


def test_an_hour_that_clocks_skip_is_no_time() -> None:
    times = ["2024-03-31 01:30:00", "2024-03-31 02:30:00", "2024-03-31 03:30:00"]
    frame = pl.DataFrame({"time": times, "arm": ["a", "b", "a"], "reward": [0, 1, 0]})
    check = db.Log.read(frame, zone="Europe/Berlin").check()
    assert check.bad == [BadRow(2, None, "time is missing or cannot be read")]
    assert "an hour that clocks skip in spring does not exist" in check.remarks()[1]
    assert (check.start, check.end) == (1_711_845_000.0, 1_711_848_600.0)


def test_an_offset_in_hours_goes_before_the_zone() -> None:
    times = ["2024-01-01 10:00:00+05", "2024-01-01 10:00:00"]
    frame = pl.DataFrame({"time": times, "arm": ["a", "b"], "reward": [0, 1]})
    check = db.Log.read(frame, zone="UTC").check()
    assert check.end - check.start == 5 * 3_600.0


def test_reading_looks_at_nothing_but_the_names() -> None:
    def fail(frame: pl.DataFrame) -> pl.DataFrame:
        raise AssertionError

    lazy = PLAIN.lazy().map_batches(fail, schema=PLAIN.schema)
    assert repr(db.Log.read(lazy)).startswith("<Log: id='id', time='time', arm='arm'")


def test_propensities_are_counted_in_bins() -> None:
    spread = db.Log.read(PLAIN)._contents.survey.propensities
    assert spread.quantile(0.0) == spread.quantile(0.05) == 0.2
    assert spread.quantile(0.3) == 0.3
    assert spread.quantile(0.9) == 0.5


SPARK = ["time", "arm", "reward", "propensity", "id", "eligible"]


@pytest.mark.slow
def test_a_spark_frame_is_the_same_log() -> None:
    from pyspark.sql import SparkSession  # noqa: PLC0415  # it takes seconds to load

    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    try:
        frame = session.createDataFrame(FRAME.select(SPARK).rows(), SPARK)
        log = db.Log.read(frame)
        assert answer(log) == VALUE
        twice = db.Log.read(frame.unionAll(frame.limit(1))).check()
        assert twice.reasons == {"id stands in an earlier row": 1}
        assert twice.bad[0].id == "0"
    finally:
        session.stop()
