"""`driftbandit rehearse`: tables, files, and one line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import driftbandit as db

SMALL = ["--decisions", "2e2", "--runs", "4", "--workers", "1"]
WORSE = ["--delay", "5:20", "--lost", "0.1", "--duplicated", "0.1", "--arrivals", "3600"]
SERVED = ["--arm", "2=50:150", "--servers", "2", "--behind", "3", "--reward-within", "1m"]


def test_rehearse_prints_a_table_and_writes_everything(command: Any, tmp_path: Path) -> None:
    answer = command(
        "rehearse", "two-swaps", "--policy", "ucb1", "--policy", "auto", *SMALL, *WORSE, *SERVED,
        "--floor", "0.1", "--default-reward", "0", "--json",
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    content = json.loads(answer.out)
    same = db.rehearse(
        [db.UCB1(), db.Auto()], db.environments.two_swaps(200), delay=(5, 20), lost=0.1,
        duplicated=0.1, arrivals=3600, arms={2: (50, 150)}, servers=2, behind=3, runs=4,
        reward_within="1m", floor=0.1, default_reward=0.0,
    )  # fmt: skip
    assert content["summary"] == json.loads(json.dumps(same.to_dict()["summary"]))
    assert (tmp_path / "results" / "rehearse" / "regret.png").exists()


def test_the_default_is_auto_with_rewards_at_once(command: Any) -> None:
    answer = command("rehearse", "two-swaps", *SMALL)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("regret at round 200 in two-swaps: 4 runs")
    assert "Auto" in answer.out


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (["--delay", "1:2:3"], "delay must be written as 100, 10m, 50:200 or 10m:2h, got '1:2:3'"),
        (["--delay", "5x"], "delay must be seconds, a timedelta or a text such as '90s'"),
        (["--arrivals", "a"], "arrivals must be one number, or 24 with commas between them"),
        (["--arm", "2"], "arm must be written as arm=first:last, such as 2=500:1500, got '2'"),
        (["--arm", "2=1:5", "--arm", "2=7:9"], "arm must be given once for each arm"),
        (["--decisions", "5"], "decisions must be a whole number of at least 10, got 5"),
        (["--decisions", "1e13"], "decisions must be at most 1000000000000, got 10000000000000"),
        (["--runs", "1_0"], "runs must be a whole number of at least 1, got '1_0'"),
        (["--runs", "١٠"], "runs must be a whole number of at least 1, got '١٠'"),
        (["--lost", "0.1_5"], "lost must be a number, got '0.1_5'"),
        (["--delay", "1_0"], "delay must be seconds, a timedelta or a text such as '90s'"),
        (["--arm", "2=1_0:50"], "arm must be written as arm=first:last, such as 2=500:1500"),
        (["--lost", "2"], "lost must lie in [0, 1], got 2.0"),
    ],
)
def test_what_is_wrong_is_one_line(command: Any, given: list[str], line: str) -> None:
    answer = command("rehearse", "two-swaps", *SMALL, *given)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"driftbandit: {line}")
    assert "\n" not in answer.err


@pytest.mark.parametrize("delay", ["1:5m", "5m:1"])
def test_the_ends_of_a_delay_have_one_unit(command: Any, delay: str) -> None:
    answer = command("rehearse", "two-swaps", *SMALL, "--delay", delay)
    assert (answer.code, answer.out) == (2, "")
    assert "delay must be two times or two numbers of decisions" in answer.err


def test_no_delay_needs_no_unit(command: Any) -> None:
    answer = command("rehearse", "two-swaps", *SMALL, "--delay", "0:5s")
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.parametrize(
    ("delay", "others", "said"),
    [
        ("1h", [], "delay is 3600 s or more, and the last decision comes after about 200 s"),
        ("200", [], "the last decision comes after about 200 decisions: hardly a reward comes"),
        ("90s", ["--reward-within", "1m"], "reward_within is 60 s: no reward comes in time"),
    ],
)
@pytest.mark.filterwarnings("default:delay is")
def test_a_rehearsal_without_rewards_is_noted(
    command: Any, delay: str, others: list[str], said: str
) -> None:
    answer = command("rehearse", "two-swaps", *SMALL, "--delay", delay, *others)
    assert answer.code == 0
    assert said in answer.err
