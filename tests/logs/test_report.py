"""The report of a log: what it says first, its formats, and the page in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Page, expect

import driftbandit as db
from browser import opened
from driftbandit.logs.notes import CANNOT_FOLLOW
from driftbandit.logs.report.result import TITLES
from driftbandit.logs.report.units import Units
from logs.simulated import drawn, drawn_from, late_jump

FRAME = drawn("jump", 1_500, 0).frame
SECTIONS = ["What to do", "What options earned over time", "What policies would have earned",
            "How values moved", "Which policy, and how long to remember",
            "How much this log can tell", "What was assumed, and what words mean"]  # fmt: skip


@pytest.fixture(scope="module")
def report() -> db.logs.Report:
    return db.Log.read(FRAME).report(title="What <b>a log</b> tells")


@pytest.fixture(scope="module")
def path(report: db.logs.Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report.save(tmp_path_factory.mktemp("report") / "report.html")


def shown(path: Path, width: int, asked: list[str]) -> Iterator[Page]:
    with opened(width) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        yield page


@pytest.mark.parametrize("width", [1_280, 360])
def test_the_page_stands_alone_and_fits_the_screen(path: Path, width: int) -> None:
    asked: list[str] = []
    for page in shown(path, width, asked):
        assert page.locator("h2").all_inner_texts() == [
            SECTIONS[0].upper(), *SECTIONS[1:]
        ]  # fmt: skip
        for name in ("rates", "courses", "plays"):
            expect(page.locator(f"#{name} svg")).to_be_visible()
        for summary in page.locator("summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [url for url in asked if not url.startswith("data:")] == [path.as_uri()]
    assert path.stat().st_size < 6_000_000


def test_charts_can_be_hovered_and_lines_hidden(path: Path) -> None:
    for page in shown(path, 390, []):
        chart = page.locator("#rates svg")
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
        words = page.locator(".tip").inner_text()
        assert re.search(r"^until \w+ \d+", words)
        for arm in ("a", "b", "c"):
            assert re.search(rf"^{arm}: [\d.]+ % \([\d.]+ % to [\d.]+ %\)$", words, re.MULTILINE)
        page.locator("#rates button").first.click()
        expect(page.locator(".tip")).to_have_count(0)
        chart.hover()
        words = page.locator(".tip").inner_text()
        assert "b: " in words
        assert "a: " not in words
        chart.focus()
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".tip")).to_be_visible()
        assert "between" in str(page.locator(".range").first.get_attribute("title"))


def test_it_says_first_what_to_do(report: db.logs.Report, path: Path) -> None:
    text = path.read_text("utf-8")
    action = report.advice.action
    assert text.index('<p class="action">') < text.index("<svg" if "<svg" in text else "Words")
    assert report.remarks()[0] == action
    assert report.to_markdown().splitlines()[2] == f"**{action}**"
    assert "&lt;b&gt;a log&lt;/b&gt;" in text
    assert "<b>a log" not in text


def test_what_tuning_recommends_comes_first(report: db.logs.Report) -> None:
    tuning = report.findings.tuning
    assert tuning is not None
    assert tuning.policy is not None
    action, reason = report.remarks()[:2]
    assert action == f"Let a policy decide that learns as rewards come in: {tuning.policy.label}."
    assert reason.startswith(f"Live, {tuning.policy.label} would earn about ")
    assert tuning.advice in report.to_html()
    assert "db.Strategy.from_json(text)" in report.to_html()
    assert db.Strategy.from_json(tuning.policy.to_json()) == tuning.policy


def test_the_ending_of_the_file_is_its_format(report: db.logs.Report, tmp_path: Path) -> None:
    content = json.loads(report.save(tmp_path / "report.json").read_text("utf-8"))
    assert content["advice"]["action"] == report.advice.action
    assert list(content) == ["title", "advice", *report.answers(), "plays"]
    values = json.loads(json.dumps(report.findings.values.to_dict()["values"]))
    assert content["values"]["values"] == values
    text = report.save(tmp_path / "report.md").read_text("utf-8")
    for name in report.answers():
        assert f"\n## {TITLES[name]}\n" in text
    with pytest.raises(db.InputError, match=r"path must end in one of \.html, \.md, \.json, got"):
        db.Log.read(FRAME).report(tmp_path / "report.pdf")


def test_a_command_writes_it_for_each_group(command: Any, tmp_path: Path) -> None:
    file, out = tmp_path / "log.csv", tmp_path / "report.md"
    halves = [f"{place % 2}/x" for place in range(1_000)]
    FRAME[:1_000].with_columns(country=pl.Series(halves)).write_csv(file)
    words = ["log", "report", str(file), "--fixed", "a", "-o", str(out), "--no-tune"]
    words += ["--group", "country"]
    answer = command(*words)
    assert answer.err == ""
    for label in ("0", "1"):
        text = (tmp_path / f"report-{label}-x.md").read_text("utf-8")
        assert text.startswith(f"# What log.csv of {label}/x tells\n")
        assert text.splitlines()[2].strip("*") in answer.out


SMALL = {
    "one row": (FRAME[:1], "second option"),
    "one arm": (FRAME.filter(pl.col("arm") == "a")[:200], "second option"),
    "few rows": (FRAME[:20], "Collect more decisions first"),
    "one arm twice": (FRAME[:40].with_columns(arm=pl.Series(["a"] * 39 + ["b"])), ""),
    "no propensities": (FRAME[:400].drop("propensity"), ""),
    "numbers": (FRAME[:400].with_columns(reward=pl.col("reward") * 0.37), ""),
}


@pytest.mark.parametrize("name", SMALL)
def test_any_log_has_a_report(name: str, tmp_path: Path) -> None:
    frame, words = SMALL[name]
    report = db.Log.read(frame).report(tmp_path / "report.html", tune=False)
    assert words in report.advice.action
    for page in shown(tmp_path / "report.html", 390, []):
        assert page.locator("#do .action").inner_text() == report.advice.action
    if name == "no propensities":
        assert any("(its propensity)" in warning for warning in report.advice.warnings)


ACTIONS = {
    "still": "Choose “b” every time: it earned most, and nothing moves.",
    "jump": "Let a policy decide that learns as rewards come in: Auto earned most.",
}


@pytest.mark.parametrize("world", ACTIONS)
def test_advice_follows_from_the_log(world: str) -> None:
    report = db.Log.read(drawn(world, 6_000, 3).frame).report(tune=False)
    assert report.advice.action == ACTIONS[world]
    words = " ".join(report.advice.reasons)
    assert ("did not move" in words) == (world == "still")
    assert ("What options earn moved" in words) == (world == "jump")


def test_rewards_are_percents_where_they_are_clicks() -> None:
    assert Units(True).say(0.0042) == "0.42 %"
    assert Units(True).between(0.1, 0.2) == "10.0 to 20.0 %"
    assert Units(False).say(12.3456) == "12.35"
    assert Units(False).more(-0.5) == "−0.5"
    assert Units(True).say(float("nan")) == "–"


def test_what_is_best_now_comes_before_what_was_best() -> None:
    """Option a overtakes in the last tenth, over the log b earned most; few plays since warn."""
    sample = drawn_from(late_jump(0.9, 0.4), 8_000, np.random.default_rng(0))
    report = sample.log.report(tune=False, policies=[{arm: 1.0} for arm in "abc"])
    assert report.findings.values[0].policy == "always b"
    assert report.advice.action.startswith("Choose “a” for now, and look again soon: rewards move")
    assert not any(CANNOT_FOLLOW in text for text in report.advice.warnings)
    late = drawn_from(late_jump(0.98, 0.4), 3_000, np.random.default_rng(0)).log.report(tune=False)
    assert any(text.startswith(CANNOT_FOLLOW) for text in late.advice.warnings)
