"""Blocks are played anywhere, a few at a time, and come out the same."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import os
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.engine import executors
from driftbandit.engine.block import play_block
from driftbandit.engine.job import Job, make_job
from driftbandit.engine.player import Piece
from driftbandit.policies import CATALOGUE
from same_bits import assert_same_bits

POLICIES = [db.SlidingWindowUCB(20), db.EXP3S(0.1, 0.01)]
WORLD = db.environments.Brownian()


def processes(number: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(number, mp_context=get_context("spawn"))


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, processes])
def test_an_executor_gives_the_same_bits(pool: Callable[[int], Executor]) -> None:
    here = db.simulate(POLICIES, WORLD, horizon=300, runs=700, seed=1, workers=1)
    heard: list[tuple[int, int]] = []
    with pool(2) as executor:
        there = db.simulate(
            POLICIES,
            WORLD,
            horizon=300,
            runs=700,
            seed=1,
            executor=executor,
            progress=lambda done, total: heard.append((done, total)),
        )
    assert_same_bits(here, there)
    assert heard[-1] == (420_000, 420_000)
    assert [done for done, _ in heard] == sorted({done for done, _ in heard})


@pytest.mark.parametrize("place", [0, 1])
def test_a_block_that_fails_stops_the_others(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever it is: the other block, waited for in order, would never have come to an end."""

    def endless(job: Job, block: int, tick: Callable[[int], None]) -> list[Piece]:
        if block == place:
            raise KeyboardInterrupt
        for _ in range(10_000):
            tick(1)
            time.sleep(0.001)
        raise AssertionError("this block was never stopped")

    monkeypatch.setattr(executors, "play_block", endless)
    with pytest.raises(KeyboardInterrupt):
        db.simulate(db.UCB1(), WORLD, horizon=10, runs=512, workers=2)


class Patient(Executor):
    """Plays a block only when somebody waits and nothing more is handed in."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.most = 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, lambda: function(*args, **kwargs)))
        self.most = max(self.most, len(self.waiting))
        return future

    def play(self, *_: object, **__: object) -> Any:
        """Finish the last block handed in, in place of `concurrent.futures.wait`."""
        future, call = self.waiting.pop()
        future.set_result(call())
        return type("Waited", (), {"done": {future}})


def test_few_blocks_are_on_their_way_and_order_does_not_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = db.simulate(POLICIES, WORLD, horizon=20, runs=5_000, workers=1)
    executor = Patient()
    monkeypatch.setattr(executors, "wait", executor.play)
    there = db.simulate(POLICIES, WORLD, horizon=20, runs=5_000, executor=executor, workers=2)
    assert executor.most == 2 * executors.AHEAD
    assert_same_bits(here, there)


def test_blocks_on_their_way_are_called_back_after_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object, **__: object) -> Any:
        future, _call = executor.waiting.pop()
        future.set_exception(RuntimeError("a fault"))
        return type("Waited", (), {"done": {future}})

    executor = Patient()
    monkeypatch.setattr(executors, "wait", failing)
    with pytest.raises(RuntimeError, match="a fault"):
        db.simulate(POLICIES, WORLD, horizon=20, runs=5_000, executor=executor, workers=2)
    assert len(executor.waiting) == 2 * executors.AHEAD - 1
    assert all(future.cancelled() for future, _ in executor.waiting)


def test_a_block_travels_as_kilobytes() -> None:
    policies = []
    for preset in CATALOGUE.values():
        with contextlib.suppress(TypeError):  # it has parameters without a default
            policies.append(preset())
    policies = [policy for policy in policies if not isinstance(policy, db.linear.LinearPolicy)]
    assert len(policies) >= 4
    worlds = [db.environments.two_swaps(), db.environments.periodic(), db.environments.Brownian()]
    for world in worlds:
        job = make_job(policies, world, 10_000, 10**6, 0, 200)
        assert len(pickle.dumps((executors.play_packed, executors.packed(job), 0))) < 8_192


def test_what_a_job_has_looked_up_does_not_travel() -> None:
    job = make_job(POLICIES, db.environments.two_swaps(), 5_000, 1, 0, 10)
    before = executors.packed(job)
    play_block(job, 0)
    assert job.means
    assert executors.packed(job) == before


def test_a_job_that_cannot_travel_is_refused_in_one_line() -> None:
    @dataclasses.dataclass(frozen=True)
    class Here(db.environments.World):
        arms = 2

        def mean_rewards(self, first: int, last: int) -> Any:
            return np.full((last + 1 - first, 2), 0.5)

    with pytest.raises(db.InputError, match="must be picklable to be played elsewhere") as caught:
        db.simulate(POLICIES, Here(), horizon=10, runs=10, executor=Patient())
    assert "\n" not in str(caught.value)
    with ThreadPoolExecutor(1) as threads:  # which need not pack anything
        db.simulate(POLICIES, Here(), horizon=10, runs=10, executor=threads)


MAIN = """
import dataclasses, sys
import driftbandit as db
from driftbandit.engine.job import make_job
from driftbandit.engine.executors import packed

@db.compilable
def double(x):
    return 2.0 * x

@dataclasses.dataclass(frozen=True)
class Mine(db.Explore):
    scale: float = 0.5

    @staticmethod
    def index(mean, count, clock, scale):
        return double(mean) + scale

policy = db.Policy(explore=Mine(), label="mine")
job = make_job(policy, db.environments.two_swaps(), 100, 10, 0, 10)
sys.stdout.buffer.write(packed(job))
"""


def test_rules_of_a_script_or_notebook_travel_by_value() -> None:
    done = subprocess.run([sys.executable, "-c", MAIN], capture_output=True, check=True)
    explore: Any = pickle.loads(done.stdout).policies[0].explore
    assert type(explore).__name__ == "Mine"
    assert explore.index(0.25, 1.0, 1.0, 0.5) == 1.0
    assert "compilable" in vars(explore.index.__globals__["double"])
    explore.check()


def test_a_dead_process_pool_is_one_line_that_says_what_is_kept(tmp_path: Path) -> None:
    with processes(1) as executor:
        deadly: list[Any] = []

        def kill(done: int, total: int) -> None:
            if not deadly:  # from within: killed from outside it may hold the lock of a queue
                deadly.append(executor.submit(os._exit, 1))

        with pytest.raises(db.LostWorkersError) as caught:
            db.simulate(
                POLICIES,
                WORLD,
                horizon=300,
                runs=3_000,
                executor=executor,
                workers=1,  # so that blocks are left to hand in when the first comes back
                checkpoint=tmp_path,
                progress=kill,
            )
    assert "BrokenProcessPool" in str(caught.value)
    assert f"blocks that were finished are kept in {tmp_path}: start again" in str(caught.value)
    assert "\n" not in str(caught.value)
    with processes(1) as executor:
        with pytest.raises(BrokenExecutor):
            executor.submit(os._exit, 1).result()
        with pytest.raises(db.LostWorkersError, match="nothing is kept: give a checkpoint folder"):
            db.simulate(POLICIES, WORLD, horizon=300, runs=10, executor=executor)


class KilledWorker(Exception):  # noqa: N818  # named as Dask names it
    """What Dask raises for a block whose workers died again and again."""

    __module__ = "distributed.scheduler"


@pytest.mark.parametrize(
    ("fail", "line"),
    [
        (lambda future: future.set_exception(KilledWorker("block\n 3")), "KilledWorker: block 3"),
        (lambda future: future.cancel(), "the executor lost its workers (CancelledError)"),
    ],
)
def test_a_cluster_that_gives_up_is_one_line(
    fail: Callable[[Future[Any]], object], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> Any:
        future, _call = executor.waiting.pop()
        fail(future)
        return type("Waited", (), {"done": {future}})

    executor = Patient()
    monkeypatch.setattr(executors, "wait", failing)
    with pytest.raises(db.LostWorkersError, match=re.escape(line)):
        db.simulate(POLICIES, WORLD, horizon=20, runs=500, executor=executor)


MISSPELT = """
import dataclasses
import driftbandit as db


@dataclasses.dataclass(frozen=True)
class Misspelt(db.Detect):
    state = db.State("up")

    @staticmethod
    def alarm(state, reward, count):
        state.upp = reward
        return False
"""


def test_a_rule_that_cannot_be_compiled_elsewhere_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "misspelt.py").write_text(MISSPELT)
    monkeypatch.syspath_prepend(tmp_path)
    rule = importlib.import_module("misspelt").Misspelt()
    with (
        processes(1) as pool,
        pytest.raises(db.InputError, match=r"uses state\.upp, which its state does not declare"),
    ):
        db.simulate(db.Policy(detect=rule), WORLD, horizon=10, runs=10, executor=pool)
