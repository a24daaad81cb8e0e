"""`driftbandit log`: what a log can tell, what policies are worth, and what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import driftbandit as db
from logs.simulated import drawn

COLUMNS = ["--time", "ts", "--arm", "variant", "--reward", "clicked", "--propensity", "p"]
NAMES = {"time": "ts", "arm": "variant", "reward": "clicked", "propensity": "p"}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "log.csv"
    drawn("drift", 1_500, 0).frame.rename(NAMES).write_csv(path)
    return str(path)


def log(file: str, **options: Any) -> db.Log:
    return db.Log.read(file, time="ts", arm="variant", reward="clicked", propensity="p", **options)


def test_check_prints_what_the_log_holds_and_can_tell(command: Any, file: str) -> None:
    answer = command("log", "check", file, *COLUMNS)
    assert (answer.code, answer.err) == (0, "")
    assert "good rows                 1,500" in answer.out
    assert "arms, propensities logged" in answer.out
    content = json.loads(command("log", "check", file, *COLUMNS, "--json").out)
    assert content["check"]["rows"] == 1_500
    assert content["overlap"] == json.loads(json.dumps(log(file).overlap().to_dict()))


def test_bad_rows_are_listed_and_may_be_set_aside(command: Any, file: str) -> None:
    with open(file, "a", encoding="utf-8") as lines:
        lines.write("1e7,a,7,0.5\n")
    answer = command("log", "check", file, *COLUMNS)
    assert answer.code == 0
    assert "reward is outside of [0, 1]  1,501" in answer.out
    assert "arms, propensities" not in answer.out
    refused = command("log", "value", file, *COLUMNS)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("driftbandit: log must have good rows only, got 1 bad ones")
    aside = command("log", "value", file, *COLUMNS, "--set-aside")
    assert "1 of 1,501 rows are bad and set aside." in aside.out


def test_value_is_that_of_the_package(command: Any, file: str, tmp_path: Path) -> None:
    mine = db.Policy(forget=db.HalfLife("5d"), explore=db.UCB(), label="mine")
    policy = tmp_path / "mine.json"
    policy.write_text(mine.to_json(), "utf-8")
    answer = command(
        "log", "value", file, *COLUMNS, "--policy", "ucb-1", "--policy", str(policy),
        "--fixed", "a", "--fixed", "a=0.5,b=0.5", "--method", "dr", "--method", "replay",
        "--level", "0.9", "--seed", "3", "--json",
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    same = log(file).value(
        [db.UCB1(), mine, {"a": 1.0}, {"a": 0.5, "b": 0.5}], ["dr", "replay"], level=0.9, seed=3
    )
    assert json.loads(answer.out) == json.loads(json.dumps(same.to_dict()))


def test_now_next_and_memories(command: Any, file: str) -> None:
    for options in (["--at", "now"], ["--at", "next 7d"], ["--at", "now", "--window", "20d"],
                    ["--at", "now", "--half-life", "9d"], ["--interval", "sequence"]):  # fmt: skip
        answer = command("log", "value", file, *COLUMNS, "--fixed", "c", *options)
        assert (answer.code, answer.err) == (0, "")
        assert "always c" in answer.out


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--policy", "nobody"], "policy must be one of auto, ucb-1"),
        (
            ["--policy", "nowhere.json"],
            "policy must be a file that can be read, got 'nowhere.json'",
        ),
        (["--fixed", "d"], "arm must be one of ['a', 'b', 'c'], got 'd'"),
        (["--fixed", "a=x,b=1"], "fixed must be written as arm, or arm=share,arm=share, got"),
        (["--fixed", "a=0.3,a=1"], "fixed must name each arm once, got 'a=0.3,a=1'"),
        (["--at", "now", "--window", "1d", "--half-life", "1d"], "window and half-life exclude"),
        (["--at", "now", "--window", "soon"], "window must be seconds, a timedelta or a text"),
        (["--level", "2"], "level must lie in (0, 1), got 2.0"),
        (["--method", "magic"], "method must be one of dr, radr, snips, ips, dm, replay, world"),
    ],
)
def test_what_is_wrong_is_one_line(command: Any, file: str, options: list[str], line: str) -> None:
    answer = command("log", "value", file, *COLUMNS, *options)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"driftbandit: {line}")
    assert "\n" not in answer.err


def test_drift_is_that_of_the_package_and_is_drawn(command: Any, file: str) -> None:
    answer = command("log", "drift", file, *COLUMNS, "--plot", "drift.png", "--level", "0.9")
    assert (answer.code, answer.err) == (0, "")
    assert "how mean rewards move" in answer.out
    assert Path("drift.png").read_bytes().startswith(b"\x89PNG")
    content = json.loads(command("log", "drift", file, *COLUMNS, "--json").out)
    assert content == json.loads(json.dumps(log(file).drift().to_dict()))


def test_tune_writes_a_policy_that_an_agent_can_play(command: Any, file: str) -> None:
    answer = command(
        "log", "tune", file, *COLUMNS, "--policy", "thompson", "--span", "7d", "--span", "28d",
        "--out", "policy.json", "--seed", "1",
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    policy = db.Strategy.from_json(Path("policy.json").read_text("utf-8"))
    assert f"\nPlay {policy.label}: " in answer.out
    assert policy.agent(arms=["a", "b", "c"]).choose() in "abc"
    assert policy == log(file).tune(db.Thompson(), ["7d", "28d"], seed=1).policy


def test_each_group_has_a_file_of_its_own(command: Any, file: str) -> None:
    lines = Path(file).read_text("utf-8").splitlines()
    named = [f"{lines[0]},land", *(f"{line},{'fr' if k % 2 else 'it'}" for k, line in
                                   enumerate(lines[1:]))]  # fmt: skip
    Path(file).write_text("\n".join(named), "utf-8")
    answer = command("log", "drift", file, *COLUMNS, "--group", "land", "--plot", "drift.png")
    assert answer.code == 0
    assert Path("drift-fr.png").exists()
    assert Path("drift-it.png").exists()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["tune", "--out", "log.csv"], "out must end in .json, as a policy's file does"),
        (["tune", "--out", "policy"], "out must end in .json, as a policy's file does"),
        (["drift", "--plot", "log.csv"], "the picture's suffix must be one of"),
        (["value", "--window", "1d"], "--window and --half-life must come with --at now"),
        (["value", "--half-life", "1d", "--at", "mean"], "--window and --half-life must come with"),
    ],
)
def test_files_and_memories_that_do_not_fit_are_refused_before_the_work(
    command: Any, file: str, monkeypatch: pytest.MonkeyPatch, arguments: list[str], line: str
) -> None:
    for work in ("value", "drift", "tune"):
        monkeypatch.delattr(db.Log, work)
    before = Path(file).read_bytes()
    name, *options = arguments
    answer = command("log", name, file, *COLUMNS, *options)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"driftbandit: {line}")
    assert Path(file).read_bytes() == before


def test_arms_may_have_commas_and_equals_signs(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    frame = drawn("still", 600, 0).frame
    names = {"a": "red, big", "b": "color=blue", "c": "c"}
    frame.with_columns(arm=frame["arm"].replace(names)).write_csv(path)
    fixed = ["--fixed", "red, big", "--fixed", "color=blue", "--fixed", "color=blue=0.5,c=0.5"]
    answer = command("log", "value", str(path), *fixed)
    assert answer.code == 0
    for label in ("always red, big", "always color=blue", "color=blue 0.5, c 0.5"):
        assert label in answer.out


def test_the_group_is_named_that_cannot_be_answered(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    lines = [f"{place},{'ab'[place % 2]},{place % 2},fr" for place in range(100)]
    path.write_text("\n".join(["time,arm,reward,country", *lines, "100,a,7,it\n"]), "utf-8")
    answer = command("log", "value", str(path), "--group", "country", "--sort", "--set-aside")
    assert answer.code == 2
    assert answer.err.startswith("driftbandit: group 'it': log must have good rows, got 1 bad ones")
    assert "(id None" not in answer.err
