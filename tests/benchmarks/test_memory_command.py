"""What a process holds: the rows; never how much it is."""

from __future__ import annotations

import json

import pytest

from benchmarks.__main__ import main

GAME = ["--policy", "ucb-1", "--policy", "sw-ucb(20)", "--arms", "3", "--turns", "2"]
SIZE = ["--runs", "8", "--horizon", "30"]


def test_the_second_turn_compiles_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["memory", *GAME, *SIZE, "--json"])
    assert ended.value.code == 0
    first, second = json.loads(capsys.readouterr().out)["rows"]
    assert (first["turn"], second["turn"]) == (1, 2)
    assert (second["arms"], second["worlds"], second["compiled"]) == (3, 5, 0)
    assert second["bytes"] > 0


def test_a_row_is_a_turn_and_a_number_of_arms(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["memory", "--policy", "ucb-1", "--arms", "3", "--arms", "2", "--turns", "1", *SIZE])
    assert ended.value.code == 0
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:]]
    assert rows == [["1", "3"], ["1", "2"]]
