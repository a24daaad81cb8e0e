"""Global names that a rule reads are frozen by the compiler: a later change is refused."""

from __future__ import annotations

import dataclasses

import pytest

import driftbandit as db

WIDTH = 3.0
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
