"""The native yardstick plays the same game: its regrets and plays are those of the engine."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

import numpy as np
import pytest

import driftbandit as db
from benchmarks.yardsticks import native
from driftbandit.studies.paper import experiments

ROOT = Path(__file__).parents[2]
RUNS = 4_000
POLICIES = experiments.policies(arms=3)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("native") / "bandits"
    command = ["make", "--silent", f"--directory={ROOT}", f"NATIVE={path}", "bench-native"]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    assert not built.stderr  # no warning either
    return path


@pytest.fixture(scope="module")
def engine() -> db.Result:
    return db.simulate(POLICIES, db.environments.two_swaps(), runs=RUNS, seed=3)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.label)
def test_regret_and_plays(policy: db.Strategy, program: Path, engine: db.Result) -> None:
    played, ours = native.play(policy, RUNS, seed=4, program=program), engine[policy.label]
    error = ours.final_regret.std(ddof=1) / math.sqrt(RUNS)
    assert played["standard_error"] == pytest.approx(error, rel=0.1)
    assert abs(played["mean_regret"] - ours.final_regret.mean()) < 4.0 * math.sqrt(2.0) * error
    plays = np.array(played["plays"])
    assert plays.sum() == pytest.approx(played["horizon"])
    errors = ours.plays.std(axis=0, ddof=1) / math.sqrt(RUNS)
    assert (abs(plays - ours.plays.mean(axis=0)) < 4.0 * math.sqrt(2.0) * errors).all()


def test_a_run_does_not_depend_on_how_many_there_are(program: Path) -> None:
    two, three = (native.play(db.UCB1(), runs, seed=9, program=program) for runs in (2, 3))
    mean, error = two["mean_regret"], two["standard_error"]
    regrets = [mean - error, mean + error, 3.0 * three["mean_regret"] - 2.0 * mean]
    assert np.std(regrets, ddof=1) / math.sqrt(3) == pytest.approx(three["standard_error"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "usage: bandits POLICY RUNS SEED REPEATS NAME=NUMBER..."),
        (["ucb", "1", "1", "1"], "RUNS must be a whole number from 2 to 999999999, got 1"),
        (["ucb", "9", "x", "1"], "SEED must be a whole number from 0 to 999999999, got x"),
        (["ucb", "9", "1", "1", "xi"], "expected NAME=NUMBER, got xi"),
        (["ucb", "9", "1", "1", "xi=0.5"], "ucb needs padding=NUMBER"),
        (["exp4", "9", "1", "1"], "POLICY must be ucb, sliding-window-ucb or exp3s, got exp4"),
    ],
)
def test_wrong_words_are_one_line(words: list[str], message: str, program: Path) -> None:
    process = subprocess.run([program, *words], check=False, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (1, f"bandits: {message}\n")


def test_a_policy_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="does not know softmax"):
        native.words(db.Softmax())
