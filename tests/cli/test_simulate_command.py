"""`driftbandit simulate`: what it prints, writes and returns."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib import image

import driftbandit as db
from driftbandit import environments
from driftbandit.cli.values import default_policies
from driftbandit.engine import executors
from driftbandit.engine.block import play_block
from driftbandit.engine.job import Job
from driftbandit.engine.player import Piece

FILES = [
    "arrays.npz",
    "curves.parquet",
    "regret.png",
    "result.json",
    "runs.parquet",
    "summary.csv",
]
SMALL = ["--horizon", "2e2", "--runs", "6"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_simulate_prints_a_table_and_writes_everything(command: Any, tmp_path: Path) -> None:
    answer = command(
        "simulate", "two-swaps", "--policy", "d-ucb(discount=0.99,padding=1)",
        "--policy", "sw-ucb(window=50)", *SMALL, "--seed", "5", "--out", "here/there",
    )  # fmt: skip
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[1].split() == ["policy", "mean", "low", "high", "5", "%", "median", "95", "%"]
    assert lines[2].startswith("D-UCB")
    assert "here/there/summary.csv" in answer.out
    assert names(tmp_path / "here" / "there") == FILES
    summary = pl.read_csv(tmp_path / "here" / "there" / "summary.csv")
    assert summary["policy"].to_list() == ["D-UCB", "SW-UCB"]
    players = [db.DiscountedUCB(0.99, padding=1.0), db.SlidingWindowUCB(50)]
    same = db.simulate(players, environments.two_swaps(200), horizon=200, runs=6, seed=5)
    assert summary["mean"].to_list() == pytest.approx(same.summary().policies["mean"].to_list())
    assert image.imread(tmp_path / "here" / "there" / "regret.png").shape == (640, 1024, 4)
    curves = pl.read_parquet(tmp_path / "here" / "there" / "curves.parquet")
    assert {"policy", "round", "regret"} <= set(curves.columns)


def test_json_is_all_there_is_on_stdout(command: Any, tmp_path: Path) -> None:
    answer = command("simulate", "periodic(cycles=5)", *SMALL, "--json", "--workers", "1")
    assert (answer.code, answer.err) == (0, "")
    content = json.loads(answer.out)
    assert content["horizon"] == 200
    assert content["world"]["period"] == 40.0
    labels = [row["policy"] for row in content["summary"]["policies"]]
    assert labels == ["UCB-1", "EXP3.S", "D-UCB", "SW-UCB"]
    assert [Path(path).name for path in content["files"]] == FILES
    assert all((tmp_path / path).exists() for path in content["files"])


def test_json_stays_json_with_a_single_run(command: Any) -> None:
    answer = command("simulate", "two-swaps", "--horizon", "50", "--runs", "1", "--json")

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is not JSON")

    content = json.loads(answer.out, parse_constant=refuse)
    assert content["summary"]["policies"][0]["standard_error"] is None


def test_the_same_policy_twice_is_told_apart(command: Any) -> None:
    texts = ["sw-ucb(window=20)", "sw-ucb(window=40)"]
    answer = command("simulate", "two-swaps", "--policy", texts[0], "--policy", texts[1],
                     *SMALL, "--json")  # fmt: skip
    content = json.loads(answer.out)
    assert [row["policy"] for row in content["summary"]["policies"]] == texts


def test_the_default_policies_are_tuned_for_the_world() -> None:
    world = environments.two_swaps()
    assert default_policies(world, 10_000) == [
        db.UCB1(),
        db.EXP3S.tuned(10_000, 2, 3),
        db.DiscountedUCB.tuned(10_000, 2),
        db.SlidingWindowUCB.tuned(10_000, 2),
    ]
    rich = environments.Stationary(means=(1.0, 2.0), bound=2.0)
    assert all(policy.bound == 2.0 for policy in default_policies(rich, 100))
    moving = default_policies(environments.periodic(), 10_000)
    assert moving[3] == db.SlidingWindowUCB.tuned(10_000, 6)


def test_a_folder_that_cannot_be_written_is_told_first(command: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = command("simulate", "two-swaps", *SMALL, "--out", "file/below")
    assert answer.code == 2
    assert answer.err.startswith("driftbandit: cannot write file/below: ")
    assert names(tmp_path) == ["file"]


def test_no_file_is_left_if_one_cannot_be_written(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("driftbandit.engine.Result.plot", full)
    answer = command("simulate", "two-swaps", *SMALL)
    assert answer.code == 2
    assert answer.err == "driftbandit: cannot write results/simulate: No space left on device"
    assert names(tmp_path) == []


def test_every_listed_world_can_be_drawn_from_its_line(command: Any) -> None:
    open_ones = [name for name, maker in environments.CATALOGUE.items() if _needs_nothing(maker)]
    assert {"two-swaps", "periodic", "brownian", "radio", "news"} <= set(open_ones)
    assert set(environments.PROBLEMS) <= set(open_ones)
    # the published problems are worlds that are drawn here already, and some take long to compile
    for name in set(open_ones) - set(environments.PROBLEMS) | {"two-swaps", "besson-1", "f-dsw-1"}:
        answer = command("simulate", name, "--policy", "uniform", "--horizon", "60", "--runs", "2")
        assert answer.code == 0, name


def _needs_nothing(maker: Any) -> bool:
    try:
        maker()
    except (TypeError, ValueError):
        return False
    return True


def test_a_table_is_read_from_a_file(command: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "means.npy", np.full((30, 2), [0.2, 0.7]))
    answer = command("simulate", "table.read(path='means.npy')", "--runs", "2", "--json")
    assert json.loads(answer.out)["horizon"] == 30


def test_a_second_command_plays_only_the_rest(command: Any, tmp_path: Path) -> None:
    arguments = ["simulate", "two-swaps", "--horizon", "60", "--runs", "600", "--json"]
    plain = json.loads(command(*arguments).out)
    first = command(*arguments, "--checkpoint", "blocks", "--workers", "2")
    assert json.loads(first.out) == plain
    files = names(tmp_path / "blocks")
    assert files[-1] == "job.json"
    (tmp_path / "blocks" / files[0]).unlink()
    assert json.loads(command(*arguments, "--checkpoint", "blocks").out) == plain
    assert names(tmp_path / "blocks") == files
    other = command(*arguments, "--checkpoint", "blocks", "--seed", "1")
    assert other.code == 2
    assert other.err == (
        "driftbandit: checkpoint blocks holds another job: seed is 0 there and 1 here"
    )


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (
            ["--checkpoint", "blocks"],
            "driftbandit: interrupted, blocks that were finished are kept in blocks: "
            "give the same command again to play the rest",
        ),
        ([], "driftbandit: interrupted, nothing written"),
    ],
)
def test_an_interruption_says_how_to_go_on(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: list[str], line: str
) -> None:
    def impatient(job: Job, block: int, tick: Any) -> list[Piece]:
        if block == 1:
            raise KeyboardInterrupt
        return play_block(job, block, tick)

    monkeypatch.setattr(executors, "play_block", impatient)
    arguments = ["simulate", "two-swaps", "--horizon", "60", "--runs", "600", "--workers", "1"]
    answer = command(*arguments, *place)
    assert (answer.code, answer.out, answer.err) == (130, "", line)
    assert names(tmp_path) == place[1:]
    if place:
        assert len(names(tmp_path / "blocks")) == 2  # the first block, and the job


def test_lost_workers_are_one_line_and_code_1(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise db.LostWorkersError("the executor lost its workers")

    monkeypatch.setattr(executors, "run", lost)
    answer = command("simulate", "two-swaps", *SMALL)
    assert answer.code == 1
    assert answer.err.startswith("driftbandit: the executor lost its workers; nothing is kept")


def test_policies_that_must_know_horizon_and_arms_get_them_from_the_command(
    command: Any, tmp_path: Path
) -> None:
    texts = ["moss", "exp3.s.tuned(breakpoints=2)", "SW-UCB.tuned(breakpoints=2)"]
    policies = [part for text in texts for part in ("--policy", text)]
    options = ["--horizon", "200", "--runs", "8", "--out", str(tmp_path / "out"), "--json"]
    answer = command("simulate", "two-swaps", *policies, *options)
    assert answer.code == 0, answer.err
    labels = [policy["label"] for policy in json.loads(answer.out)["policies"]]
    assert labels == ["MOSS", "EXP3.S", "SW-UCB"]


def test_a_policy_without_its_parameters_is_told_of_its_rule(command: Any) -> None:
    answer = command("simulate", "two-swaps", "--policy", "GLR-klUCB")
    assert answer.code == 2
    assert answer.err.endswith("; glr-kl-ucb.tuned sets them by a rule")


@pytest.mark.parametrize("option", ["out", "checkpoint"])
def test_an_option_is_not_taken_for_a_folder_that_was_left_out(
    command: Any, tmp_path: Path, option: str
) -> None:
    answer = command("simulate", "two-swaps", *SMALL, f"--{option}", "--json")
    words = "must be the name of a folder, after ./ if it begins with --, got '--json'"
    assert (answer.code, answer.err) == (2, f"driftbandit: {option} {words}")
    assert names(tmp_path) == []


def test_a_checkpoint_that_is_a_link_to_nowhere_is_refused(command: Any, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    answer = command("simulate", "two-swaps", *SMALL, "--checkpoint", "link")
    said = "checkpoint link is a link to a folder that does not exist"
    assert (answer.code, answer.err) == (2, f"driftbandit: {said}")
    assert names(tmp_path) == ["link"]


def test_an_interval_that_few_runs_do_not_have_is_a_dash(command: Any) -> None:
    policies = ["--policy", "ucb-1", "--policy", "uniform"]
    answer = command("simulate", "two-swaps", "--horizon", "60", "--runs", "5", *policies)
    assert answer.code == 0
    assert "nan" not in answer.out
    assert any(line.split()[-2:] == ["–", "–"] for line in answer.out.splitlines())
