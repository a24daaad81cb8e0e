"""`python -m benchmarks laws`: every law next to coins, by turns."""

from __future__ import annotations

import json

import pytest

from benchmarks import laws
from benchmarks.__main__ import main
from driftbandit.environments.laws import Bernoulli, Exact

WORDS = ("--policy", "uniform", "--runs", "8", "--horizon", "20", "--repeats", "2")


@pytest.fixture(autouse=True)
def two_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two laws that other tests compile anyway."""
    monkeypatch.setattr(laws, "LAWS", {"coins": Bernoulli(), "exact": Exact()})


def command(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(["laws", *words])
    return ended.value.code


def test_rows_compare_each_law_with_coins_in_the_same_world(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command(*WORDS, "--json") == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["law"], row["world"]) for row in rows] == [
        (law, kind) for law in laws.LAWS for kind in laws.worlds(Bernoulli(), 20)
    ]
    for row in rows:
        assert row["policy"] == "uniform"
        assert 0.0 < row["ns"]["low"] <= row["ns"]["median"] <= row["ns"]["high"]
        if row["law"] == "coins":
            assert row["more"] == 0.0
            assert row["ratio"] == {"median": 1.0, "low": 1.0, "high": 1.0}


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*WORDS) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["policy", "world", "law", "ns", "more", "×", "coins"]
    assert len(lines) == 2 + 2 * 3
