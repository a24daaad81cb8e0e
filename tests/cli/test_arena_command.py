"""`driftbandit arena`: what it prints and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import driftbandit as db
from driftbandit.cli.arena import make_entries
from driftbandit.environments import two_swaps
from driftbandit.studies.arena.lineup import LINEUP, make_policy

SMALL = [
    "arena", "--problem", "two-swaps(horizon=200)", "--problem", "besson-1(horizon=100)",
    "--policy", "ucb-1", "--policy", "uniform", "--policy", "sw-ucb(50)", "--runs", "20",
]  # fmt: skip
FILES = ["arena.json", "arena.png", "leaderboard.csv", "scores.csv"]


def test_tables_are_printed_and_files_written(command: Any, tmp_path: Path) -> None:
    answer = command(*SMALL, "--repeats", "1", "--out", "here")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[1].split()[:3] == ["problem", "T", "policy"]
    assert len([line for line in lines if line.startswith("two-swaps(horizon=200)  200")]) == 3
    assert sum(line.endswith("best") for line in lines) == 2
    assert any(line.startswith("policy") and "ns per round" in line for line in lines)
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == FILES
    board = pl.read_csv(tmp_path / "here" / "leaderboard.csv")
    assert set(board["policy"]) == {"UCB-1", "uniform", "sw-ucb(50)"}


def test_json_is_all_there_is_on_stdout(command: Any) -> None:
    answer = command(*SMALL, "--repeats", "0", "--json")
    content = json.loads(answer.out)
    assert (content["runs"], content["seed"], content["cost"]) == (20, 0, {})
    assert len(content["scores"]) == 6
    assert [Path(path).name for path in content["files"]] == FILES


def test_wild_worlds_are_played_alone_or_beside_others(command: Any) -> None:
    wild = ["--wild", "2", "--wild-seed", "334", "--policy", "uniform", "--runs", "2"]
    for others in ([], ["besson-1(horizon=100)"]):
        problems = [text for other in others for text in ("--problem", other)]
        answer = command("arena", *wild, *problems, "--repeats", "0", "--json")
        names = list(json.loads(answer.out)["problems"])
        assert names == [*others, "wild-334-surge-K37", "wild-335-still-K25"]


def test_what_needs_a_horizon_gets_that_of_the_problem() -> None:
    texts = ["adswitch", "moss(500)", "exp3.s.tuned(breakpoints=1, arms=3)"]
    players = [make_policy("x", entry, two_swaps(), 700) for entry in make_entries(texts).values()]
    assert players == [
        db.AdSwitch(700, label="x"),
        db.MOSS(500, label="x"),
        db.EXP3S.tuned(700, 1, 3, label="x"),
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--problem", "besson-9"], "problem must be one of stationary"),
        (["--problem", "brownian"], "problem brownian must have a last round"),
        (["--problem", "besson-1", "--problem", "besson-1"], "problem must be given once only"),
        (["--policy", "d-ucp"], "policy must be one of auto, ucb-1"),
        (["--policy", "ucb-1", "--policy", "UCB-1"], "policy must be given once only"),
        (["--policy", "lin-ucb"], "policy lin-ucb is for actions with features, and plays in"),
        (["--wild", "0"], "wild must be a whole number of at least 1, got 0"),
        (["--wild", "1", "--wild-seed", "x"], "wild-seed must be a whole number of at least 0"),
        (["--runs", "1"], "runs must be a whole number of at least 2, got 1"),
    ],
)
def test_bad_usage_is_one_line_and_writes_nothing(
    command: Any, tmp_path: Path, arguments: list[str], line: str
) -> None:
    answer = command("arena", *arguments)
    assert answer.code == 2
    assert answer.err.startswith(f"driftbandit: {line}")
    assert answer.err.count("\n") == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["glr-kl-ucb", "GLRklUCB", "GLR-klUCB"])
def test_every_name_of_a_policy_of_the_line_up_is_its_entry(text: str) -> None:
    assert make_entries([text]) == {"GLR-klUCB": LINEUP["GLR-klUCB"]}


@pytest.mark.parametrize("text", ["glr-kl-ucb.tuned", "exp3.tuned", "sw-ucb.tuned(breakpoints=3)"])
def test_a_rule_gets_what_it_must_know_from_the_problem(text: str) -> None:
    entry = make_entries([text])[text]
    assert make_policy(text, entry, two_swaps(200), 200).label == text
