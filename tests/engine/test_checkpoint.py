"""A simulation that was stopped goes on where it was, and nothing else is taken for its own."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import driftbandit as db
from common import RULE
from driftbandit.engine import executors
from driftbandit.engine.block import play_block
from driftbandit.engine.identity import identity
from driftbandit.engine.job import make_job
from same_bits import assert_same_bits

POLICIES = (db.UCB1(), db.EXP3S(0.1, 0.01), db.SlidingWindowUCB(30))
WORLD = db.environments.two_swaps(300)
RUNS = 1_500


def play(checkpoint: Path | None = None, **changes: Any) -> db.Result:
    defaults: dict[str, Any] = {
        "policies": POLICIES,
        "world": WORLD,
        "horizon": 300,
        "runs": RUNS,
        "seed": 5,
        "checkpoints": 20,
    }
    return db.simulate(**{**defaults, **changes}, checkpoint=checkpoint)


@pytest.fixture(scope="module")
def undisturbed() -> db.Result:
    return play()


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The blocks that are really played from here on."""
    blocks: list[int] = []

    def noted(job: Any, block: int, *rest: Any) -> Any:
        blocks.append(block)
        return play_block(job, block, *rest)

    monkeypatch.setattr(executors, "play_block", noted)
    return blocks


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


def number(path: Path) -> int:
    return int(path.name.partition(".")[0])


def test_a_second_start_plays_nothing_again(
    tmp_path: Path, undisturbed: db.Result, played: list[int]
) -> None:
    folder = tmp_path / "new" / "folder"
    assert_same_bits(play(folder, workers=2), undisturbed)
    blocks = sorted(played)
    assert len(blocks) > 3
    assert [number(path) for path in files(folder)] == blocks
    played.clear()
    heard: list[tuple[int, int]] = []
    again = play(folder, progress=lambda done, total: heard.append((done, total)))
    assert_same_bits(again, undisturbed)
    assert played == []
    assert heard[-1] == (3 * 300 * RUNS, 3 * 300 * RUNS)


@pytest.mark.parametrize(
    ("before", "after", "again"),
    [
        (600, RUNS, range(4, 12)),  # the fifth block was not full
        (RUNS, 600, [4]),
        (200, RUNS, range(3, 24)),  # blocks stay at 64 lanes
        (20, RUNS, range(12)),  # one narrow block is not worth going on with
    ],
)
def test_a_job_goes_on_with_more_or_fewer_runs(
    tmp_path: Path,
    undisturbed: db.Result,
    played: list[int],
    before: int,
    after: int,
    again: Iterable[int],
) -> None:
    play(tmp_path, runs=before)
    played.clear()
    result = play(tmp_path, runs=after)
    assert sorted(played) == list(again)
    for label, outcome in result.outcomes.items():
        assert np.array_equal(outcome.regret, undisturbed[label].regret[:after])
    if after == RUNS:
        assert_same_bits(result, undisturbed)
    played.clear()
    play(tmp_path, runs=after)
    assert played == []


@pytest.mark.parametrize("width", ["wide", 0, -8, 12, 10**6, None])
def test_a_width_that_cannot_be_is_not_taken_over(
    tmp_path: Path, undisturbed: db.Result, width: Any
) -> None:
    play(tmp_path)
    document = json.loads((tmp_path / "job.json").read_text())
    (tmp_path / "job.json").write_text(json.dumps({**document, "width": width}))
    assert_same_bits(play(tmp_path), undisturbed)
    assert json.loads((tmp_path / "job.json").read_text()) == document


KILLED = """
import sys, time
import driftbandit as db

def progress(done, total):
    if done > total / 2:
        print("half", flush=True)
        time.sleep(600)

if __name__ == "__main__":
    policies = [db.UCB1(), db.EXP3S(0.1, 0.01), db.SlidingWindowUCB(30)]
    world = db.environments.two_swaps(300)
    db.simulate(policies, world, 300, 1_500, 5, workers=int(sys.argv[2]), checkpoints=20,
                checkpoint=sys.argv[1], progress=progress)
"""


def test_a_killed_simulation_goes_on_where_it_was(
    tmp_path: Path, undisturbed: db.Result, played: list[int]
) -> None:
    folder = tmp_path / "written"
    command = [sys.executable, "-c", KILLED, str(folder), "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running_one:
        assert running_one.stdout is not None
        assert running_one.stdout.readline() == "half\n"
        running_one.send_signal(signal.SIGKILL)
    written = {path: path.stat().st_mtime_ns for path in files(folder)}
    assert written
    with ThreadPoolExecutor(2) as executor:
        assert_same_bits(play(folder, executor=executor), undisturbed)
    total = make_job(POLICIES, WORLD, 300, RUNS, 5, 20).blocks
    assert set(played) == set(range(total)) - {number(path) for path in written}
    assert all(path.stat().st_mtime_ns == time for path, time in written.items())


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:],
    ],
    ids=["cut", "empty", "one bit"],
)
def test_a_damaged_block_is_played_again(
    tmp_path: Path,
    undisturbed: db.Result,
    played: list[int],
    damage: Callable[[bytes], bytes],
) -> None:
    play(tmp_path)
    before = files(tmp_path)
    victim, whole = before[1], before[1].read_bytes()
    victim.write_bytes(damage(whole))
    played.clear()
    assert_same_bits(play(tmp_path), undisturbed)
    assert played == [number(victim)]
    assert victim.read_bytes() == whole
    assert files(tmp_path) == before


def test_a_block_of_another_job_is_played_again(
    tmp_path: Path, undisturbed: db.Result, played: list[int]
) -> None:
    play(tmp_path / "one")
    play(tmp_path / "two", seed=6)
    first = files(tmp_path / "one")[0]
    first.unlink()
    other = files(tmp_path / "two")[0]
    other.rename(tmp_path / "one" / other.name)
    files(tmp_path / "two")[1].rename(tmp_path / "one" / first.name.replace("00.", "77."))
    played.clear()
    assert_same_bits(play(tmp_path / "one"), undisturbed)
    assert played == [number(first)]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"seed": 6}, "seed is 5 there and 6 here"),
        ({"horizon": 299}, "horizon is 300 there and 299 here"),
        ({"checkpoints": 21}, "checkpoints are 20 there and 21 here"),
        ({"checkpoints": [7, *range(30, 301, 15)]}, "checkpoints[0] is 15 there and 7 here"),
        ({"policies": POLICIES[:2]}, "policies are 3 there and 2 here"),
        (
            {"policies": (*POLICIES[:2], db.SlidingWindowUCB(31))},
            "policies[2].forget.window is 30 there and 31 here",
        ),
        (
            {"world": db.environments.Stationary((0.2, 0.8))},
            'world.kind is "driftbandit:environments.Piecewise" there and '
            '"driftbandit:environments.Stationary" here',
        ),
    ],
)
def test_a_folder_of_another_job_is_refused(
    tmp_path: Path, changes: dict[str, Any], line: str
) -> None:
    play(tmp_path, runs=RUNS)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(db.InputError, match=re.escape(line)) as caught:
        play(tmp_path, **changes)
    assert str(caught.value).startswith(f"checkpoint {tmp_path} holds another job: ")
    assert "\n" not in str(caught.value)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_another_version_of_the_code_is_another_job(tmp_path: Path) -> None:
    play(tmp_path)
    document = json.loads((tmp_path / "job.json").read_text())
    document["version"] = "0.0.9+abc"
    (tmp_path / "job.json").write_text(json.dumps(document))
    with pytest.raises(db.InputError, match=r'version is "0.0.9\+abc" there'):
        play(tmp_path)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("chapter one")
    with pytest.raises(db.InputError, match=r"checkpoint must be a new or empty folder.*job.json"):
        play(tmp_path)
    assert os.listdir(tmp_path) == ["thesis.txt"]
    for inside_a_file in ("thesis.txt", "thesis.txt/below"):
        with pytest.raises(db.InputError, match="cannot be read: Not a directory"):
            play(tmp_path / inside_a_file)
    for content in ("{", "[" * 100_000):
        (tmp_path / "job.json").write_text(content)
        with pytest.raises(db.InputError, match=r"cannot be read: job\.json is not JSON"):
            play(tmp_path)
    (tmp_path / "job.json").write_text("[1]")
    with pytest.raises(db.InputError, match=r"hold a job\.json that describes a job"):
        play(tmp_path)


def test_a_job_too_large_for_memory_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(db.InputError, match="runs must be fewer"):
        play(tmp_path / "a", runs=10**15)
    assert list(tmp_path.iterdir()) == []


def test_a_job_that_never_began_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(db.InputError, match="largest exponent"):
        play(tmp_path / "a" / "b", policies=db.EXP3P(confidence=4000, horizon=1))
    assert list(tmp_path.iterdir()) == []


def test_a_block_can_be_read_by_other_programs(tmp_path: Path, undisturbed: db.Result) -> None:
    play(tmp_path)
    frame = polars.read_parquet(files(tmp_path)[0])
    assert frame["policy"].to_list() == ["UCB-1", "EXP3.S", "SW-UCB"]
    regret = frame["regret"][2].to_numpy().reshape(-1, 20)
    assert np.array_equal(regret, undisturbed["SW-UCB"].regret[: len(regret)])


def test_a_long_world_is_told_by_its_hash() -> None:
    means = np.linspace(0.0, 1.0, 4_000).reshape(2_000, 2)
    job = make_job(POLICIES, db.environments.Table(means), None, 10, 0, 10)
    world = identity(job)["world"]
    assert set(world) == {"kind", "sha256"}
    other = make_job(POLICIES, db.environments.Table(means[::-1]), None, 10, 0, 10)
    assert identity(other)["world"]["sha256"] != world["sha256"]


TELL = """
import json
import driftbandit as db
from driftbandit.engine.job import make_job
from driftbandit.engine.identity import identity
from rule import Greedy
policy = db.Policy(explore=Greedy(), label="greedy")
job = make_job(policy, db.environments.Stationary((0.9, 0.1)), 100, 1, 0, 10)
print(json.dumps(identity(job)["rules"]))
"""


def test_an_edited_rule_is_another_rule_wherever_it_was_edited(tmp_path: Path) -> None:
    def rules_of(sign: float, constant: float, above: str = "") -> dict[str, str]:
        (tmp_path / "rule.py").write_text(above + RULE.format(sign=sign))
        (tmp_path / "constants.py").write_text(f"SIGN = {constant}")
        command = [sys.executable, "-B", "-c", TELL]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        rules: dict[str, str] = json.loads(done.stdout)
        return rules

    first = rules_of(1.0, 1.0)
    assert list(first) == ["rule:Greedy"]
    assert rules_of(1.0, 1.0, above="# a remark\n\n") == first
    assert rules_of(-1.0, 1.0) != first
    assert rules_of(1.0, -1.0) != first


def test_a_world_that_json_does_not_know_is_refused(tmp_path: Path) -> None:
    @dataclasses.dataclass(frozen=True)
    class Odd(db.environments.World):
        kinds: Any = frozenset({1})
        arms = 2

        def mean_rewards(self, first: int, last: int) -> Any:
            return np.full((last + 1 - first, 2), 0.5)

    with pytest.raises(db.InputError, match="world must survive JSON to be kept, Odd does not"):
        play(tmp_path / "kept", world=Odd())
    assert list(tmp_path.iterdir()) == []


class Unkept(db.environments.World):
    """It keeps a parameter that is no field."""

    arms = 2

    def __init__(self, best: float) -> None:
        super().__init__()
        object.__setattr__(self, "best", best)

    def mean_rewards(self, first: int, last: int) -> Any:
        return np.tile([0.1, vars(self)["best"]], (last - first + 1, 1))


class Jumping(db.environments.Piecewise):
    """It makes its fields from a number of its own."""

    def __init__(self, jump: float) -> None:
        super().__init__([11], [[0.5, 0.5 - jump], [0.5, 0.5 + jump]])


def test_what_a_folder_would_not_tell_apart_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(db.InputError, match=r"best of Unkept must be a field, of @dataclass"):
        db.simulate(db.UCB1(), Unkept(0.9), horizon=20, runs=2, checkpoint=tmp_path / "kept")
    assert db.simulate(db.UCB1(), Jumping(0.2), horizon=20, runs=2, checkpoint=tmp_path / "kept")
    with pytest.raises(db.InputError, match=r"world\.means"):
        db.simulate(db.UCB1(), Jumping(0.1), horizon=20, runs=2, checkpoint=tmp_path / "kept")
