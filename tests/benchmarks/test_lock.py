"""What the lock costs: the agents that are timed; never how long they took."""

from __future__ import annotations

import pytest

import driftbandit as db
from benchmarks.__main__ import main
from benchmarks.lock import Unlocked


def test_an_agent_without_a_lock_plays_the_same_and_takes_no_turn() -> None:
    policy = db.SlidingWindowUCB(9)
    safe: db.Agent[int] = db.Agent(policy, 3)
    bare = Unlocked(policy, 3)
    del bare._turn.free  # whoever asked for it now would wait for ever
    for t in range(50):
        arm = bare.choose()
        assert arm == safe.choose()
        for agent in (safe, bare):
            agent.learn(arm, float(t % 3 == arm))


def test_the_command_prints_a_row_per_policy(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["lock", "--rounds", "20", "--turns", "1"])
    assert ended.value.code == 0
    rows = [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]]
    assert rows == ["UCB-1", "D-UCB", "SW-UCB", "EXP3.S", "Auto"]
