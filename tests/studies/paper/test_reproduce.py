"""One call writes figure, report and tables, all or none."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from driftbandit import figures
from driftbandit.core.errors import InputError
from driftbandit.studies.paper import CLAIMS, Reproduction, reproduce

RUNS = 16
FILES = [
    "claims.csv",
    "curves.csv",
    "differences.csv",
    "figure.png",
    "figure.svg",
    "regret.csv",
    "report.md",
]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results") / "deep"


@pytest.fixture(scope="module")
def reproduction(folder: Path) -> Reproduction:
    return reproduce(folder, runs=RUNS, seed=3)


def test_every_file_is_there(reproduction: Reproduction, folder: Path) -> None:
    assert names(folder) == FILES
    assert reproduction.files == [folder / name for name in FILES]


def test_the_report_has_a_row_for_every_claim(reproduction: Reproduction, folder: Path) -> None:
    text = (folder / "report.md").read_text(encoding="utf-8")
    for finding in reproduction.findings:
        row = f"| {finding.claim.text} | {finding.claim.criterion} | {finding.measured} |"
        assert f"{row} **{finding.verdict.value}** |" in text
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert (folder / picture).exists()
    assert f"--runs {RUNS} --seed 3" in text
    assert "numba" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)


def test_the_numbers_agree_with_the_results(reproduction: Reproduction, folder: Path) -> None:
    regret = pl.read_csv(folder / "regret.csv")
    assert regret.columns[:4] == ["experiment", "policy", "mean", "standard_error"]
    assert len(regret) == 2 * 5
    first = reproduction.results["abrupt changes"]
    line = regret.filter(experiment="abrupt changes", policy="SW-UCB").to_dicts()[0]
    assert line["mean"] == pytest.approx(first["SW-UCB"].final_regret.mean())
    curves = pl.read_csv(folder / "curves.csv")
    assert len(curves) == 5 * sum(len(result.times) for result in reproduction.results.values())
    last = curves.filter(experiment="abrupt changes", policy="SW-UCB", round=10_000).to_dicts()[0]
    assert last["regret"] == pytest.approx(line["mean"])
    assert (last["regret_low"], last["regret_high"]) == pytest.approx((line["low"], line["high"]))
    assert last["share_low"] < last["share_of_arm_1"] < last["share_high"]
    assert len(pl.read_csv(folder / "differences.csv")) == 2 * 10
    assert len(pl.read_csv(folder / "claims.csv")) == len(CLAIMS)


def test_the_same_seed_gives_the_same_bytes(reproduction: Reproduction, tmp_path: Path) -> None:
    again = reproduce(tmp_path, runs=RUNS, seed=3, workers=1)
    for one, two in zip(reproduction.files, again.files, strict=True):
        assert one.read_bytes() == two.read_bytes(), one.name


def test_progress_counts_all_rounds_once(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    reproduce(tmp_path, runs=4, workers=1, progress=lambda *call: calls.append(call))
    total = 10_000 * (5 * 4 + 5 * 4 + 20 * 2)
    assert {whole for _, _, whole in calls} == {total}
    done = [part for _, part, _ in calls]
    assert done == sorted(done)
    assert done[-1] == total
    assert list(dict.fromkeys(title for title, _, _ in calls)) == [
        "abrupt changes",
        "continuous changes",
        "tuning",
    ]


def test_nothing_is_left_if_drawing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(results: object, path: Path) -> None:
        path.write_text("half a picture")
        raise RuntimeError("no paint left")

    monkeypatch.setattr(figures, "two_panels", broken)
    with pytest.raises(RuntimeError, match="no paint left"):
        reproduce(tmp_path / "new", runs=2)
    assert names(tmp_path) == []


def test_bad_input_raises_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="runs must be a whole number of at least 2, got 1"):
        reproduce(tmp_path / "new", runs=1)
    (tmp_path / "file").write_text("")

    def never(*_: object) -> None:
        pytest.fail("it ran")

    with pytest.raises(InputError, match="cannot write"):
        reproduce(tmp_path / "file", runs=2, progress=never)
    assert names(tmp_path) == ["file"]
