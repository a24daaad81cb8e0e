"""`driftbandit bounds`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib import image

from driftbandit.theory import windowed

ASKED = ["--horizon", "1e6", "--breakpoints", "10", "--gap", "0.1"]


def test_it_prints_value_formula_and_assumptions(command: Any) -> None:
    answer = command("bounds", "--policy", "sw-ucb", "--window", "5000", *ASKED)
    assert (answer.code, answer.err) == (0, "")
    value = windowed.plays(10**6, 10, 0.1, 5000).value
    lines = answer.out.splitlines()
    assert "Υ = 10 breakpoints" in lines[0]
    row = next(line for line in lines if "as given" in line)
    assert row.split()[-3:-1] == [f"{value:,.0f}", "≤"]
    assert "τ Υ" in answer.out
    assert "assumes: rewards lie in [0, B]" in answer.out
    assert any(line.startswith("any policy") and "≥" in line for line in lines)


def test_it_says_what_is_vacuous(command: Any) -> None:
    answer = command(
        "bounds", "--policy", "d-ucb", "--horizon", "1e4", "--breakpoints", "2", "--gap", "0.2"
    )
    assert "vacuous: never above 2,000" in answer.out


def test_json_is_one_document(command: Any) -> None:
    answer = command("bounds", "--json", *ASKED)
    document = json.loads(answer.out)
    assert (document["horizon"], document["files"]) == (10**6, [])
    assert {row["policy"] for row in document["bounds"]} == {
        "D-UCB",
        "SW-UCB",
        "EXP3.S",
        "any policy",
    }
    for row in document["bounds"]:
        assert row["regret"]["value"] > 0
        assert isinstance(row["regret"]["vacuous"], bool)


def test_measure_draws_bounds_and_growth(command: Any, tmp_path: Path) -> None:
    few = ["--horizon", "4000", "--breakpoints", "1", "--gap", "0.4"]
    answer = command("bounds", *few, "--measure", "8", "--out", "seen")
    assert answer.code == 0
    assert sorted(path.name for path in (tmp_path / "seen").iterdir()) == [
        "growth.json",
        "growth.png",
    ]
    document = json.loads((tmp_path / "seen" / "growth.json").read_text("utf-8"))
    assert document["horizons"] == [1265, 4000]
    assert image.imread(tmp_path / "seen" / "growth.png").shape[1] > 1000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--xi", "0.5"], "xi must be more than 1/2, where the theorems begin, got 0.5"),
        (["--gap", "2"], "gap must lie in (0, 1], got 2.0"),
        (["--gap", "wide"], "gap must be a number, got 'wide'"),
        (["--breakpoints", "1e6"], "breakpoints must be fewer than the horizon 1000000"),
        (["--discount", "1"], "discount must lie in (0, 1), got 1.0"),
        (["--window", "0"], "window must be a whole number of at least 1, got 0"),
        (["--policy", "sw-ucp"], "did you mean 'sw-ucb'?"),
        (["--out", "seen"], "--out must come with --measure"),
        (["--measure", "8", "--out", ""], "out must be the name of a folder, got ''"),
        (["--measure", "8", "--arms", "3"], "measure plays two arms"),
        (["--measure", "8", "--breakpoints", "0"], "breakpoints to measure must be a whole number"),
        (["--measure", "8", "--horizon", "20"], "horizon to measure must be a whole number"),
        (
            ["--arms", "2", "--horizon", "1", "--breakpoints", "0"],
            "horizon must be at least 2, the",
        ),
        (["--largest-gap", "0.05"], "largest_gap must lie in [0.1, 1], got 0.05"),
        (
            ["--policy", "sw-ucb", "--discount", "0.9"],
            "left out unless d-ucb is among the policies",
        ),
    ],
)
def test_bad_input_is_one_line(command: Any, options: list[str], words: str) -> None:
    answer = command("bounds", *ASKED, *options)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err
    assert len(answer.err.splitlines()) == 1
