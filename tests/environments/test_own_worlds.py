"""A user's own world keeps to what the engine relies on, or is refused by name."""

from __future__ import annotations

import dataclasses
import random as standard
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import driftbandit as db
from driftbandit import environments as env
from driftbandit.core.random import uniform

HORIZON = 100


@dataclasses.dataclass(frozen=True)
class Fading(env.Stationary):
    """The arms swap, where the world of the package that it is made from stands still."""

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        rows = super().mean_rewards(first, last)
        late = np.arange(first, last + 1) > HORIZON // 2
        rows[late] = rows[late, ::-1]
        return rows


def test_other_means_than_those_of_the_parent_do_not_stand_still() -> None:
    world = Fading((0.0, 1.0))
    result = db.simulate(db.Oracle(), world, HORIZON, runs=2)
    assert (result["oracle"].plays == HORIZON // 2).all()
    assert world.find_breakpoints(HORIZON) == [HORIZON // 2 + 1]


@dataclasses.dataclass(frozen=True)
class Promising(Fading):
    """It says that no mean ever changes."""

    def steady(self, first: int, last: int) -> bool:
        return True


def test_a_promise_to_stand_still_that_is_not_kept_is_refused() -> None:
    with pytest.raises(db.InputError, match=r"steady\(1, 100\) of Promising must be False, since"):
        db.simulate(db.Oracle(), Promising((0.0, 1.0)), HORIZON, runs=2)


@dataclasses.dataclass(frozen=True)
class Walk(env.World):
    """A random world; what its path does is up to the subclass."""

    arms: int = 2
    horizon: int = HORIZON
    random = True
    memory = 1


@dataclasses.dataclass(frozen=True)
class Halfway(Walk):
    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:, 0] = uniform(rng)


@dataclasses.dataclass(frozen=True)
class Once(Walk):
    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:, 0] = uniform(rng)
        means[:, 1] = 0.5


@dataclasses.dataclass(frozen=True)
class Elsewhere(Walk):
    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:] = standard.random()


@dataclasses.dataclass(frozen=True)
class Beyond(Walk):
    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        for row in range(means.shape[0]):
            for arm in range(3):
                means[row, arm] = 0.5


@dataclasses.dataclass(frozen=True)
class FarBeyond(Walk):
    """It fails in a round that is not tried before."""

    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:] = 0.5
        for row in range(means.shape[0]):
            memory[(first + row) // 70] += 1.0


@dataclasses.dataclass(frozen=True)
class Broken(Walk):
    memory = 1.5  # type: ignore[assignment]

    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:] = 0.5


@pytest.mark.parametrize(
    ("world", "line"),
    [
        (Halfway(), r"Halfway\.path must set the mean of every arm .* arm 1 in round 1$"),
        (Halfway(horizon=3), r"Halfway\.path must set the mean of every arm"),
        (Once(), r"Once\.path must draw the same means .* those of round 9 differ"),
        (Elsewhere(), r"Elsewhere\.path draws from something which does not follow the seed"),
        (Beyond(), r"Beyond\.path fails for .*: IndexError: .*\(line \d+ of test_own_worlds\.py\)"),
        (FarBeyond(), r"FarBeyond\.path (has an index beyond the end of an array|fails for .*)$"),
        (Broken(), r"memory of Broken must be a whole number of at least 0, got 1\.5"),
    ],
)
def test_a_path_that_breaks_the_rules_is_refused(world: env.World, line: str) -> None:
    for play in (lambda: db.simulate(db.UCB1(), world, runs=2), world.realise):
        with pytest.raises(db.InputError, match=line):
            play()


@dataclasses.dataclass(frozen=True)
class Wrapped(Walk):
    """A product of whole numbers has over 64 bits, which compiled code has not."""

    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        for row in range(means.shape[0]):
            large = 4_000_000_000 * (first + row)
            means[row, 0] = large * large % 8_191 / 8_191
            means[row, 1] = 0.5


def test_a_path_that_counts_otherwise_compiled_is_refused() -> None:
    line = r"Wrapped\.path draws .* in round 2, and Wrapped\.path in plain Python \["
    with pytest.raises(db.InputError, match=line):
        db.simulate(db.UCB1(), Wrapped(), runs=2)


@dataclasses.dataclass(frozen=True)
class Unlike(Walk):
    """In lockstep it draws other means than alone."""

    @staticmethod
    def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:] = 0.5

    @staticmethod
    def lockstep(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
        means[:] = 0.4


def test_lockstep_that_is_not_the_path_is_refused() -> None:
    with pytest.raises(db.InputError, match=r"Unlike\.lockstep draws .* lockstep must draw what"):
        db.simulate(db.UCB1(), Unlike(), runs=2)
