"""A rule that cannot be compiled: one line names the function, the line and what is wrong."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest

import driftbandit as db

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


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Careless(), r"Careless\.index uses 'skale', which is not defined \(line 22 of "),
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
        (Tabled(), "a rule reads TABLE, a dict: make it a field of the rule"),
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
