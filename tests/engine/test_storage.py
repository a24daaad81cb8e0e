"""A result that was saved can be read back, and shows itself in a line or a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.figures.page import Picture

WORLD = db.environments.two_swaps()


def comparison(runs: int = 20, horizon: int = 120) -> db.Result:
    policies = [db.UCB1(), db.SlidingWindowUCB(30, label="mine <3 & more")]
    return db.simulate(policies, WORLD, horizon=horizon, runs=runs, seed=3, checkpoints=7)


def test_what_was_saved_is_read_back(tmp_path: Path) -> None:
    result = comparison()
    names = [path.name for path in result.save(tmp_path / "out")]
    assert names == ["arrays.npz", "curves.parquet", "result.json", "runs.parquet", "summary.csv"]
    again = db.Result.load(tmp_path / "out")
    assert (again.world, again.policies) == (WORLD, result.policies)
    assert (again.horizon, again.runs, again.seed) == (120, 20, 3)
    assert again.times.tolist() == result.times.tolist()
    for label in result:
        for name in ("regret", "plays", "suboptimal_plays", "play_share", "share_error"):
            np.testing.assert_array_equal(getattr(again[label], name), getattr(result[label], name))
    assert repr(again.summary()) == repr(result.summary())
    assert again == result
    assert again.summary() == result.summary()
    other = db.simulate(result.policies, WORLD, horizon=120, runs=20, seed=4, checkpoints=7)
    assert other != result
    assert other["UCB-1"] != result["UCB-1"] != "UCB-1"
    assert other.summary() != result.summary() != result.summary(level=0.9)


def test_linear_worlds_are_read_back_too(tmp_path: Path) -> None:
    world = db.environments.linear.abrupt(number=5)
    db.simulate(db.LinUCB(), world, horizon=60, runs=10).save(tmp_path)
    again: object = db.Result.load(tmp_path).world
    assert again == world


@pytest.mark.parametrize("name", ["result.json", "arrays.npz"])
def test_a_missing_or_damaged_file_is_one_line(tmp_path: Path, name: str) -> None:
    comparison().save(tmp_path)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:100])
    with pytest.raises(db.InputError, match=r"^cannot read the result in .*") as caught:
        db.Result.load(tmp_path)
    assert "\n" not in str(caught.value)
    (tmp_path / name).unlink()
    with pytest.raises(db.InputError, match=f"^no result in .*: {name} is missing$"):
        db.Result.load(tmp_path)


def test_a_result_prints_as_one_line_and_shows_as_tables() -> None:
    result = comparison()
    line = "<Result: UCB-1, mine <3 & more in Piecewise, 120 rounds, 20 runs, seed 3>"
    assert repr(result) == line
    html = result._repr_html_()
    assert html.count("<table>") == 2
    assert "mine &lt;3 &amp; more" in html
    assert "array(" not in repr(result["UCB-1"])
    many = db.simulate(
        [db.UCB1(label=str(number)) for number in range(6)], WORLD, horizon=30, runs=10
    )
    assert repr(many).startswith("<Result: 0, 1, 2, 3 and 2 more in Piecewise, ")


def test_a_table_says_what_it_cannot_know() -> None:
    summary = comparison(runs=9).summary()
    assert repr(summary).splitlines()[-1] == "intervals need at least 10 runs"
    assert "  –" in repr(summary)
    assert "<p>intervals need at least 10 runs</p>" in summary._repr_html_()
    assert summary.to_dict()["policies"][0]["low"] is None
    assert "intervals" not in repr(comparison(runs=10).summary())


def test_intervals_of_another_level() -> None:
    result = comparison()
    wide, narrow = (result.summary(level).policies.row(0, named=True) for level in (0.99, 0.5))
    assert wide["low"] < narrow["low"] < narrow["mean"] < narrow["high"] < wide["high"]
    assert repr(result.summary(level=0.9)).startswith("regret at the horizon, 90 % interval")
    for level in (0.0, 1.0, "high"):
        with pytest.raises(db.InputError, match=r"level must lie in \(0, 1\)"):
            result.summary(level)  # type: ignore[arg-type]  # that is the point


def test_pandas_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = comparison().summary()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(db.InputError, match="to_pandas needs pandas: pip install pandas"):
        summary.to_pandas()
    pandas = ModuleType("pandas")
    vars(pandas)["DataFrame"] = list
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    frames = summary.to_pandas()
    assert list(frames) == ["policies", "differences"]
    assert frames["policies"][0]["policy"] == "UCB-1"


def test_a_figure_shows_as_a_picture() -> None:
    figure = comparison().plot()
    assert isinstance(figure, Picture)
    picture, size = figure._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert size == {"width": 704, "height": 440}, "it fits a page"
    assert figure.dpi == 110, "also where a backend of a notebook draws it"


def test_nothing_prints_its_arrays() -> None:
    result = comparison()
    arena = db.arena({"<mine>": db.UCB1()}, {"swaps": WORLD}, runs=10, repeats=0)
    tuned = db.tune("sw-ucb", WORLD, 200, runs=10, search={"window": [5, 10]})
    band = db.theory.confidence_band(np.zeros((5_000, 3)), window=9)
    growth = db.studies.paper.growth(1, 0.4, [1000, 3000], runs=10)
    for value in (result, arena, tuned, band, growth):
        text = repr(value)
        assert text.startswith(f"<{type(value).__name__}: ")
        assert "\n" not in text
        assert len(text) < 150
    assert "&lt;mine&gt;" in arena._repr_html_()
    page = tuned._repr_html_()
    assert "95 % intervals" in page
    assert f"{tuned.parameters['window']}</td>" in page


def test_arrays_of_another_simulation_are_refused(tmp_path: Path) -> None:
    comparison(runs=20).save(tmp_path / "twenty")
    comparison(runs=10).save(tmp_path / "ten")
    arrays = (tmp_path / "ten" / "arrays.npz").read_bytes()
    (tmp_path / "twenty" / "arrays.npz").write_bytes(arrays)
    with pytest.raises(
        db.InputError, match=r"the shape of regret must be \(20, 7\), got \(10, 7\)"
    ):
        db.Result.load(tmp_path / "twenty")


@pytest.mark.parametrize("fact", ["horizon", "runs", "seed", "policies", "world"])
@pytest.mark.parametrize("value", [None, "x", -1, [], {}])
def test_damaged_facts_are_one_line(tmp_path: Path, fact: str, value: object) -> None:
    comparison(runs=10).save(tmp_path)
    file = tmp_path / "result.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), fact: value}))
    with pytest.raises(db.InputError, match="cannot read the result in "):
        db.Result.load(tmp_path)


def test_empty_arrays_are_one_line(tmp_path: Path) -> None:
    comparison(runs=10).save(tmp_path)
    (tmp_path / "arrays.npz").write_bytes(b"")
    with pytest.raises(db.InputError, match="cannot read the result in "):
        db.Result.load(tmp_path)


def damaged(tmp_path: Path, **arrays: Callable[[Any], Any]) -> Path:
    """A saved result with some of its arrays changed."""
    comparison().save(tmp_path)
    with np.load(tmp_path / "arrays.npz") as file:
        content = dict(file)
    for name, change in arrays.items():
        key = name if name == "times" else f"0 {name}"
        content[key] = change(content[key])
    np.savez(tmp_path / "arrays.npz", **content)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("times", lambda times: times * 1.0),
        ("times", lambda times: np.r_[times[:-1][::-1], times[-1]]),
        ("times", lambda times: np.r_[-5, times[1:]]),
        ("regret", lambda regret: regret * np.nan),
        ("regret", lambda regret: regret * 1j),
        ("regret", lambda regret: regret.astype("U9")),
        ("regret", lambda regret: regret.astype("M8[s]")),
        ("plays", lambda plays: plays > 1.0),
        ("plays", lambda plays: -plays),
        ("plays", lambda plays: plays + 1.0),
        ("play_share", lambda share: share * np.inf),
        ("play_share", lambda share: share + 0.5),
    ],
)
def test_numbers_that_no_simulation_gives_are_refused(
    name: str, change: Callable[[Any], Any], tmp_path: Path
) -> None:
    with pytest.raises(db.InputError, match=rf"^cannot read the result in .*: {name}"):
        db.Result.load(damaged(tmp_path, **{name: change}))


@pytest.mark.parametrize("copies", [0, 1, 3])
def test_policies_that_do_not_fit_the_arrays_are_refused(copies: int, tmp_path: Path) -> None:
    comparison().save(tmp_path)
    path = tmp_path / "result.json"
    facts = json.loads(path.read_text(encoding="utf-8"))
    facts["policies"] = facts["policies"][:1] * copies
    path.write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(db.InputError, match=r"^cannot read the result in "):
        db.Result.load(tmp_path)


def test_facts_of_something_else_are_said_to_be_that(tmp_path: Path) -> None:
    comparison().save(tmp_path)
    (tmp_path / "result.json").write_text("{}", encoding="utf-8")
    with pytest.raises(db.InputError, match="it is not what save wrote, "):
        db.Result.load(tmp_path)


@pytest.mark.parametrize("text", ["5", "null", '"a"', "[" * 100_000])
def test_facts_that_are_none_are_refused(text: str, tmp_path: Path) -> None:
    comparison().save(tmp_path)
    (tmp_path / "result.json").write_text(text, encoding="utf-8")
    with pytest.raises(db.InputError, match=r"^cannot read the result in "):
        db.Result.load(tmp_path)


@pytest.mark.parametrize("label", [5, None, [1], {}, np.zeros(3)], ids=repr)
def test_what_is_no_label_is_not_in_a_result(label: Any) -> None:
    result = comparison()
    assert label not in result
    with pytest.raises(db.InputError, match=r"^label must be one of UCB-1, "):
        result[label]


def test_a_level_may_be_any_kind_of_number() -> None:
    result = comparison()
    level: Any = np.array(0.9)
    assert repr(result.summary(level=level)) == repr(result.summary(level=0.9))
