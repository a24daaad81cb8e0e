"""Yardsticks play the same policies as the engine, and other libraries through adapters."""

from __future__ import annotations

import random
import sys
import types
from importlib.machinery import ModuleSpec
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from benchmarks.speed.plan import Plan, paper_policies
from benchmarks.yardsticks import catalogue, peers
from benchmarks.yardsticks.peers import mabwiser, pymab, river, smpybandits
from benchmarks.yardsticks.plain import PLAYERS
from benchmarks.yardsticks.recipe import recipe
from benchmarks.yardsticks.yardstick import Absent, Stepwise, play
from common import compiled_arms

PAPER = ["UCB-1", "EXP3.S", "D-UCB", "SW-UCB"]


@pytest.mark.parametrize("arms", [3, 10])
@pytest.mark.parametrize("label", ["UCB-1", "D-UCB", "SW-UCB"])
def test_the_plain_loop_decides_as_the_engine(label: str, arms: int) -> None:
    (policy,) = (policy for policy in paper_policies(arms) if policy.label == label)
    draws = np.random.default_rng(1).random((3_000, arms))  # no two indices are ever equal
    kind, numbers = recipe(policy) or ("", {})
    choose, learn = PLAYERS[kind](arms, **numbers)
    played = []
    for row in draws.tolist():
        played.append(choose())
        learn(played[-1], row[played[-1]])
    assert played == compiled_arms(policy, draws.tolist())


def test_the_plain_exp3s_has_the_engines_probabilities() -> None:
    policy = paper_policies(3)[1]
    _, numbers = recipe(policy) or ("", {})
    random.seed(1)
    world = db.environments.two_swaps()
    regrets = db.simulate(policy, world, runs=200, seed=1).outcomes["EXP3.S"].final_regret
    means = world.mean_rewards(1, 10_000)
    rows, tops = means.tolist(), means.max(axis=1).tolist()
    mine = [play(PLAYERS["exp3.s"](3, **numbers), rows, tops, random.random) for _ in range(30)]
    assert abs(np.mean(mine) - regrets.mean()) < 4.0 * regrets.std() / np.sqrt(30)


# --- other libraries, as far as they can be imitated ----------------------------------------------


class Recorder:
    """Stands for a policy of a library: counts what it learns."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.learned = 0

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
    library = peers.library(adapter)
    assert isinstance(library, Stepwise)
    assert library.name == f"{adapter.NAME} 1.0"
    means = Plan(horizon=40).world(3).mean_rewards(1, 20)
    able = [policy for policy in paper_policies(3) if library.knows(policy, means)]
    assert [policy.label for policy in able] == labels
    for policy in able:
        assert library.seconds(policy, means) > 0.0


def test_an_adapter_without_its_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for adapter in peers.ADAPTERS:
        monkeypatch.setitem(sys.modules, adapter.NAME, None)
    assert peers.libraries() == [
        Absent(adapter.NAME, "not installed") for adapter in peers.ADAPTERS
    ]


def test_a_library_that_cannot_be_imported_is_told_apart() -> None:
    def players() -> None:
        raise ImportError("cannot import name 'gone'")

    adapter = types.SimpleNamespace(NAME="json", players=players)
    library = peers.library(adapter)  # type: ignore[arg-type]  # as good as a module
    assert library == Absent("json", "cannot be imported: cannot import name 'gone'")


def test_the_native_program_plays_only_the_first_experiment() -> None:
    (policy, *_), native = paper_policies(3), catalogue.Native()
    assert native.knows(policy, Plan().world(3).mean_rewards(1, 4_003))
    assert not native.knows(db.Thompson(), Plan().world(3).mean_rewards(1, 4_003))
    assert not native.knows(policy, Plan(horizon=40).world(3).mean_rewards(1, 40))
    assert not native.knows(policy, Plan().world(10).mean_rewards(1, 4_010))
