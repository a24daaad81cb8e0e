"""Procedures of a user's own that return what they should not: refused, live and compiled."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import driftbandit as db

WORLD = db.environments.two_swaps(100)


@dataclasses.dataclass(frozen=True)
class Half(db.Procedure):
    part: float = 0.5

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Sequence[float], part: float) -> Any:
        return part * t

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Any, part: float
    ) -> Any:
        return None


def test_an_arm_that_is_no_whole_number_is_refused_live_and_compiled() -> None:
    words = "arm of half in round 1 must be a whole number from 0 to 2, got 0.5"
    with pytest.raises(db.InputError, match=words):
        db.simulate(Half(label="half"), WORLD, runs=2)
    with pytest.raises(db.InputError, match=words):
        Half(label="half").agent(arms=3).choose()


@pytest.mark.parametrize("answer", [None, (1, 0.5), "1", float("nan"), 3])
def test_what_is_no_arm_is_refused_live(answer: Any) -> None:
    class Answering(Half):
        @staticmethod
        def choose(state: Any, arms: int, t: int, noise: Sequence[float], part: float) -> Any:
            return answer

    with pytest.raises(db.InputError, match=r"must be a whole number from 0 to 2, got "):
        Answering(label="x").agent(arms=3).choose()


@pytest.mark.parametrize("answer", [np.int64(1), 1.0, True, np.float64(1.0)])
def test_an_arm_may_be_any_whole_number(answer: Any) -> None:
    class Answering(Half):
        @staticmethod
        def choose(state: Any, arms: int, t: int, noise: Sequence[float], part: float) -> Any:
            return answer

    arm = Answering(label="x").agent(arms=3).choose()
    assert (arm, type(arm)) == (1, int)


@dataclasses.dataclass(frozen=True)
class Returning(Half):
    run_state = db.State("sum")
    arm_state = db.State("sum")

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Sequence[float], part: float) -> Any:
        return t % arms

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Any, part: float
    ) -> Any:
        state.run.sum += reward
        return state


def test_a_state_that_is_returned_is_one_line() -> None:
    with pytest.raises(db.InputError, match="it returns a state, which choose, learn and start"):
        db.simulate(Returning(label="r"), WORLD, runs=2)


def test_noise_is_a_number_of_draws() -> None:
    class Noisy(Half):
        noise = "2"  # type: ignore[assignment]  # the mistake

    with pytest.raises(db.InputError, match=r"Noisy.noise must be a whole number"):
        Noisy(label="x")
