"""Powers of whole numbers in code of a user's own: right as in Python, or refused."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

import driftbandit as db
from driftbandit.engine import trace

WORLD = db.environments.two_swaps(200)


@dataclasses.dataclass(frozen=True)
class Turns(db.Procedure):
    """It plays an arm that a power says."""

    noise: ClassVar[int] = 1

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Sequence[float]) -> int:
        power = t
        power **= 3
        return int(2 ** (t % 5) + power + 10.0 * 2.0 ** -(t % 3) + t**2) % arms

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float]
    ) -> None:
        pass


class Halves(Turns):
    """One half to the power of n, of whole numbers."""

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Sequence[float]) -> int:
        return 1 if noise[0] < 2 ** -(t % 3) else 0


class Large(Turns):
    """A power beyond 64 bits."""

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Sequence[float]) -> int:
        power = t
        power **= 9
        return power % arms


@dataclasses.dataclass(frozen=True)
class Halving(db.Explore):
    """A padding that halves."""

    @staticmethod
    def width(clock: float) -> float:
        return math.sqrt(2 ** -int(clock))


def test_powers_of_64_bits_are_those_of_python() -> None:
    arms = trace(Turns(label="turns"), WORLD, 200, runs=1)
    assert np.ravel(arms).tolist() == [Turns.choose(None, 3, t, [0.5]) for t in range(1, 201)]


@pytest.mark.parametrize(
    ("policy", "name"),
    [
        (Halves(label="halves"), "Halves.choose"),
        (Large(label="large"), "Large.choose"),
        (db.Policy(explore=Halving(), label="halving"), "Halving.width"),
    ],
)
def test_other_powers_are_refused_by_name(policy: db.Strategy, name: str) -> None:
    with pytest.raises(db.InputError, match=r"has a power of whole numbers that") as raised:
        db.simulate(policy, WORLD, runs=20)
    assert name in str(raised.value)
