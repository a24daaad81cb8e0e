"""`python -m benchmarks judge`: excess over the best rival, and what is kept of rivals."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import driftbandit as db
from benchmarks import judge
from benchmarks.__main__ import main


@pytest.fixture(autouse=True)
def few_rivals(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two rivals that other tests compile anyway, and a cache of this test's own."""
    monkeypatch.setattr(judge, "RIVALS", ("UCB-1", "SW-UCB"))
    monkeypatch.setattr(judge, "KEPT", tmp_path / "judge")


def test_an_excess_is_a_paired_difference_in_units_of_what_is_unavoidable() -> None:
    world, unit = db.environments.two_swaps(400), math.sqrt(3 * 400)
    row = judge.excess(db.Uniform(), world, runs=32)
    own = db.simulate(db.Uniform(), world, 400, row["runs"])["uniform"].final_regret
    rivals = [db.UCB1(), db.SlidingWindowUCB.tuned(400, 2)]
    played = db.simulate(rivals, world, 400, row["runs"])
    best = min(rivals, key=lambda rival: played[rival.label].final_regret.mean())
    apart = own - played[best.label].final_regret
    assert row["rival"] == best.label
    assert row["excess"] == pytest.approx(apart.mean() / unit)
    assert row["error"] == pytest.approx(apart.std(ddof=1) / math.sqrt(row["runs"]) / unit)
    assert row["error"] <= judge.PRECISE


def test_rivals_are_played_once_and_the_judged_policy_every_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, played = db.environments.two_swaps(100), []
    regret = judge.regret

    def note(policy: db.Strategy, *arguments: object) -> object:
        played.append(policy.label)
        return regret(policy, *arguments)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr(judge, "regret", note)
    monkeypatch.setattr(judge, "PRECISE", math.inf)
    one, two = (judge.excess(db.Uniform(), world, runs=4) for _ in range(2))
    assert one == two
    assert played == ["UCB-1", "SW-UCB", "uniform", "uniform"]


def test_the_command_reports_every_world_and_a_summary(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["--no-published", "--wild", "0", "--rises", "3", "--longest", "2000", "--runs", "2"]
    with pytest.raises(SystemExit) as ended:
        main(["judge", "--policy", "uniform", *words, "--json", str(tmp_path / "rows.json")])
    assert ended.value.code == 0
    (row,) = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    shown = capsys.readouterr().out.splitlines()
    assert row["world"] == "rise-2-K7"
    assert shown[0].startswith("rise-2-K7")
    assert shown[-1] == f"1 worlds: mean {row['excess']:+.2f}, worst {row['excess']:+.2f} " + (
        "(rise-2-K7)"
    )
    assert np.isfinite(row["excess"])
