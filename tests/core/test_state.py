"""Live states: fields by name, and no others."""

from __future__ import annotations

import copy
import pickle

import pytest

import driftbandit as db


def test_a_live_state_has_its_fields_and_no_others() -> None:
    state = db.State("up", "down", ring=2).blank()
    assert (state.up, state.down, state.ring) == (0.0, 0.0, [0.0, 0.0])
    with pytest.raises(AttributeError, match="'state' object has no attribute 'upp'"):
        state.upp = 1.0


def test_it_travels() -> None:
    state = db.State("up", ring=2).blank()
    state.up, state.ring[1] = 3.0, 4.0
    for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert again == state
        again.ring[1] = 5.0
        assert again != state


@pytest.mark.parametrize("name", ["class", "_up", "two words", ""])
def test_names_can_be_attributes(name: str) -> None:
    with pytest.raises(db.InputError, match="state must have names that can be attributes"):
        db.State(name)
