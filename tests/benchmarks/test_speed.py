"""What is measured and how it is reported; never how long anything took."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from benchmarks.__main__ import main
from benchmarks.speed import command as speed_command
from benchmarks.speed import figure, processes, rounds
from benchmarks.speed.measure import measure
from benchmarks.speed.plan import Plan
from benchmarks.yardsticks.catalogue import NumPy
from benchmarks.yardsticks.recipe import recipe
from benchmarks.yardsticks.yardstick import PLAIN, Absent, Live, Stepwise

TINY = Plan(arms=(3, 9), threads=(1, 2), runs=4, horizon=40, repeats=2, start=False, long=0.0)
PAPER = ["UCB-1", "EXP3.S", "D-UCB", "SW-UCB"]


def test_there_is_a_row_for_every_policy_number_of_arms_and_contender() -> None:
    report = measure(TINY, [NumPy(), Absent("river", "not installed")])
    assert report["absent"] == {"river": "not installed"}
    assert set(report["load"]) == {"before", "after"}
    keys = [(row["policy"], row["arms"], row["who"], row["threads"]) for row in report["rounds"]]
    ours = [(rounds.OURS, 1), (rounds.OURS, 2), (PLAIN.name, 1), (Live().name, 1)]
    few, many = [*ours, ("NumPy, 500 runs", 1)], ours
    assert keys == [(label, 3, *who) for label in PAPER for who in few] + [
        (label, 9, *who) for label in PAPER for who in many
    ]
    for row in report["rounds"]:
        assert row["failure"] is None
        for spread in (row["ns"], row["ratio"]):
            assert 0.0 < spread["low"] <= spread["median"] <= spread["high"]
    assert json.loads(json.dumps(report)) == report


def test_ratios_are_paired_turn_by_turn() -> None:
    clock = iter([1.0, 10.0, 2.0, 40.0])
    turns: list[int] = []
    other = rounds.Contender("other")
    timed = {rounds.BASE: lambda: next(clock), other: lambda: next(clock)}
    times, failures = rounds.interleaved(timed, 2, turns.append)
    assert turns == [0, 1]
    assert rounds.ratios(times[other], times[rounds.BASE]) == [10.0, 20.0]
    assert not failures


def test_the_fault_of_another_program_is_told_and_ours_is_raised() -> None:
    def broken() -> float:
        raise ZeroDivisionError("no arms")

    timed = {rounds.BASE: lambda: 1.0, rounds.Contender("other"): broken}
    times, failures = rounds.interleaved(timed, 3, lambda _: None)
    assert times == {rounds.BASE: [1.0, 1.0, 1.0]}
    assert failures == {rounds.Contender("other"): "ZeroDivisionError: no arms"}
    with pytest.raises(ZeroDivisionError):
        rounds.interleaved({rounds.BASE: broken}, 1, lambda _: None)


def test_a_slow_program_is_not_timed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PATIENCE", 0.0)
    times, _ = rounds.interleaved({rounds.Contender("slow"): lambda: 1.0}, 5, lambda _: None)
    assert times == {rounds.Contender("slow"): [1.0]}


def test_a_policy_of_ones_own_is_measured_without_yardsticks() -> None:
    mine = db.Policy(explore=db.UCBVariance(), label="mine")
    assert recipe(mine) is None
    plan = Plan(lambda _: [mine], (3,), (1,), 4, 40, 1, start=False, long=0.0)
    names = [row["who"] for row in measure(plan, [NumPy()])["rounds"]]
    assert names == [rounds.OURS, Live().name]


def test_threads_are_compared_in_one_job() -> None:
    report = measure(Plan(arms=(3,), runs=4, horizon=40, repeats=1, start=False, long=1e-4))
    one, two = report["threads"]
    assert (one["threads"], two["threads"]) == (1, 2)
    assert one["runs"] == two["runs"] > 0
    assert one["gain"]["median"] == 1.0


def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    cold, warm = (processes.first(str(tmp_path), 2, 20, policies=1, small=0) for _ in range(2))
    assert cold["compilations"] > 0
    assert warm["compilations"] == 0
    assert set(cold) == {"seconds", "compilations", "imported", "peak"}
    assert cold["peak"] >= cold["imported"] > 0


# --- the figure -----------------------------------------------------------------------------------


def test_speed_draws_medians_from_the_slowest_to_the_fastest(tmp_path: Path) -> None:
    def row(who: str, policy: str, ns: float, threads: int = 1) -> dict[str, object]:
        spread = {"median": ns, "low": 0.9 * ns, "high": 1.2 * ns}
        return {"who": who, "policy": policy, "arms": 3, "threads": threads, "ns": spread}

    rows = [
        row("driftbandit", "UCB-1", 7.0),
        row("driftbandit", "UCB-1", 4.0, threads=2),
        row("driftbandit", "EXP3.S", 8.0),
        row("slow", "UCB-1", 5e4),
        {**row("broken", "UCB-1", 1.0), "ns": None},
        {**row("driftbandit", "UCB-1", 99.0), "arms": 10},
    ]
    paths = tmp_path / "speed.png", tmp_path / "speed.svg"
    drawn = figure.speed({"rounds": rows, "repeats": 5}, *paths)
    names = [label.get_text() for label in drawn.axes[0].get_yticklabels()]
    assert names == ["slow", "driftbandit, 1 thread", "driftbandit, 2 threads"]
    medians = {line.get_label(): np.sort(line.get_xdata()) for line in drawn.axes[0].get_lines()}
    assert medians["UCB-1"].tolist() == [4.0, 7.0, 5e4]
    assert medians["EXP3.S"].tolist() == [8.0]
    assert drawn.axes[0].get_xscale() == "log"
    assert all(path.exists() for path in paths)


# --- the command ----------------------------------------------------------------------------------

WORDS = ["--arms", "3", "--threads", "1", "--runs", "4", "--horizon", "40", "--repeats", "1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def yardsticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that always plays the first arm, and one that is absent, as the only yardsticks."""

    def players(arms: int, xi: float) -> tuple[Any, Any]:
        return (lambda: 0), (lambda arm, reward: None)

    programs = [Stepwise("lazy", {"ucb-1": players}), Absent("river", "not installed")]
    monkeypatch.setattr(speed_command, "yardsticks", lambda: programs)


def command(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(["speed", *words])
    return ended.value.code


def test_the_command_prints_tables_and_writes_all(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--quick", *WORDS, "--out", "here") == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert lines[0].startswith("nanoseconds per round of simulate: 40 rounds, runs: 4 with 3 arms")
    assert lines[1].split()[:4] == ["policy", "arms", "1", "thread"]
    assert [line.split()[0] for line in lines[2:6]] == PAPER
    assert sorted(path.name for path in (folder / "here").iterdir()) == [
        "bench.json", "bench.png", "bench.svg",
    ]  # fmt: skip
    written = json.loads((folder / "here" / "bench.json").read_text())
    assert written["repeats"] == 1
    assert {row["policy"] for row in written["rounds"]} == set(PAPER)


def test_json_is_all_there_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--quick", *WORDS, "--json", "--policy", "ucb-1(xi=0.6)") == 0
    content = json.loads(capsys.readouterr().out)
    assert [row["who"] for row in content["rounds"]] == [
        rounds.OURS, PLAIN.name, Live().name, "lazy",
    ]  # fmt: skip
    assert content["absent"] == {"river": "not installed"}
    assert all((folder / path).exists() for path in content["files"])


def test_every_part_of_a_report_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cost = {"seconds": 2.0, "compilations": 7, "imported": 2**20, "peak": 3 * 2**20}
    start = {"python": 0.1, "import": 0.2, "help": 0.3, "runs": 9, "cold": cost, "warm": cost}
    monkeypatch.setattr(processes, "start", lambda: start)
    monkeypatch.setattr(processes, "memory", lambda: {"runs": 100_000, **cost})
    assert command(*WORDS, "--threads", "2", "--memory") == 0
    printed = capsys.readouterr().out
    assert "first result, cold  2.00 s         7        3 MiB" in printed
    assert "100,000 runs: 3 MiB, 2 s" in printed
    assert "one long job: " in printed
    assert "river: not installed" in printed


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--arms", "3", "--arms", "x"], "arms must be a whole number of at least 2, got 'x'"),
        (["--arms", "1"], "arms must be a whole number of at least 2, got 1"),
        (["--threads", "0"], "threads must be a whole number of at least 1, got 0"),
        (["--repeats", "0"], "repeats must be a whole number of at least 1, got 0"),
        (["--horizon", "500"], "horizon must be more than 1000 arms, got 500"),
        (["--policy", "ucb-7"], "policy must be one of"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], line: str
) -> None:
    assert command(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"python -m benchmarks: {line}")
    assert len(err.splitlines()) == 1
    assert list(folder.iterdir()) == []
