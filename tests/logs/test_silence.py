"""What would be wrong without a word: propensities, units, and kinds that look like others."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pytest

import driftbandit as db

ROWS = 600
SHARES = np.array([0.5, 0.3, 0.2])


def rows_of(**columns: Any) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    arm = rng.choice(3, ROWS, p=SHARES)
    plain = {
        "time": 1.7e9 + 3_600.0 * np.arange(ROWS),
        "arm": np.array(["a", "b", "c"])[arm],
        "reward": (rng.random(ROWS) < 0.4).astype(int),
        "propensity": SHARES[arm],
    }
    return pl.DataFrame({**plain, **columns})


@pytest.mark.parametrize("propensity", [1.0, 0.9, 0.005])
def test_values_say_where_propensities_contradict_the_log(propensity: float) -> None:
    wrong = db.Log.read(rows_of(propensity=np.full(ROWS, propensity)))
    told = "not played as often as the propensities say"
    assert any(told in note for note in wrong.value().notes)
    assert any(told in note for note in wrong.overlap().remarks())
    assert any(
        told in note for note in wrong.report(policies=db.UCB1(), tune=False).advice.warnings
    )
    assert not any(told in note for note in db.Log.read(rows_of()).value().notes)


@pytest.mark.parametrize(("unit", "factor"), [("ms", 1.0), ("us", 1.0), ("us", 1e3), ("ns", 1e6)])
def test_a_unit_that_is_too_small_is_refused(unit: str, factor: float) -> None:
    frame = rows_of().with_columns(pl.col("time") * factor)
    with pytest.raises(db.InputError, match=f"unit must be that of the times, got '{unit}'"):
        db.Log.read(frame, unit=unit).check()


def test_times_that_count_from_the_start_of_a_simulation_have_any_unit() -> None:
    frame = rows_of(time=1e6 * np.arange(ROWS))
    assert db.Log.read(frame, unit="ms").check().good == ROWS


def pandas_of(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame({**rows_of().to_dict(as_series=False), **columns})


def test_groups_by_period_are_refused() -> None:
    """Polars takes them for numbers, and no row has such a number."""
    months = pd.period_range("2024-01-01", periods=ROWS, freq="D").asfreq("M")
    log = db.Log.read(pandas_of(month=months), group="month")
    with pytest.raises(db.InputError, match="group must name a column of texts, numbers or times"):
        log.groups()


def test_groups_by_interval_have_their_rows() -> None:
    thirds = pd.cut(np.arange(ROWS), 3)
    groups = db.Log.read(pandas_of(third=thirds), group="third").groups()
    assert [each.check().good for each in groups.values()] == [ROWS // 3] * 3


def test_arms_that_are_intervals_are_named_by_them() -> None:
    cut = pd.cut(np.arange(ROWS) % 2, [-1, 0, 1])
    assert db.Log.read(pandas_of(arm=cut)).check().arms == ["(-1, 0]", "(0, 1]"]


def test_arms_that_pandas_made_floats_are_among_the_eligible() -> None:
    frame = pandas_of(arm=[1.0, 2.0, np.nan] * (ROWS // 3), eligible=[[1, 2]] * ROWS)
    check = db.Log.read(frame, bad="set aside").check()
    assert (check.arms, check.reasons) == ([1.0, 2.0], {"arm is missing": ROWS // 3})


@pytest.mark.parametrize("missing", [None, float("nan"), "", " ", "NaN"])
def test_what_is_missing_is_the_default_reward_in_every_kind_of_column(missing: Any) -> None:
    kind = pl.String if isinstance(missing, str) else pl.Float64
    one = "1" if kind == pl.String else 1.0
    rewards = pl.Series([missing, one] * (ROWS // 2), dtype=kind)
    log = db.Log.read(rows_of(reward=rewards), default_reward=0.0)
    assert log.value()["as logged"].value == pytest.approx(0.5)


def test_a_default_reward_is_not_advised_where_there_is_one() -> None:
    rewards = pl.Series(["NULL", "1"] * (ROWS // 2))
    log = db.Log.read(rows_of(reward=rewards), default_reward=0.0)
    assert log.check().reasons == {"reward is no number": ROWS // 2}
    assert "default" not in " ".join(log.check().remarks())


def test_arms_that_are_dates_are_named_in_json() -> None:
    days = {"a": date(2024, 1, 1), "b": date(2024, 1, 2), "c": date(2024, 1, 3)}
    log = db.Log.read(rows_of().with_columns(pl.col("arm").replace_strict(days)))
    questions: list[Callable[[], Any]] = [log.check, log.overlap, log.drift, log.world]
    for ask in questions:
        assert "2024-01-02" in json.dumps(ask().to_dict())
    named = log.value([{days["a"]: 1.0}, {"2024-01-02": 1.0}])
    assert named["always 2024-01-01"].why == named["always 2024-01-02"].why == ""


def test_a_log_is_opened_by_read() -> None:
    with pytest.raises(db.InputError, match=r"Log\.read\(source\), got Log\('log\.csv'\)"):
        db.Log("log.csv")  # type: ignore[arg-type]  # this is the point


def test_what_a_database_says_is_one_line() -> None:
    import duckdb  # noqa: PLC0415  # it takes a second to load

    frame = rows_of().to_arrow()
    with duckdb.connect() as database:
        log = db.Log.read(database.from_arrow(frame))
    with pytest.raises(db.InputError, match=r"source cannot be read: .* closed"):
        log.check()


def test_a_log_of_one_moment_has_no_pace() -> None:
    text = repr(db.Log.read(rows_of(time=np.full(ROWS, 1.7e9))).drift())
    assert "nan" not in text
    assert "–, at least –" in text


def test_times_of_pandas_may_each_have_a_zone() -> None:
    zones = [ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")]
    times = [datetime(2024, 1, 1, 12, tzinfo=zones[row % 2]) for row in range(ROWS)]
    check = db.Log.read(pandas_of(time=pd.Series(times, dtype=object)), sort=True).check()
    assert (check.start, check.end) == (1_704_106_800.0, 1_704_110_400.0)


def test_times_with_and_without_a_zone_in_one_column_are_refused() -> None:
    zones = [None, ZoneInfo("UTC")]
    times = [datetime(2024, 1, 1, tzinfo=zones[row % 2]) for row in range(ROWS)]
    log = db.Log.read(pandas_of(time=pd.Series(times, dtype=object)), zone="Europe/Berlin")
    with pytest.raises(db.InputError, match="column 'time' must hold values of one kind"):
        log.check()
