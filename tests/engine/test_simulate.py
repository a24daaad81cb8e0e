"""What `simulate` refuses, returns and writes."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars
import pytest

import driftbandit as db
from driftbandit.engine.job import make_job
from driftbandit.engine.summary import Summary

WORLD = db.environments.Stationary((0.2, 0.8))
UCB = db.UCB1()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"runs": 0}, "runs must be a whole number of at least 1, got 0"),
        (
            {"runs": 10**13, "horizon": 200},
            "runs must be fewer, or checkpoints, or arms: 10,000,000,000,000 runs at 200 "
            "checkpoints with 2 arms need 16,320,000 GB of memory",
        ),
        ({"runs": 2.5}, "runs must be a whole number of at least 1, got 2.5"),
        ({"horizon": 0}, "horizon must be a whole number of at least 1, got 0"),
        ({"horizon": None}, "horizon must be given: this world has no last round"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"workers": 0}, "workers must be a whole number of at least 1, got 0"),
        ({"executor": 4}, "executor must be an executor of concurrent.futures, got 4"),
        ({"checkpoint": 4}, "checkpoint must be the name of a folder, got 4"),
        ({"checkpoint": ""}, "checkpoint must be the name of a folder, got ''"),
        ({"progress": 5}, "progress must be a function of (done, total), got 5"),
        ({"checkpoints": 0}, "checkpoints must be a whole number of at least 1, got 0"),
        ({"checkpoints": [5, 5]}, "checkpoints must rise from 1 to at most 100, got [5, 5]"),
        ({"checkpoints": [101]}, "checkpoints must rise from 1 to at most 100, got [101]"),
        ({"policies": []}, "policies must hold at least one policy, got []"),
        ({"policies": ["d-ucb"]}, "policies must hold policies only, got 'd-ucb'"),
        ({"policies": "d-ucb"}, "policies must hold policies only, got 'd-ucb'"),
        ({"policies": db.UCB1}, "policies must hold policies only, got <preset UCB1("),
        ({"horizon": 10**400}, "horizon must be at most 9007199254740992, got 1000"),
        ({"checkpoints": 2.5}, "checkpoints must be a whole number of at least 1, got 2.5"),
        (
            {"policies": db.EXP3P(confidence=4000, horizon=1)},
            "largest exponent of EXP3.P with 2 arms must be at most 250, got",
        ),
        (
            {"policies": [UCB, UCB]},
            "labels must be different from each other, got ['UCB-1', 'UCB-1']",
        ),
        ({"world": "two-swaps"}, "world must be a world of driftbandit.environments"),
        (
            {"world": db.environments.Stationary((1.0, 2.0), bound=2.0)},
            "bound of UCB-1 must be at least the world's 2, got 1",
        ),
        (
            {"world": db.environments.Table([[0.1, 0.2]] * 99)},
            "horizon must be at most 99, the world's last round, got 100",
        ),
    ],
)
def test_bad_input(arguments: dict[str, object], message: str) -> None:
    defaults: dict[str, object] = {"policies": UCB, "world": WORLD, "horizon": 100, "runs": 10}
    with pytest.raises(db.InputError) as caught:
        db.simulate(**(defaults | arguments))  # type: ignore[arg-type]  # that is the point
    assert str(caught.value).startswith(message)


def test_an_unknown_label_suggests_the_nearest() -> None:
    result = db.simulate([UCB, db.Uniform()], WORLD, horizon=10, runs=2)
    with pytest.raises(db.InputError, match="did you mean 'UCB-1'"):
        result["UCB1"]


def test_shapes_and_checkpoints() -> None:
    result = db.simulate([UCB, db.Uniform()], WORLD, horizon=1_000, runs=130)
    assert result.labels == ["UCB-1", "uniform"]
    assert len(result.times) == 200
    assert result.times[-1] == 1_000
    outcome = result["UCB-1"]
    assert outcome.regret.shape == (130, 200)
    assert outcome.final_regret.shape == (130,)
    assert outcome.play_share.shape == outcome.share_error.shape == (200, 2)
    assert outcome.plays.shape == outcome.suboptimal_plays.shape == (130, 2)
    assert outcome.play_share.sum(axis=1) == pytest.approx(1.0)
    assert np.all(np.diff(outcome.regret, axis=1) >= 0)


def test_progress_adds_up() -> None:
    heard: list[tuple[int, int]] = []
    db.simulate(
        [UCB, db.Uniform()],
        WORLD,
        horizon=1_000,
        runs=200,
        workers=2,
        progress=lambda done, total: heard.append((done, total)),
    )
    assert heard[-1] == (400_000, 400_000)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)


def test_the_summary_by_hand() -> None:
    one, two = np.array([1.0, 2.0, 3.0, 6.0]), np.array([2.0, 2.0, 5.0, 5.0])
    summary = Summary({"one": one, "two": two})
    row = summary.policies.row(0, named=True)
    assert row["mean"] == 3.0
    assert row["standard_error"] == pytest.approx(math.sqrt(14 / 3) / 2)
    assert math.isnan(row["low"])  # of four runs
    pair = summary.differences.row(0, named=True)
    assert (pair["policy"], pair["against"], pair["mean"]) == ("one", "two", -0.5)
    assert pair["standard_error"] == pytest.approx(np.std([-1, 0, -2, 1], ddof=1) / 2)
    assert "one" in str(summary)


@pytest.mark.parametrize("runs", [1, 2, 3_000])
def test_the_error_of_the_mean_regret_by_hand(runs: int) -> None:
    outcome = db.simulate(UCB, WORLD, horizon=50, runs=runs)["UCB-1"]
    assert outcome.mean_regret == pytest.approx(outcome.regret.mean(axis=0))
    spread = outcome.regret.std(axis=0, ddof=1) if runs > 1 else np.zeros(50)
    assert outcome.regret_error == pytest.approx(spread / math.sqrt(runs))


def test_what_is_saved_can_be_read_back(tmp_path: Path) -> None:
    result = db.simulate([UCB, db.Uniform()], WORLD, horizon=50, runs=20, checkpoints=5)
    written = result.save(tmp_path / "new" / "folder")
    assert sorted(path.name for path in written) == [
        "arrays.npz",
        "curves.parquet",
        "result.json",
        "runs.parquet",
        "summary.csv",
    ]
    runs = polars.read_parquet(tmp_path / "new" / "folder" / "runs.parquet")
    regrets = runs.filter(policy="UCB-1")["regret"].to_numpy()
    assert np.array_equal(regrets, result["UCB-1"].final_regret)
    curves = polars.read_parquet(tmp_path / "new" / "folder" / "curves.parquet")
    assert curves.height == 2 * 5 * 2
    document = json.loads((tmp_path / "new" / "folder" / "result.json").read_text())
    policy = db.Strategy.from_json(json.dumps(document["policies"][0]))
    world = db.environments.World.from_json(json.dumps(document["world"]))
    again = db.simulate(policy, world, document["horizon"], document["runs"], document["seed"])
    assert np.array_equal(again["UCB-1"].final_regret, result["UCB-1"].final_regret)


def test_one_run_has_no_interval_but_valid_json(tmp_path: Path) -> None:
    result = db.simulate([UCB, db.Uniform()], WORLD, horizon=50, runs=1)
    result.save(tmp_path)
    document = json.loads((tmp_path / "result.json").read_text(), parse_constant=pytest.fail)
    assert document["summary"]["policies"][0]["standard_error"] is None


def test_nothing_is_left_of_a_save_that_fails(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    result = db.simulate(UCB, WORLD, horizon=50, runs=2)
    with pytest.raises(db.InputError):
        result.save(tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_result_is_a_mapping() -> None:
    result = db.simulate([UCB], WORLD, horizon=10, runs=2)
    assert "UCB-1" in result
    assert "x" not in result
    assert dict(result).keys() == {"UCB-1"}


def test_a_trace_is_of_one_policy() -> None:
    with pytest.raises(db.InputError, match="policy must be one policy"):
        db.trace([UCB, db.Uniform()], WORLD, horizon=5)  # type: ignore[arg-type]  # the mistake


def test_checkpoints_are_a_number_of_any_kind_or_a_list() -> None:
    for number in (5, 5.0, Decimal(5), np.array(5)):
        job = make_job(UCB, WORLD, 50, 10, 0, number)  # type: ignore[arg-type]  # any kind
        assert job.marks == (10, 20, 30, 40, 50)
    for nonsense in (None, object()):
        with pytest.raises(db.InputError, match="checkpoints must be a number of rounds, or"):
            make_job(UCB, WORLD, 50, 10, 0, nonsense)  # type: ignore[arg-type]  # the mistake


@pytest.mark.parametrize("arguments", [{"horizon": 10**11}, {"horizon": 10**12, "runs": 10**9}])
def test_a_trace_that_no_memory_holds_is_bad_input(arguments: dict[str, int]) -> None:
    world = db.environments.Stationary((0.2, 0.8))
    with pytest.raises(db.InputError, match=r"smaller, or runs: .* GB of memory"):
        db.trace(db.UCB1(), world, **arguments)


def test_a_run_that_would_never_end_is_bad_input() -> None:
    world = db.environments.Stationary((0.2, 0.8))
    for play in (db.simulate, db.trace):
        with pytest.raises(db.InputError, match="horizon must be at most 1000000000000"):
            play(db.UCB1(), world, horizon=10**15)


def test_a_result_has_get_as_other_mappings_do() -> None:
    result = db.simulate([UCB], WORLD, horizon=10, runs=2)
    assert result.get("UCB-1") is result["UCB-1"]
    assert result.get("ucb-1") is None
    assert result.get("ucb-1", 5) == 5


def test_policies_have_an_order() -> None:
    """That of a set changes from process to process, and with it a table and its differences."""
    with pytest.raises(db.InputError, match="policies must have an order, which a set has not"):
        db.simulate({UCB, db.Uniform()}, WORLD, horizon=10, runs=2)
    with pytest.raises(db.InputError, match="worlds must have an order, which a set has not"):
        db.tune("sw-ucb", {WORLD}, horizon=10, runs=2)
    in_order = db.simulate((each for each in (UCB, db.Uniform())), WORLD, horizon=10, runs=2)
    assert in_order.labels == ["UCB-1", "uniform"]
