"""Every policy plays the arms that are on record, and its regrets are the same to twelve digits.

A row that differs is a bug, unless the change was meant; then `fingerprint.record` writes it anew.
"""

from __future__ import annotations

import numpy as np
import pytest

from driftbandit.policies import CATALOGUE
from fingerprint.record import DATA, Fingerprint, load, play
from fingerprint.rows import ROWS, Row, rows_by_policy

TOLERANCE = 1e-12


def difference(played: Fingerprint, recorded: Fingerprint) -> str:
    """Return what is not as it was, or nothing."""
    if len(played.regrets) != len(recorded.regrets):
        return f"{len(played.regrets)} runs, on record are {len(recorded.regrets)}"
    now, before = np.array(played.regrets), np.array(recorded.regrets)
    apart = np.abs(now - before)
    run = int(np.argmax(apart))
    regrets = f"regrets differ by up to {apart[run]:.3g}, in run {run}"
    if played.arms != recorded.arms:
        return f"other arms were played; {regrets}"
    close = apart <= TOLERANCE * np.maximum(1.0, np.abs(before))
    return "" if close.all() else f"the same arms were played, but {regrets}"


def case(row: Row) -> object:
    """Return a row as a case of a test, slow unless it is one of the quick ones."""
    return pytest.param(row, id=row.name, marks=() if row.quick else pytest.mark.slow)


@pytest.mark.parametrize("row", [case(row) for row in ROWS])
def test_a_row_is_played_as_it_is_on_record(row: Row) -> None:
    recorded = load(row.policy)
    assert row.place in recorded, f"{row.name} is not on record"
    changed = difference(play(row), recorded[row.place])
    assert not changed, f"{row.name}: {changed}"


def test_every_name_of_the_catalogue_has_a_quick_row() -> None:
    assert set(CATALOGUE) <= {row.policy for row in ROWS if row.quick}


def test_names_of_rows_are_different_from_each_other() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_what_is_on_record_is_what_there_are_rows_for() -> None:
    table = rows_by_policy()
    assert {path.stem for path in DATA.glob("*.json")} == set(table)
    for policy, rows in table.items():
        assert list(load(policy)) == [row.place for row in rows], policy


def test_the_first_thing_that_differs_is_named() -> None:
    recorded = Fingerprint("0f", [10.0, 20.0])
    assert difference(Fingerprint("0f", [10.0, 20.0 + 1e-11]), recorded) == ""
    assert difference(Fingerprint("0f", [10.0]), recorded) == "1 runs, on record are 2"
    apart = "regrets differ by up to 0.5, in run 1"
    assert (
        difference(Fingerprint("1e", [10.0, 20.5]), recorded) == f"other arms were played; {apart}"
    )
    same = f"the same arms were played, but {apart}"
    assert difference(Fingerprint("0f", [10.0, 20.5]), recorded) == same
