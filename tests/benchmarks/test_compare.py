"""Two checkouts by turns: what each side plays and what is reported; never how long it took."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.compare import command as compare_command
from benchmarks.compare.compare import Row, by_turns, compare, live, simulation
from benchmarks.compare.side import Side

ROOT = Path(__file__).parents[2]


class Counter:
    """Stands for a side: a clock that records its requests."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log, self.requests = name, log, list[dict[str, Any]]()

    def seconds(self, **request: Any) -> float:
        self.log.append(self.name)
        self.requests.append(request)
        return 1e-4


@pytest.fixture(scope="module")
def here() -> Iterator[Side]:
    """This checkout, with a worker."""
    side = Side(ROOT)
    with side.working():
        yield side


def test_each_side_is_first_in_every_other_turn() -> None:
    log: list[str] = []
    before, after = Counter("before", log), Counter("after", log)
    times = by_turns(before, after, lambda side: side.seconds(), 2, warm=False)  # type: ignore[arg-type]  # a stand-in
    assert log == ["before", "after", "after", "before"]
    assert times == ((1e-4, 1e-4), (1e-4, 1e-4))


@pytest.mark.parametrize("make", [simulation, live])
def test_both_sides_play_the_same(make: Any) -> None:
    before, after = Counter("before", []), Counter("after", [])
    timer = make((before, after), "UCB-1", 1000)
    assert timer(before) == timer(after) == 1e-4
    assert before.requests == after.requests
    assert before.requests[-1]["arms"] == 1000


def test_a_ratio_compares_the_smallest_times_and_has_a_range() -> None:
    row = Row("simulate", "UCB-1", (1.0, 2.0, 4.0), (3.0, 2.0, 2.0))
    assert row.ratio == 2.0
    assert row.range == (0.5, 3.0)


def test_a_worker_times_a_live_agent(here: Side) -> None:
    assert here.seconds(task="live", policy="UCB-1", arms=3, horizon=50) > 0.0


def test_an_error_in_a_worker_is_raised(here: Side) -> None:
    with pytest.raises(RuntimeError, match="KeyError: 'none'"):
        here.seconds(task="live", policy="none", arms=3, horizon=50)
    assert here.seconds(task="live", policy="UCB-1", arms=3, horizon=50) > 0.0


def test_processes_are_timed() -> None:
    side = Side(ROOT)
    assert 0.0 < side.import_seconds() < side.help_seconds()


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="a checkout must have a folder src/driftbandit"):
        Side(tmp_path)


@pytest.mark.slow
def test_a_checkout_is_compared_with_itself() -> None:
    rows = list(compare(Side(ROOT), Side(ROOT), ["UCB-1"], [3], turns=1, cold=0))
    assert [row.group for row in rows] == ["simulate", *["live agent"] * 2, *["process"] * 3]


def test_the_command_prints_ratios_and_writes_all_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        Row("simulate", "UCB-1, K = 3", (2e-8, 3e-8), (1e-8, 3e-8)),
        Row("simulate", "D-UCB, K = 3", (1e-8, 1e-8), (2e-8, 2e-8)),
        Row("process", "import driftbandit", (0.1,), (0.1,)),
    ]
    monkeypatch.setattr(compare_command, "compare", lambda *_: iter(rows))
    written = tmp_path / "times.json"
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(ROOT), "--json", str(written)])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "simulate, ns per round, smallest of 2 turns"
    assert lines[2].split() == ["UCB-1,", "K", "=", "3", "20.0", "10.0", "0.500", "0.50–1.00"]
    assert "geometric mean 1.000, largest 2.000 (D-UCB, K = 3)" in lines
    assert [row["ratio"] for row in json.loads(written.read_text())["rows"]] == [0.5, 2.0, 1.0]


def test_an_unknown_policy_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(ROOT), "--policy", "UCB-7"])
    assert ended.value.code == 2
    assert "policy must be one of UCB-1, EXP3.S" in capsys.readouterr().err
