"""Laws are compiled once, and called by the loops of all policies."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.core.lanes import LANES, LUCK, MEAN, REWARD, ROWS
from driftbandit.engine import first_use, rewards
from driftbandit.environments import laws
from driftbandit.environments.laws import Law


def stationary(law: Law) -> db.environments.World:
    return db.environments.Stationary([0.4, 0.5, 0.6], law=law)


def test_a_policy_is_compiled_once_for_all_laws() -> None:
    every: list[Law] = [laws.Bernoulli(), laws.Exact(), laws.Uniform(0.1)]
    for law in every:  # the laws themselves are compiled here
        db.simulate(db.Uniform(), stationary(law), horizon=20, runs=8)
    with first_use.counted() as count:
        for law in every:
            db.simulate(db.UCB1(xi=0.7), stationary(law), horizon=20, runs=8)
            if law is every[0]:
                count.number = 0
    assert count.number == 0


@pytest.mark.parametrize("law", [laws.Bernoulli(), laws.Exact(), laws.Uniform(0.1)])
def test_the_code_of_a_law_pays_what_the_law_says(law: Law) -> None:
    payer = rewards.payer_of(law)
    assert isinstance(payer.compiled().code, int)
    rows, luck = np.zeros(ROWS * LANES), np.random.default_rng(1).random(LANES)
    rows[LUCK : LUCK + LANES], rows[MEAN : MEAN + LANES] = luck, 0.4
    expected = [2.0 * law.reward(float(u), 0.4) for u in luck[:16]]
    for pay in (payer.code.compiled, payer.code.function):
        rows[REWARD : REWARD + LANES] = 0.0
        pay(rows, payer.parameters, LUCK, 16, 2.0)
        assert rows[REWARD : REWARD + 16].tolist() == expected
        assert not rows[REWARD + 16 : REWARD + LANES].any()


@dataclasses.dataclass(frozen=True)
class Strided(Law):
    """Its parameters are every second number of a list."""

    nested: bool = False

    def parameters(self) -> Any:
        numbers = np.array([0.25, 9.0, 0.75, 9.0])[::2]
        return numbers[None] if self.nested else numbers

    @staticmethod
    def quantile(u: float, mean: float, parameters: Any) -> float:
        return float(mean * (parameters[0] + parameters[1]))


def test_parameters_may_be_any_list_of_numbers() -> None:
    policy = db.UCB1(xi=0.0)
    arms = db.trace(policy, stationary(Strided()), horizon=50, runs=8)
    assert (arms[3:] == 2).all()
    with pytest.raises(db.InputError, match="parameters of Strided must be a list of numbers"):
        rewards.payer_of(Strided(nested=True))


@dataclasses.dataclass(frozen=True)
class Broken(Law):
    """Fails wherever it is tried."""

    @staticmethod
    def quantile(u: float, mean: float, parameters: Any) -> float:
        return mean / float(parameters[7])


def test_a_law_that_fails_is_named() -> None:
    with pytest.raises(db.InputError, match=r"^Broken.quantile fails for u = .*: IndexError"):
        db.simulate(db.UCB1(), stationary(Broken()), horizon=50, runs=8)


@dataclasses.dataclass(frozen=True)
class Picky(Law):
    """Refuses a mean that `simulate` does not try beforehand."""

    @staticmethod
    def quantile(u: float, mean: float, parameters: Any) -> float:
        if 0.45 < mean < 0.49:
            raise ValueError("not this mean")
        return mean


def test_an_error_in_a_law_reaches_the_caller() -> None:
    world = db.environments.Stationary([0.4, 0.47, 0.6], law=Picky())
    with pytest.raises(ValueError, match="not this mean"):
        db.simulate(db.UCB1(), world, horizon=20, runs=8)
    good = db.environments.Stationary([0.4, 0.44, 0.6], law=Picky())
    assert db.simulate(db.UCB1(), good, horizon=20, runs=8)["UCB-1"].final_regret.min() > 0.0
