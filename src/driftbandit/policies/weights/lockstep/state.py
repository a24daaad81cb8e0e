"""What exponential weights keep of a block of runs, and their functions and numbers by name."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from driftbandit.core.aligned import aligned
from driftbandit.core.lanes import Array, Flag, Player, Shape
from driftbandit.core.state import State as Fields
from driftbandit.policies.setup import Function

SHARED = Fields("round", "rate").dtype
"""What all lanes share: the rounds learned, and the rate of the round that comes."""


class Rules(NamedTuple):
    """The functions of the policy, and the exponential function that fits its exponents."""

    exponent: Function
    exp: Function
    schedule: Function
    radius: Function
    floor: Function


class Numbers(NamedTuple):
    """The parameters of the policy."""

    exponent: tuple[float, ...]
    """The numbers that its functions take last."""
    exploration: float
    share: float
    bound: float
    period: float
    """Rounds from one rescaling to the next."""
    batch: float
    draws: float
    """Uniform draws of every arm in an interval, where exploration is watched."""
    threshold: float
    """What difference of their means makes the policy restart."""


class Flags(NamedTuple):
    """What is compiled in."""

    fresh: Flag
    """The share is one of the new weights."""
    batches: Flag
    """All weights are made equal at the end of a batch."""
    floors: Flag
    """Every arm has its own least probability."""


class State(NamedTuple):
    """The state of a block."""

    table: Array
    """Rows of every arm and lane, flat."""
    shared: Any
    """One record: what all lanes share."""


WeightsPlayer = Player[Rules, Numbers, Flags, State]


def make_state(rows: int, lanes: int, shape: Shape) -> State:
    """Return all arms with the same weight, or score; whatever else is kept of them is zero."""
    table = aligned((rows * shape[0],))
    table[: shape[0]] = 1.0
    return State(table, np.zeros(1, dtype=SHARED))
