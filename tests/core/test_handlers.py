"""What the handler of a signal raises is no fault of the code that it interrupts."""

from __future__ import annotations

import dataclasses
import functools
import signal
from collections.abc import Callable
from typing import Any

import pytest

import driftbandit as db
from driftbandit.engine import complaints
from driftbandit.environments import drawing


@dataclasses.dataclass(frozen=True)
class Slow(db.Explore):
    """An index that takes its time, so that a signal arrives in it."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        for _ in range(20_000):
            mean = mean + 0.0
        return mean + 1.0 / count


@dataclasses.dataclass(frozen=True)
class Strolling(db.environments.World):
    """A path that takes its time."""

    memory = 1
    arms: int = 2

    @staticmethod
    def path(means: Any, memory: Any, stream: Any, first: int, parameters: Any) -> None:
        for t in range(len(means)):
            for _ in range(20_000):
                means[t, 0] = 0.5
            means[t, 1] = 0.2


class Late(Exception):  # noqa: N818  # the name of a user
    """What the handler of a user raises."""


class Watch:
    """A handler that is an object."""

    def __call__(self, number: int, frame: Any) -> None:
        self.end()

    def end(self) -> None:
        raise Late


@pytest.mark.parametrize("handler", [Watch(), functools.partial(Watch.__call__, Watch())])
def test_a_signal_within_a_rule_is_no_fault_of_the_rule(handler: Any) -> None:
    policy = db.Policy(explore=Slow())
    agent = policy.agent(arms=3)
    for arm in range(3):
        agent.learn(arm, 0.5)

    def choose() -> None:
        while True:
            agent.choose()

    world = db.environments.two_swaps(horizon=200)

    def within_a_rule() -> None:
        with complaints.of_rules([Slow.index]):
            while True:
                Slow.index(0.5, 1.0, 1.0)

    calls: tuple[Callable[[], object], ...] = (
        within_a_rule,
        choose,
        lambda: db.rehearse(policy, world, runs=100),
        lambda: drawing.drawn(Strolling(), 10_000),
    )
    before = signal.signal(signal.SIGALRM, handler)
    try:
        for call in calls:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Late):
                call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert agent.choose() == 0
