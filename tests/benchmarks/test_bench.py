"""What is measured and how it is told; never how long anything took."""

from __future__ import annotations

import json
import random
import sys
import types
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from benchmarks import peers, yardsticks
from benchmarks.peers import mabwiser, pymab, river, smpybandits
from driftbandit.bench import rounds, starting
from driftbandit.bench.measure import measure
from driftbandit.bench.plain import PLAYERS
from driftbandit.bench.plan import Plan, paper_policies
from driftbandit.bench.recipe import recipe
from driftbandit.bench.yardstick import PLAIN, Absent, Live, Stepwise, play
from given import compiled_arms

TINY = Plan(arms=(3, 5), threads=(1, 2), runs=4, horizon=40, repeats=2, start=False, long=0.0)
PAPER = ["UCB-1", "EXP3.S", "D-UCB", "SW-UCB"]


def test_there_is_a_row_for_every_policy_number_of_arms_and_contender() -> None:
    report = measure(TINY, [yardsticks.NumPy(), Absent("river", "not installed")])
    assert report["absent"] == {"river": "not installed"}
    assert set(report["load"]) == {"before", "after"}
    keys = [(row["policy"], row["arms"], row["who"], row["threads"]) for row in report["rounds"]]
    ours = [(rounds.OURS, 1), (rounds.OURS, 2), (PLAIN.name, 1), (Live().name, 1)]
    few, many = [*ours, ("NumPy, 500 runs", 1)], ours
    assert keys == [(label, 3, *who) for label in PAPER for who in few] + [
        (label, 5, *who) for label in PAPER for who in many
    ]
    for row in report["rounds"]:
        assert row["failure"] is None
        for spread in (row["ns"], row["ratio"]):
            assert 0.0 < spread["low"] <= spread["median"] <= spread["high"]
    assert json.loads(json.dumps(report)) == report


def test_ratios_are_paired_turn_by_turn() -> None:
    clock = iter([1.0, 10.0, 2.0, 40.0])
    turns: list[int] = []
    other = rounds.Contender("other")
    timed = {rounds.BASE: lambda: next(clock), other: lambda: next(clock)}
    times, failures = rounds.interleaved(timed, 2, turns.append)
    assert turns == [0, 1]
    assert rounds.ratios(times[other], times[rounds.BASE]) == [10.0, 20.0]
    assert not failures


def test_the_fault_of_another_program_is_told_and_ours_is_raised() -> None:
    def broken() -> float:
        raise ZeroDivisionError("no arms")

    timed = {rounds.BASE: lambda: 1.0, rounds.Contender("other"): broken}
    times, failures = rounds.interleaved(timed, 3, lambda _: None)
    assert times == {rounds.BASE: [1.0, 1.0, 1.0]}
    assert failures == {rounds.Contender("other"): "ZeroDivisionError: no arms"}
    with pytest.raises(ZeroDivisionError):
        rounds.interleaved({rounds.BASE: broken}, 1, lambda _: None)


def test_a_slow_program_is_not_timed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PATIENCE", 0.0)
    times, _ = rounds.interleaved({rounds.Contender("slow"): lambda: 1.0}, 5, lambda _: None)
    assert times == {rounds.Contender("slow"): [1.0]}


def test_a_policy_of_ones_own_is_measured_without_yardsticks() -> None:
    mine = db.Policy(explore=db.UCBVariance(), label="mine")
    assert recipe(mine) is None
    plan = Plan(lambda _: [mine], (3,), (1,), 4, 40, 1, start=False, long=0.0)
    names = [row["who"] for row in measure(plan, [yardsticks.NumPy()])["rounds"]]
    assert names == [rounds.OURS, Live().name]


def test_threads_are_compared_in_one_job() -> None:
    report = measure(Plan(arms=(3,), runs=4, horizon=40, repeats=1, start=False, long=1e-4))
    one, two = report["threads"]
    assert (one["threads"], two["threads"]) == (1, 2)
    assert one["runs"] == two["runs"] > 0
    assert one["gain"]["median"] == 1.0


@pytest.mark.parametrize("arms", [3, 10])
@pytest.mark.parametrize("label", ["UCB-1", "D-UCB", "SW-UCB"])
def test_the_plain_loop_decides_as_the_engine(label: str, arms: int) -> None:
    (policy,) = (policy for policy in paper_policies(arms) if policy.label == label)
    draws = np.random.default_rng(1).random((3_000, arms))  # no two indices are ever equal
    found = recipe(policy)
    assert found is not None
    choose, learn = PLAYERS[found.kind](arms, **found.numbers)
    played = []
    for row in draws.tolist():
        played.append(choose())
        learn(played[-1], row[played[-1]])
    assert played == compiled_arms(policy, draws.tolist())


def test_the_plain_exp3s_has_the_engines_probabilities() -> None:
    policy = paper_policies(3)[1]
    found = recipe(policy)
    assert found is not None
    random.seed(1)
    world = db.environments.two_swaps()
    regrets = db.simulate(policy, world, runs=200, seed=1).outcomes["EXP3.S"].final_regret
    means = world.mean_rewards(1, 10_000)
    rows, tops = means.tolist(), means.max(axis=1).tolist()
    mine = [
        play(PLAYERS["exp3.s"](3, **found.numbers), rows, tops, random.random) for _ in range(30)
    ]
    assert abs(np.mean(mine) - regrets.mean()) < 4.0 * regrets.std() / np.sqrt(30)


def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    cold, warm = (starting.first(str(tmp_path), 2, 20, policies=1) for _ in range(2))
    assert cold["compilations"] > 0
    assert warm["compilations"] == 0
    assert set(cold) == {"seconds", "compilations", "imported", "peak"}
    assert cold["peak"] >= cold["imported"] > 0


# --- other libraries, as far as they can be imitated ----------------------------------------------


class Recorder:
    """Stands for a policy of a library: remembers how it was made and what it learned."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.made, self.learned = (args, kwargs), 0

    def choose(self, *_: Any, **__: Any) -> int:
        return self.learned % 3

    def learn(self, *_: Any, **__: Any) -> None:
        self.learned += 1

    pull = choice = predict = select_action = choose
    update = getReward = partial_fit = learn  # noqa: N815  # SMPyBandits calls it so

    def fit(self, arms: list[int], rewards: list[float]) -> None:
        assert len(arms) == len(rewards)

    def startGame(self) -> None:
        assert self.learned == 0


def fake(monkeypatch: pytest.MonkeyPatch, name: str, **content: Any) -> None:
    """Put a module and the packages above it in place of a library."""
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        module = types.ModuleType(".".join(parts[:depth]))
        module.__path__, module.__spec__ = [], ModuleSpec(module.__name__, None)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    vars(sys.modules[name]).update(content)


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """All four libraries, as recorders."""
    fake(monkeypatch, "river.bandit", UCB=Recorder)
    names = ("UCBPolicy", "DiscountedUCBPolicy", "SlidingWindowUCBPolicy")
    fake(monkeypatch, "pymab.policies", **dict.fromkeys(names, Recorder))
    more = ("UCBalpha", "Exp3S", "DiscountedUCB", "SWUCB")
    fake(monkeypatch, "SMPyBandits.Policies", **dict.fromkeys(more, Recorder))
    rules = types.SimpleNamespace(UCB1=Recorder)
    fake(monkeypatch, "mabwiser.mab", MAB=Recorder, LearningPolicy=rules)
    monkeypatch.setattr("importlib.metadata.version", lambda _: "1.0")


@pytest.mark.usefixtures("libraries")
@pytest.mark.parametrize(
    ("adapter", "labels"),
    [(river, PAPER[:1]), (pymab, ["UCB-1", "D-UCB", "SW-UCB"]), (smpybandits, PAPER),
     (mabwiser, PAPER[:1])],
)  # fmt: skip
def test_an_adapter_plays_what_its_library_has(
    adapter: types.ModuleType, labels: list[str]
) -> None:
    found = peers.peer(adapter)
    assert isinstance(found, Stepwise)
    assert found.name == f"{adapter.NAME} 1.0"
    means = TINY.world(3).mean_rewards(1, 20)
    known = [policy for policy in paper_policies(3) if found.knows(policy, means)]
    assert [policy.label for policy in known] == labels
    for policy in known:
        assert found.seconds(policy, means) > 0.0


def test_an_adapter_without_its_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for adapter in peers.ADAPTERS:
        monkeypatch.setitem(sys.modules, adapter.NAME, None)
    assert peers.found() == [Absent(adapter.NAME, "not installed") for adapter in peers.ADAPTERS]


def test_a_library_that_cannot_be_imported_is_told_apart() -> None:
    def players() -> None:
        raise ImportError("cannot import name 'gone'")

    adapter = types.SimpleNamespace(NAME="json", players=players)
    found = peers.peer(adapter)  # type: ignore[arg-type]  # as good as a module
    assert found == Absent("json", "cannot be imported: cannot import name 'gone'")


def test_the_native_program_plays_only_the_first_experiment() -> None:
    (policy, *_), native = paper_policies(3), yardsticks.Native()
    assert native.knows(policy, Plan().world(3).mean_rewards(1, 4_003))
    assert not native.knows(policy, TINY.world(3).mean_rewards(1, 40))
    assert not native.knows(policy, Plan().world(10).mean_rewards(1, 4_010))


# --- the command ----------------------------------------------------------------------------------

WORDS = ["--arms", "3", "--threads", "1", "--runs", "4", "--horizon", "40", "--repeats", "1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*words: str) -> object:
    from driftbandit.cli import main  # noqa: PLC0415  # as a shell does

    with pytest.raises(SystemExit) as ended:
        main(["bench", *words])
    return ended.value.code


def test_the_command_prints_tables_and_writes_all(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--quick", *WORDS, "--out", "here") == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert lines[0].startswith("nanoseconds a round of simulate: 40 rounds, runs: 4 with 3 arms")
    assert lines[1].split()[:4] == ["policy", "arms", "1", "thread"]
    assert [line.split()[0] for line in lines[2:6]] == PAPER
    assert sorted(path.name for path in (folder / "here").iterdir()) == [
        "bench.json", "bench.png", "bench.svg",
    ]  # fmt: skip
    written = json.loads((folder / "here" / "bench.json").read_text())
    assert written["repeats"] == 1
    assert {row["policy"] for row in written["rounds"]} == set(PAPER)


def test_json_is_all_there_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--quick", *WORDS, "--json", "--policy", "ucb-1(xi=0.6)") == 0
    content = json.loads(capsys.readouterr().out)
    assert [row["who"] for row in content["rounds"]] == [rounds.OURS, PLAIN.name, Live().name]
    assert all((folder / path).exists() for path in content["files"])


def test_every_part_of_a_report_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cost = {"seconds": 2.0, "compilations": 7, "imported": 2**20, "peak": 3 * 2**20}
    start = {"python": 0.1, "import": 0.2, "help": 0.3, "runs": 9, "cold": cost, "warm": cost}
    monkeypatch.setattr(starting, "start", lambda: start)
    monkeypatch.setattr(starting, "memory", lambda: {"runs": 100_000, **cost})
    assert command(*WORDS, "--threads", "1,2", "--memory") == 0
    printed = capsys.readouterr().out
    assert "first result, cold  2.00 s         7        3 MiB" in printed
    assert "100,000 runs: 3 MiB, 2 s" in printed
    assert "one long job: " in printed


def test_yardsticks_come_from_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine_here").mkdir()
    (folder / "mine_here" / "yardsticks.py").write_text(
        "from driftbandit.bench.yardstick import Absent, Stepwise\n"
        "def players(arms, xi): return (lambda: 0), (lambda arm, reward: None)\n"
        "def yardsticks(): return [Stepwise('lazy', {'ucb-1': players}), Absent('b', 'no')]\n"
    )
    assert command("--quick", *WORDS, "--yardsticks", "mine_here") == 0
    printed = capsys.readouterr().out
    assert "lazy" in printed
    assert "b: no" in printed


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--arms", "3,x"], "arms must be a whole number of at least 2, got 'x'"),
        (["--arms", "1"], "arms must be a whole number of at least 2, got 1"),
        (["--threads", "0"], "threads must be a whole number of at least 1, got 0"),
        (["--repeats", "0"], "repeats must be a whole number of at least 1, got 0"),
        (["--horizon", "500"], "horizon must be more than 1000 arms, got 500"),
        (["--policy", "ucb-7"], "policy must be one of"),
        (["--yardsticks", "none"], "yardsticks must be a folder with a file yardsticks.py"),
    ],
)
def test_bad_usage_is_one_line_and_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], line: str
) -> None:
    assert command(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"driftbandit: {line}")
    assert len(err.splitlines()) == 1
    assert list(folder.iterdir()) == []
