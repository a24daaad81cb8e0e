"""A rule that cannot be compiled: one line names the function, the line and what is wrong."""

from __future__ import annotations

import dataclasses
import math
import random
import re
from typing import Any

import numba
import numpy as np
import pytest

import driftbandit as db
from driftbandit.engine import complaints

WORLD = db.environments.two_swaps(100)


@dataclasses.dataclass(frozen=True)
class Careless(db.Explore):
    """An index that uses a name that nobody has defined."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + skale / count  # type: ignore[name-defined, no-any-return]  # noqa: F821  # the mistake


@dataclasses.dataclass(frozen=True)
class Wordy(db.Explore):
    """An index that adds a number and a text."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + "wide"  # type: ignore[operator]  # the mistake


TABLE = {1: 2.0}


@dataclasses.dataclass(frozen=True)
class Tabled(db.Explore):
    """An index that reads a dictionary."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + TABLE[1] / count


def unbound() -> db.Explore:
    """Return a rule that reads a variable of this function, which has no value yet."""

    @dataclasses.dataclass(frozen=True)
    class Early(db.Explore):
        @staticmethod
        def index(mean: float, count: float, clock: float) -> float:
            return mean + later / count  # noqa: F821  # deleted below

    rule, later = Early(), 1.0
    del later
    return rule


class Helper:
    @staticmethod
    def half(x: float) -> float:
        return x / 2.0


class Halving(db.Explore):
    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + Helper.half(count)


class Clipped(db.Explore):
    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return float(np.clip(mean + 1.0 / count, 0.0, 1.0))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Careless(), r"Careless\.index uses 'skale', which is not defined \(line 27 of "),
        (
            Wordy(),
            r"Wordy\.index cannot be compiled: there is no compiled form of add\(.* \(line 3",
        ),
    ],
)
def test_a_complaint_names_function_and_line(rule: db.Explore, message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        db.simulate(db.Policy(explore=rule), WORLD, runs=8)
    assert re.match(message, str(caught.value))
    assert "\n" not in str(caught.value)
    assert "test_complaints.py)" in str(caught.value)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Tabled(), "a rule reads TABLE, a dict: make its numbers fields of the rule"),
        (Halving(), "a rule calls Helper, a type: write it as a plain function of a module, "),
        (Clipped(), "Clipped.index cannot be compiled: clip: Unknown attribute 'shape' of "),
        (unbound(), "unbound.<locals>.Early.index uses 'later', which is not defined (line "),
    ],
)
def test_a_name_that_cannot_be_compiled_is_named(rule: db.Explore, message: str) -> None:
    with pytest.raises(db.InputError) as caught:
        db.simulate(db.Policy(explore=rule), WORLD, runs=8)
    assert str(caught.value).startswith(message)


class Misspelt(db.Explore):
    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return float(math.sqroot(count))  # type: ignore[attr-defined]  # the mistake


class Importing(db.Explore):
    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        import cmath  # noqa: PLC0415  # the mistake

        return mean + abs(cmath.sqrt(count))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Misspelt(), r"Misspelt\.index uses 'math\.sqroot', which is not defined \(line "),
        (Importing(), r"a rule cannot be compiled: .*\(IMPORT_NAME\)"),
    ],
)
def test_functions_that_modules_lack_and_imports_are_one_line(
    rule: db.Explore, message: str
) -> None:
    with pytest.raises(db.InputError, match=message) as caught:
        db.simulate(db.Policy(explore=rule), WORLD, runs=8)
    assert "\n" not in str(caught.value)


draw, generator = np.random.rand, np.random.default_rng(0)  # the mistake


@db.compilable
def shaken(x: float) -> float:
    """A helper that draws."""
    return x * random.random()


@numba.njit
def compiled_shaken(x: float) -> float:
    """A helper that draws, compiled already."""
    return x * np.random.normal()  # noqa: NPY002  # the mistake


@pytest.mark.parametrize(
    ("index", "words"),
    [
        (lambda mean, count, clock: np.random.rand(), "draws from np.random.rand"),  # noqa: NPY002  # the mistake
        (lambda mean, count, clock: random.random(), "draws from random.random"),
        (lambda mean, count, clock: draw(), "draws from draw"),
        (lambda mean, count, clock: generator.random(), "draws from generator"),
        (lambda mean, count, clock: shaken(mean), "shaken draws from random.random"),
        (lambda mean, count, clock: compiled_shaken(mean), "compiled_shaken draws from np.random"),
    ],
)
def test_a_rule_draws_nothing_that_does_not_follow_the_seed(index: Any, words: str) -> None:
    rule = type("Noisy", (db.Explore,), {"index": staticmethod(index)})()
    with pytest.raises(db.InputError, match=rf"{words}.* does not follow the seed"):
        db.simulate(db.Policy(explore=rule), WORLD, runs=8)


def test_a_world_and_a_law_draw_nothing_either() -> None:
    class Walk(db.environments.World):
        arms, random = 2, True

        @staticmethod
        def path(means: Any, memory: Any, rng: Any, first: int, parameters: Any) -> None:
            means[:] = np.random.rand()  # noqa: NPY002  # the mistake

    class Coin(db.environments.laws.Law):
        @staticmethod
        def quantile(u: float, mean: float, parameters: Any) -> float:
            return 1.0 if random.random() < 0.0 or u > 1.0 - mean else 0.0

    for world in (Walk(), db.environments.Stationary((0.2, 0.8), law=Coin())):
        with pytest.raises(db.InputError, match="does not follow the seed"):
            db.simulate(db.UCB1(), world, horizon=20, runs=8)


def test_what_the_handler_of_a_signal_raises_is_not_laid_on_a_rule() -> None:
    with pytest.raises(TimeoutError, match="too late"), complaints.of_rules([Wordy.index]):
        raise TimeoutError("too late")
