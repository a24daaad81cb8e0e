"""Odd questions and odd logs: what is refused by name, and what an answer may not say."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit.logs.report.advice import advice_of
from logs.simulated import drawn

FRAME = drawn("still", 300, 0).frame
LOG = db.Log.read(FRAME)


@pytest.mark.parametrize(
    ("ask", "line"),
    [
        (lambda: db.Log.read(FRAME, bound=1e300), "bound must lie in [1e-50, 1e+50], got 1e+300"),
        (lambda: db.Log.read(FRAME, bound=1e-300), "bound must lie in [1e-50, 1e+50]"),
        (lambda: LOG.value(at=np.array([1.0, 2.0])), "at must be 'mean', 'now' or such as"),  # type: ignore[arg-type]  # the point
        (lambda: LOG.world(seed=-1), "seed must be a whole number of at least 0, got -1"),
        (lambda: LOG.world(seed=0.5), "seed must be a whole number of at least 0, got 0.5"),  # type: ignore[arg-type]  # the point
        (lambda: LOG.value(progress=5), "progress must be a function of (done, total), got 5"),  # type: ignore[arg-type]  # the point
        (lambda: LOG.drift(progress=5), "progress must be a function of (done, total), got 5"),  # type: ignore[arg-type]  # the point
        (lambda: LOG.tune(progress=5), "progress must be a function of (done, total), got 5"),  # type: ignore[arg-type]  # the point
        (lambda: LOG.report(progress=5), "progress must be a function of (what, done, total)"),  # type: ignore[arg-type]  # the point
        (lambda: LOG.report(title=5), "title must be a text, got 5"),  # type: ignore[arg-type]  # the point
    ],
)
def test_odd_questions_are_refused_by_name(ask: Callable[[], Any], line: str) -> None:
    with pytest.raises(db.InputError) as refused:
        ask()
    assert str(refused.value).startswith(line)


def test_nan_is_no_group_of_its_own() -> None:
    groups = pl.Series(np.arange(300) % 3).cast(pl.Float64).replace(0.0, math.nan)
    logs = db.Log.read(FRAME.with_columns(g=groups), group="g").groups()
    assert {label: log.check().good for label, log in logs.items()} == {
        1.0: 100, 2.0: 100, None: 100,
    }  # fmt: skip
    nested = FRAME.with_columns(g=pl.Series([[1], [2]] * 150))
    with pytest.raises(db.InputError, match="group must name a column of texts, numbers or times"):
        db.Log.read(nested, group="g").groups()


def test_groups_whose_names_are_alike_have_files_of_their_own(command: Any, tmp_path: Path) -> None:
    names = pl.Series(["a/b", "a-b", None] * 100)
    FRAME.with_columns(g=names).write_parquet(tmp_path / "log.parquet")
    words = ("log", "report", "log.parquet", "--group", "g", "-o", "new.md", "--no-tune")
    answer = command(*words, "--fixed", "a")
    assert (answer.code, answer.err) == (0, "")
    assert sorted(path.name for path in tmp_path.glob("*.md")) == [
        "new-None.md", "new-a-b-2.md", "new-a-b.md",
    ]  # fmt: skip
    assert "of a-b tells" in (tmp_path / "new-a-b.md").read_text("utf-8")


@pytest.mark.parametrize(("level", "text"), [(0.9, "90%"), (0.995, "99.5%"), (0.9999, "99.99%")])
def test_no_level_below_one_is_100_percent(level: float, text: str) -> None:
    assert f"mean reward, {text} intervals" in str(LOG.value(level=level))
    assert f"mean reward, {text} intervals" in str(LOG.tune(db.UCB1(), "9d", level=level))
    assert LOG.tune(db.UCB1(), "9d", level=level).advice.endswith(f", at {text}.")


def test_advice_counts_the_others() -> None:
    assert "nothing else was tried" in LOG.tune(db.EXP3S(0.1, 1e-3)).advice
    assert len(LOG.tune(db.SlidingWindowUCB(9), ["1d", "24h", 86_400])) == 1


def test_a_report_takes_rewards_of_any_bound() -> None:
    more = FRAME.with_columns(reward=100.0 * pl.col("reward"))
    many, one = (
        db.Log.read(frame, bound=bound).report(tune=False).findings.values
        for frame, bound in ((more, 100.0), (FRAME, 1.0))
    )
    for row in one:
        assert math.isclose(many[row.policy].value, 100.0 * row.value, rel_tol=1e-9)


def test_markdown_holds_names_as_they_are() -> None:
    names = {"a": "<script>alert(1)</script>", "b": "x|y", "c": "two\nlines"}
    log = db.Log.read(FRAME.with_columns(pl.col("arm").replace(names)))
    text = log.report(tune=False, title="<b>\n# no").to_markdown()
    assert "<script" not in text
    assert "<b>" not in text
    for line in text.splitlines():
        assert line == "" or line[0] in "#*-|" or line.endswith(":"), line
        if line.startswith("| always x"):
            assert line.startswith("| always x\\|y |")


def test_rewards_move_only_if_the_log_shows_it() -> None:
    log = db.Log.read(drawn("still", 250, 1).frame)
    report = log.report(tune=False, policies=[{"c": 1.0}, {"a": 1.0}])
    assert {arm.verdict for arm in report.findings.drift.arms} <= {"still", "cannot tell"}
    assert "rewards move." not in advice_of(report.findings, report.units).action


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["tune", "--out", "/dev/null/p.json"], "cannot write /dev/null/p.json: Not a directory"),
        (["tune", "--out", ""], "out must name a file, got ''"),
        (["tune", "--out", "."], "cannot write .: it is a folder"),
        (["drift", "--plot", "/dev/null/p.png"], "cannot write /dev/null/p.png: Not a directory"),
        (["drift", "--plot", " "], "plot must name a file, got ' '"),
        (["report", "-o", "/dev/null/r.md"], "cannot write /dev/null/r.md: Not a directory"),
    ],
)
def test_files_that_cannot_be_are_refused_before_the_work(
    command: Any, tmp_path: Path, monkeypatch: Any, words: list[str], line: str
) -> None:
    FRAME.write_csv(tmp_path / "log.csv")
    for name in ("tuned", "drift_of", "report_of"):
        monkeypatch.setattr(f"driftbandit.logs.log.{name}", None)  # it would be called
    answer = command("log", words[0], "log.csv", *words[1:])
    assert (answer.code, answer.out, answer.err) == (2, "", f"driftbandit: {line}")


def test_a_loose_bound_changes_no_value() -> None:
    frame = drawn("still", 4_000, 0).frame
    tight = db.Log.read(frame).value()
    for bound in (10.0, 1e6):
        loose = db.Log.read(frame, bound=bound).value()
        for value in tight:
            other = loose[value.policy]
            assert other.value == pytest.approx(value.value, abs=1e-9)
            assert other.low <= other.value <= other.high


def test_few_rows_that_are_alike_make_no_world_certain() -> None:
    columns = {"time": [0.0, 1.0], "arm": ["a", "b"], "reward": [1.0, 0.0]}
    world = db.Log.read(pl.DataFrame(columns)).world()
    assert (world.high - world.low).min() > 0.5
    many = {"time": np.arange(60.0), "arm": ["a", "b"] * 30, "reward": [1.0, 0.0] * 30}
    world = db.Log.read(pl.DataFrame(many)).world()
    assert world.low[0, 0] < 0.95 < world.high[0, 0]  # 0.95^30 = 0.21
    odd = db.Log.read(pl.DataFrame({**columns, "reward": [0.6, 0.4]})).world()
    assert (odd.high - odd.low).min() > 0.5
