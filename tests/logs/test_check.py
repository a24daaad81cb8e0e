"""What is wrong with a log is said in one line, or row by row; nothing is dropped silently."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import driftbandit as db

GOOD: dict[str, Any] = {
    "id": "0", "time": 0.0, "arm": "a", "reward": 1.0, "propensity": 0.5,
    "eligible": ["a", "b"], "reward_time": 1.0,
}  # fmt: skip

FAULTS: dict[str, dict[str, Any]] = {
    "time is missing or cannot be read": {"time": None},
    "arm is missing": {"arm": None},
    "reward is missing or no number": {"reward": None},
    "reward is outside of [0, 1]": {"reward": 1.5},
    "propensity is missing or no number": {"propensity": None},
    "propensity is outside of (0, 1]": {"propensity": 0.0},
    "eligible arms are missing or cannot be read": {"eligible": None},
    "arm is not eligible": {"eligible": ["b"]},
    "reward comes before its decision": {"reward_time": 1.0},
    "id stands in an earlier row": {"id": "3"},
    "time goes backwards": {"time": 2.0},
}


def rows(**fault: Any) -> pl.DataFrame:
    """Return six good rows, the fifth with a fault."""
    table = [{**GOOD, "id": str(k), "time": float(k), "reward_time": k + 1.0} for k in range(6)]
    table[4] |= fault
    return pl.DataFrame(table)


@pytest.mark.parametrize("reason", FAULTS)
def test_a_bad_row_is_listed_by_number_and_reason(reason: str) -> None:
    check = db.Log.read(rows(**FAULTS[reason])).check()
    assert check.reasons == {reason: 1}
    assert [(row.number, row.reason) for row in check.bad] == [(5, reason)]
    assert check.bad[0].id == FAULTS[reason].get("id", "4")
    assert (check.rows, check.good) == (6, 5)
    text = repr(check)
    assert reason in text
    assert "1 of 6 rows are bad" in text


def test_what_helps_is_said_for_python_and_the_shell() -> None:
    log = db.Log.read(rows(reward=None))
    assert "estimates refuse them; bad='set aside' (--set-aside) leaves" in log.check().remarks()[0]
    remedy = "default_reward=0 (--default-reward 0) says that no reward means nothing happened"
    assert remedy in log.check().remarks()[1]
    with pytest.raises(db.InputError, match=r"leaves them out; default_reward=0 "):
        log.value()
    aside = db.Log.read(rows(reward=None), bad="set aside").check()
    assert aside.remarks()[0] == "1 of 6 rows are bad and set aside."
    assert db.Log.read(rows(reward=None), default_reward=0).check().remarks() == []


@pytest.mark.parametrize("reason", FAULTS)
def test_a_bad_row_is_refused_or_set_aside_as_one_likes(reason: str) -> None:
    frame = rows(**FAULTS[reason])
    with pytest.raises(db.InputError, match="got 1 bad ones of 6") as error:
        db.Log.read(frame).value([{"a": 1.0}])
    assert f"{reason} in 1 (row 5 first)" in str(error.value)
    values = db.Log.read(frame, bad="set aside").value([{"a": 1.0}])
    assert "1 of 6 rows are bad and set aside." in values.notes


def test_a_row_may_have_several_faults_and_is_one_bad_row() -> None:
    check = db.Log.read(rows(arm=None, reward=math.nan, propensity=2.0)).check()
    assert (check.good, sum(check.reasons.values())) == (5, 3)
    assert list(check.to_dict()["reasons"]) == list(check.reasons)


def test_bad_rows_of_a_database_are_known_by_their_ids() -> None:
    frame = rows(reward=2.0).to_arrow()
    log = db.Log.read(duckdb.connect().from_arrow(frame))
    assert not log.check().numbered
    assert "reward is outside of [0, 1]   4" in repr(log.check())
    with pytest.raises(db.InputError, match=r"outside of \[0, 1\] in 1 \(id 4 first\)"):
        log.value()


def test_text_in_a_column_of_numbers_is_a_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("time,arm,reward\n1,3,true\n2,4,0.5\n3,3,yes\nsoon,3,False\n5,,1\n")
    check = db.Log.read(path).check()
    assert [(row.number, row.reason) for row in check.bad] == [
        (3, "reward is missing or no number"),
        (4, "time is missing or cannot be read"),
        (5, "arm is missing"),
    ]
    assert check.arms == [3, 4]


def frame(**columns: Any) -> pl.DataFrame:
    return pl.DataFrame({"time": [0, 1], "arm": ["a", "b"], "reward": [0, 1], **columns})


NAIVE = [dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2)]
MIXED = ["2024-01-01T00:00:00Z", "2024-01-01 00:00:00"]

LINES: list[tuple[pl.DataFrame, dict[str, Any], str]] = [
    (frame(), {"arm": "arms"}, "arm must name a column of the log, got 'arms'; did you mean "),
    (frame(), {"arm": "x"}, "arm must name a column of the log, got 'x'; the columns are ['time'"),
    (
        frame().rename({"reward": "rewards"}), {},
        "reward must name a column with reward=… (--reward …), none is called 'reward'; the "
        "columns are ['time', 'arm', 'rewards']; did you mean 'rewards'?",
    ),
    (frame(), {"arm": "time"}, "columns must be different for each role, got 'time' twice"),
    (frame(time=NAIVE), {}, "time must have a time zone, got '2024-01-01 00:00:00': name it, su"),
    (frame(time=MIXED), {}, "time must have a time zone, got '2024-01-01 00:00:00': name it, su"
     "ch as zone='Europe/Berlin' (--zone Europe/Berlin)"),
    (frame(time=[1e12, 2e12]), {}, "time must lie within 3,000 years of 1970, got 2e+12 s: give"),
    (frame(), {"zone": "Mars"}, "zone must be a time zone such as 'UTC' or 'Europe/Berlin', got"),
    (frame(), {"unit": "h"}, "unit must be one of s, ms, us, ns, got 'h'"),
    (frame(), {"bad": "drop"}, "bad must be one of refuse, set aside, got 'drop'"),
    (frame(), {"bound": 0}, "bound must lie in [1e-50, 1e+50], got 0"),
    (frame(), {"layout": "mine"}, "layout must be one of agent, open-bandit, vowpal-wabbit, got"),
    (frame(), {"layout": "agent"}, "layout must fit the log, which has no column ['event', "),
    (frame(arm=[["a"], ["b"]]), {}, "arm must be one name per row, got a column of List(String)"),
    (
        frame(propensity=[1e-300, 0.5]), {},
        "log must have good rows only, got 1 bad ones of 2: propensity is outside of (0, 1]",
    ),
    (frame()[:0], {}, "log must have rows, got none"),
    (
        frame(reward=[None, None]), {},
        "log must have good rows, got 2 bad ones: reward is missing or no number (row 1 first)",
    ),
    (
        frame(propensity=[0.0, 0.0]), {"bad": "set aside"},
        "log must have good rows, got 2 bad ones: propensity is outside of (0, 1] (row 1 first)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("table", "options", "line"), LINES, ids=[line for *_, line in LINES])
def test_what_is_wrong_is_one_line(table: Any, options: dict[str, Any], line: str) -> None:
    with pytest.raises(db.InputError) as error:
        db.Log.read(table, **options).value()
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


FILES: list[tuple[str, bytes, str]] = [
    ("log.csv", b"", "is not a readable log: it is empty"),
    ("log.jsonl", b"", "is not a readable log: it is empty"),
    ("log.parquet", b"", "is not a readable log of Parquet: "),
    ("log.parquet", b"time,arm,reward\n1,a,1\n", "must hold Parquet, as its ending says, but"),
    ("log.jsonl", b"time,arm,reward\n1,a,1\n", "must hold JSON lines, as its ending says, but"),
    ("log.csv", b"PAR1\x00\x15\x04,\xff\xfe\n\x80PAR1", "must hold CSV, as its ending says, but"),
    ("log.xlsx", b"PK", "the ending of a log must be one of .csv, .parquet, .jsonl"),
    ("log.csv", b"time,arm,reward\n", "log must have rows, got none"),
    (
        "log.csv",
        b"time,arm,reward,arm\n1,a,1,b\n",
        "columns must have different names, got 'arm' twice",
    ),
    ("log.csv", b"time,arm,reward\n1,a,1\n2,a,1,7\n", "is not a readable log of CSV: "),
]


@pytest.mark.parametrize(("name", "content", "line"), FILES)
def test_a_file_that_is_no_log_is_one_line(
    name: str, content: bytes, line: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(db.InputError) as error:
        db.Log.read(path).value()
    assert line in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("nowhere.csv", "source must be a file that exists, got 'nowhere.csv'"),
        ("long" * 100 + ".csv", "source cannot be read, got 'longlong"),
        ("", "source must name a file, a folder or a pattern"),
        ([1, 2], "source must be a path or a data frame of a library that Narwhals reads, got [1"),
        (None, "source must be a path or a data frame of a library that Narwhals reads, got None"),
    ],
)
def test_what_is_no_source_is_one_line(source: Any, line: str) -> None:
    with pytest.raises(db.InputError) as error:
        db.Log.read(source)
    assert str(error.value).startswith(line)


def test_a_folder_needs_logs_of_one_format(tmp_path: Path) -> None:
    with pytest.raises(db.InputError, match="source must be a folder with logs in it"):
        db.Log.read(tmp_path)
    (tmp_path / "a.csv").write_text("time,arm,reward\n")
    (tmp_path / "b.jsonl").write_text("{}\n")
    with pytest.raises(db.InputError, match="the files of a log must have one format"):
        db.Log.read(tmp_path)


def test_one_arm_and_one_row_are_checked_and_tell_nothing() -> None:
    log = db.Log.read(frame()[:1])
    check = log.check()
    assert (check.rows, check.arms) == (1, ["a"])
    assert "There is one arm: nothing was chosen." in check.remarks()
    values = log.value([{"a": 1.0}, db.UCB1()])
    assert all(math.isnan(row.value) for row in values)
    assert {row.why for row in values} == {"cannot tell: 1.0 effective rows are too few"}


def test_an_arm_of_thousands_of_digits_is_a_name(tmp_path: Path) -> None:
    label = "9" * 5_000
    (tmp_path / "log.csv").write_text(f"time,arm,reward\n1,{label},1\n2,7,0\n")
    assert db.Log.read(tmp_path / "log.csv").check().arms == ["7", label]
