"""Executors that break the promises of `concurrent.futures` are refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

import driftbandit as db

POLICIES = [db.SlidingWindowUCB(20), db.EXP3S(0.1, 0.01)]
WORLD = db.environments.Brownian()


class Misbehaving(Executor):
    """An executor that answers something of its own."""

    def __init__(self, answer: Callable[[Callable[[int], Any], int], Any]) -> None:
        self.answer = answer

    def submit(self, fn: Any, /, *arguments: Any, **named: Any) -> Any:
        return self.answer(fn, *arguments)


def finished(result: Any = None, error: Exception | None = None) -> Future[Any]:
    future: Future[Any] = Future()
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
    return future


def fails(error: Exception) -> Any:
    raise error


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (
            lambda fn, block: 5,
            db.InputError,
            "what executor.submit returns must be a Future, got 5",
        ),
        (lambda fn, block: finished(), db.InputError, "what the executor returns must be"),
        (lambda fn, block: finished([1]), db.InputError, "what the executor returns must be"),
        (lambda fn, block: finished(fn(block) * 2), db.InputError, "what the executor returns"),
        (
            lambda fn, block: finished(error=OSError("lost")),
            db.LostWorkersError,
            r"a worker of the executor failed \(OSError: lost\); nothing is kept",
        ),
        (
            lambda fn, block: fails(RuntimeError("shut down")),
            db.LostWorkersError,
            r"the executor takes no work \(RuntimeError: shut down\); nothing is kept",
        ),
    ],
)
def test_an_executor_that_misbehaves_is_named(
    answer: Callable[[Callable[[int], Any], int], Any], kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=words):
        db.simulate(POLICIES, WORLD, horizon=20, runs=40, executor=Misbehaving(answer))


def test_an_executor_that_was_shut_down_takes_no_work() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(db.LostWorkersError, match="the executor takes no work"):
        db.simulate(POLICIES, WORLD, horizon=20, runs=40, executor=pool)
