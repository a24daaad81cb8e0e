"""`driftbandit tune`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib import image

import driftbandit as db

FILES = ["candidates.csv", "profile.csv", "tuned.json", "tuning.png", "wrong.csv"]
SMALL = ["tune", "two-swaps", "--policy", "sw-ucb", "--horizon", "2e2", "--runs", "10"]


def test_it_prints_tables_and_writes_everything(command: Any, tmp_path: Path) -> None:
    code, out, err = command(*SMALL, "--search", "window=5:200", "--search", "xi=[0.1,0.5]")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "sw-ucb in two-swaps"
    assert lines[2].split() == ["choice", "window", "xi", "mean", "low", "high"]
    assert lines[3].startswith("best ")
    assert lines[4].startswith("rule, Υ = 2 ")
    assert "Υ × 1/4" in out
    folder = tmp_path / "results" / "tune"
    assert sorted(path.name for path in folder.iterdir()) == FILES
    assert image.imread(folder / "tuning.png").shape == (704, 1024, 4)


def test_json_is_what_python_says(command: Any) -> None:
    code, out, err = command(*SMALL, "--search", "window", "--seed", "3", "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    world = db.environments.two_swaps(200)
    same = db.tune("sw-ucb", world, runs=10, seed=3, search={"window": None})
    assert [Path(path).name for path in content.pop("files")] == FILES
    assert content == json.loads(json.dumps(same.to_dict()))


def test_several_worlds_share_a_horizon(command: Any) -> None:
    worlds = ["two-swaps(horizon=100)", "stationary(means=[0.2,0.8,0.2])"]
    code, out, _ = command(
        "tune", *worlds, "--policy", "ucb-1", "--runs", "4", "--breakpoints", "3", "--json"
    )
    content = json.loads(out)
    assert code == 0
    assert (content["horizon"], len(content["worlds"]), content["breakpoints"]) == (100, 2, 3)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["tune", "two-swaps"], "driftbandit: Missing option '--policy'"),
        (
            ["tune", "two-swaps", "--policy", "sw-ucp"],
            "driftbandit: policy must be one of auto, ucb-1",
        ),
        (
            ["tune", "two-swaps", "--policy", "sw-ucb(9)"],
            "driftbandit: policy must be a name alone, parameters go to --search, got 'sw-ucb(9)'",
        ),
        ([*SMALL, "--search", "window="], "driftbandit: search must be written as name=low:high"),
        (
            [*SMALL, "--search", "window=a:3"],
            "driftbandit: search of window must be a number, low:high or a list, got 'a'",
        ),
        (
            [*SMALL, "--search", "xi", "--search", "xi=1"],
            "driftbandit: search of xi must be given once only",
        ),
        ([*SMALL, "--search", "window=9:2"], "driftbandit: search of window: low must lie below"),
        ([*SMALL, "--runs", "1"], "driftbandit: runs must be a whole number of at least 2, got 1"),
    ],
)
def test_bad_usage_is_one_line_and_leaves_nothing(
    command: Any, tmp_path: Path, arguments: list[str], line: str
) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(line)
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
