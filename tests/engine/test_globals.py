"""Global names that a rule reads are frozen by the compiler: a later change is refused."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

import driftbandit as db
from driftbandit.engine import compiler

WIDTH = 3.0
best, sqrt = [1], "no function"
WORLD = db.environments.two_swaps(100)


@dataclasses.dataclass(frozen=True)
class Wide(db.Explore):
    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return mean + WIDTH / count


def test_a_global_that_changes_after_compiling_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = db.Policy(explore=Wide(), label="wide")
    before = db.trace(policy, WORLD)
    assert (db.trace(policy, WORLD) == before).all()
    monkeypatch.setitem(globals(), "WIDTH", 0.01)
    message = "WIDTH, which Wide.index reads, has changed from 3.0 to 0.01 since it was compiled"
    with pytest.raises(db.InputError, match=message):
        db.trace(policy, WORLD)
    monkeypatch.undo()
    assert (db.trace(policy, WORLD) == before).all()


def test_names_of_attributes_are_no_globals() -> None:
    """`state.best` and `math.sqrt` have nothing to do with variables of these names."""

    def alarm(state: Any, x: float) -> float:
        state.best = math.sqrt(x) + WIDTH
        return float(state.best)

    assert dict(compiler.globals_of(alarm)) == {"math.sqrt": math.sqrt, "WIDTH": 3.0, "float": None}
    assert (best, sqrt) == ([1], "no function")
