"""The command line: what commands print, how they end, and what they say of bad usage."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

import driftbandit as db
from driftbandit import environments, policies
from driftbandit.cli import main


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["simulate", "two-swop"], "driftbandit: world must be one of"),
        (
            ["simulate", "two-swaps", "--policy", "d-ucb(discount=1.2)"],
            "driftbandit: discount must lie in (0, 1], got 1.2",
        ),
        (
            ["simulate", "two-swaps", "--runs", "0"],
            "driftbandit: runs must be a whole number of at least 1, got 0",
        ),
        (
            ["simulate", "two-swaps", "--horizon", "12.5"],
            "driftbandit: horizon must be a whole number of at least 1, got 12.5",
        ),
        (
            ["simulate", "two-swaps", "--seed", "x"],
            "driftbandit: seed must be a whole number of at least 0, got 'x'",
        ),
        (
            ["simulate", "table(means=[[0.5]])", "--horizon", "2"],
            "driftbandit: horizon must be at most",
        ),
        (
            ["reproduce", "--runs", "1"],
            "driftbandit: runs must be a whole number of at least 2, got 1",
        ),
        (["simulate", "two-swaps", "--out", ""], "driftbandit: out must be the name of a folder"),
        (
            ["tune", "two-swaps", "--policy", "sw-ucb", "--policy", "d-ucb"],
            "driftbandit: --policy must be given once only, got it 2 times",
        ),
        (
            ["log", "value", "log.csv", "--group", "country", "--group", "device"],
            "driftbandit: --group must be given once only, got it 2 times",
        ),
        (["simulate"], "driftbandit: Missing argument"),
        (["bogus"], "driftbandit: No such command"),
        (["simulate", "two-swaps", "--bogus"], "driftbandit: No such option"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(
    command: Any, tmp_path: Path, arguments: list[str], line: str
) -> None:
    answer = command(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith(line)
    assert len(answer.err.splitlines()) == 1
    assert names(tmp_path) == []


def test_an_unknown_fault_is_not_hidden(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("driftbandit.cli.grid_text.print_all", broken)
    with pytest.raises(RuntimeError, match="a fault of ours"):
        main(["policies"])


def test_reproduce(command: Any, tmp_path: Path) -> None:
    answer = command("reproduce", "--runs", "4", "--out", "here")
    assert (answer.code, answer.err) == (0, "")
    assert "Conclusion: D-UCB and SW-UCB outperform" in answer.out
    assert "here/report.md" in answer.out
    assert "report.md" in names(tmp_path / "here")
    content = json.loads(command("reproduce", "--runs", "4", "--json").out)
    assert set(content) == {"experiments", "claims", "files"}
    assert set(content["claims"][0]) == {"claim", "criterion", "measured", "verdict"}


def test_lists_name_everything(command: Any) -> None:
    text = command("policies").out
    for name in policies.CATALOGUE:
        assert any(line.startswith(f"{name} ") for line in text.splitlines()), name
    content = json.loads(command("environments", "--json").out)
    listed = [row["name"] for row in content["environments"]]
    assert set(environments.CATALOGUE) <= set(listed)
    assert [row["name"] for row in content["laws"]] == list(environments.laws.CATALOGUE)
    for row in [*content["environments"], *content["laws"]]:
        assert row["summary"].endswith((".", "`."))


def test_warmup_says_how_long_it_took(command: Any) -> None:
    assert command("warmup").out.splitlines()[-1].startswith("total")
    content = json.loads(command("warmup", "--json").out)
    assert list(content["seconds"]) == ["UCB-1", "EXP3.S", "D-UCB", "SW-UCB"]
    assert content["total"] > 0
    assert command("warmup", "--arms", "1").code == 2


@pytest.mark.parametrize("name", ["simulate", "rehearse"])
def test_one_run_is_one_run(command: Any, name: str) -> None:
    rounds = "--decisions" if name == "rehearse" else "--horizon"
    options = ["--policy", "ucb-1", rounds, "50", "--runs", "1", "--workers", "1"]
    answer = command(name, "two-swaps", *options)
    assert answer.out.startswith("regret at round 50 in two-swaps: 1 run, 95 % intervals\n")


def test_version_and_help(command: Any) -> None:
    assert command("--version").out == f"driftbandit {db.__version__}\n"
    for arguments in ([], ["--help"], ["-h"]):
        answer = command(*arguments)
        assert answer.code == 0
        assert "reproduce" in answer.out


def test_the_package_is_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["driftbandit", "--version"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("driftbandit", run_name="__main__")
    assert not ended.value.code
    assert capsys.readouterr().out == f"driftbandit {db.__version__}\n"
