"""Policies that are small programs: what they are handed, live and compiled."""

from __future__ import annotations

import dataclasses
from collections.abc import MutableSequence, Sequence
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit import checks
from driftbandit.engine.job import STATE_NUMBERS, make_job

Memory = MutableSequence[float]


@dataclasses.dataclass(frozen=True)
class Greedy(db.Procedure):
    """ε-greedy with means that begin high; keeps the noise and rewards it is handed."""

    rate: float = 0.2
    first: float = 1.0

    def memory(self, arms: int) -> int:
        return 2 * arms + 3

    def draws(self, arms: int) -> int:
        return 1 + arms

    @staticmethod
    def start(memory: Memory, arms: int, rate: float, first: float) -> None:
        for k in range(arms):
            memory[k], memory[arms + k] = 1.0, first

    @staticmethod
    def choose(
        memory: Memory, arms: int, t: int, noise: Sequence[float], rate: float, first: float
    ) -> int:
        if noise[0] < rate:
            return min(int(noise[arms] * arms), arms - 1)
        best = 0
        for k in range(1, arms):
            best = k if memory[arms + k] > memory[arms + best] else best
        return best

    @staticmethod
    def learn(
        memory: Memory, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        rate: float, first: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        memory[arm] += 1.0
        memory[arms + arm] += (reward - memory[arms + arm]) / memory[arm]
        memory[2 * arms] += t * noise[0]
        memory[2 * arms + 1] = max(memory[2 * arms + 1], reward)


@dataclasses.dataclass(frozen=True)
class Turns(db.Procedure):
    """Arms in turn, from an offset: no memory to speak of, no noise."""

    offset: int = 0

    def memory(self, arms: int) -> int:
        return 0

    @staticmethod
    def choose(memory: Memory, arms: int, t: int, noise: Sequence[float], offset: float) -> int:
        return (t + int(offset) - 1) % 3

    @staticmethod
    def learn(
        memory: Memory, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        offset: float,
    ) -> None:  # fmt: skip
        pass


@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.__name__)
def test_a_procedure_passes_every_check(check: Any) -> None:
    check(Greedy(0.3, 0.5, bound=2.0))


def test_without_memory_or_noise() -> None:
    world = db.environments.Stationary([0.1, 0.2, 0.3])
    assert db.trace(Turns(1), world, horizon=5, runs=2).tolist() == [
        [k] * 2 for k in (1, 2, 0, 1, 2)
    ]


def test_rewards_are_shares_of_the_bound_and_noise_is_that_of_the_choice() -> None:
    live = Greedy(bound=4.0).learner(3)
    arm = live.choose(lambda: 0.25)
    assert live.choose(lambda: 0.75) == arm, "the noise of a round is drawn once"
    live.learn(arm, 2.0)
    assert live.memory[6:] == [0.25, 0.5, 0.0]
    live.learn(0, 4.0)
    assert 0.25 < live.memory[6] < 2.25  # noise of its own


def test_it_meets_the_noise_of_a_policy_stream() -> None:
    """Exploring at random always is the uniform player, which draws once a round."""

    @dataclasses.dataclass(frozen=True)
    class Random(Turns):
        noise = 1

        @staticmethod
        def choose(memory: Any, arms: int, t: int, noise: Any, offset: float) -> int:
            return min(int(noise[0] * arms), arms - 1)

    world = db.environments.Stationary([0.1, 0.2, 0.3])
    found, uniform = (
        db.trace(each, world, horizon=50, runs=9) for each in (Random(), db.Uniform())
    )
    assert np.array_equal(found, uniform)


def test_a_procedure_that_learns_while_it_chooses_is_caught() -> None:
    @dataclasses.dataclass(frozen=True)
    class Counting(Turns):
        def memory(self, arms: int) -> int:
            return 1

        @staticmethod
        def choose(memory: Memory, arms: int, t: int, noise: Sequence[float], offset: float) -> int:
            memory[0] += 1.0
            return 0

    with pytest.raises(AssertionError, match="round 1: choose changes the memory"):
        checks.check_policy(Counting())


def test_an_arm_that_does_not_exist_is_an_error_live_and_compiled() -> None:
    two = db.environments.Stationary([0.1, 0.2])
    with pytest.raises(db.InputError, match="arm of Turns in round 3 must lie in 0 to 1, got 2"):
        db.simulate(Turns(), two, horizon=6, runs=1)  # and again in round 6
    agent = Turns(offset=2).agent(arms=2)
    with pytest.raises(db.InputError, match="arm of Turns in round 1 must lie in 0 to 1, got 2"):
        agent.choose()


def test_a_long_memory_makes_narrow_blocks() -> None:
    @dataclasses.dataclass(frozen=True)
    class Large(Turns):
        def memory(self, arms: int) -> int:
            return STATE_NUMBERS // 16

    world = db.environments.Stationary([0.1, 0.2, 0.3])
    job = make_job([Large()], world, horizon=10, runs=1_000, seed=0, checkpoints=1)
    assert job.width == 16


def test_what_a_procedure_may_not_be() -> None:
    @dataclasses.dataclass(frozen=True)
    class Method(Turns):
        def choose(self, memory: Any) -> int:  # type: ignore[override]  # that is the point
            return 0

    @dataclasses.dataclass(frozen=True)
    class Half(Turns):
        def memory(self, arms: int) -> int:
            return 0.5  # type: ignore[return-value]  # that is the point

    @dataclasses.dataclass(frozen=True)
    class Blank(db.Procedure):
        pass

    @dataclasses.dataclass(frozen=True)
    class Idle(Blank):
        def memory(self, arms: int) -> int:
            return 1

    with pytest.raises(db.InputError, match=r"Blank must have a method memory\(self, arms\)"):
        Blank()
    with pytest.raises(db.InputError, match=r"Idle must have a staticmethod choose\(memory, arms"):
        Idle()
    with pytest.raises(db.InputError, match=r"Method\.choose must be a staticmethod of"):
        Method()
    with pytest.raises(db.InputError, match=r"Half\.memory must be a whole number"):
        Half().agent(arms=2)
    with pytest.raises(db.InputError, match="offset of Turns must be a number, got 'a'"):
        Turns("a")  # type: ignore[arg-type]  # that is the point
    with pytest.raises(db.InputError, match=r"bound must lie in \(0, inf\), got 0"):
        Turns(bound=0)
