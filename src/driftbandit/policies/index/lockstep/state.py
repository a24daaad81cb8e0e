"""What an index policy keeps of a block of runs, and its functions and numbers by name."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.aligned import aligned
from driftbandit.core.lanes import (
    FIRST,
    LANES,
    LEAVING,
    REWARD,
    SECOND,
    VECTOR,
    Array,
    Flag,
    Player,
    Shape,
)
from driftbandit.core.state import State as Fields
from driftbandit.policies.setup import Function

TOTAL, COUNT, MEAN, ROOT, LOST, SQUARE, CLOCK, BORN, ALL = range(9)
"""Rows of an arm in the table; CLOCK and BORN only where there are restarts. Where all arms have
the same clock, it is that of arm 0."""

PLAYED, HELD, BY_ARM = range(ALL, ALL + 3)
"""Rows of an arm that remembers its own plays: how many there were, and how many it holds."""

LOW, START, RATE, HINT, LEVEL, TANGENTS = range(ALL, ALL + 6)
"""Rows of an arm with a tangent: a lower bound of the index, the tangent START + x · RATE, a hint
where to look for a better one, and x, where lanes have clocks of their own."""

LEAD, RIVAL, THIRD, SURE = FIRST, SECOND, LEAVING, REWARD
"""Shared rows that are free while tangents are compared: the three highest, and the lower bound of
the arm that has the highest."""

SHARED = Fields("weight", "clock", "oldest", "slope", "turn", "nan", "outside").dtype
"""What all lanes share: the weight of a play now, the clock, the oldest round in the window, the
slope of the last choice (or x, where indices have tangents), whose turn it is to have its tangent
renewed, and 1 + an arm whose index was NaN."""


class Rules(NamedTuple):
    """The functions of the axes; the index is `width`, or `index` reached through `call`."""

    factor: Function
    span: Function
    fade: Function
    """Discounts what is remembered by the factor."""
    width: Function
    index: Function
    draft: Function
    """The index as it is computed for all lanes: NaN where the index itself must be asked."""
    call: Function
    read: Function
    level: Function
    tangent: Function
    near: Function
    point: Function
    """Finds a point of the index's curve, through `near` or `tangent`."""
    alarm: Function
    ask: Function
    """Calls `alarm` with a state, and with room where a detector needs it."""
    due: Function
    force: Function


class Numbers(NamedTuple):
    """The parameters of the rule on each axis."""

    forget: tuple[float, ...]
    explore: tuple[float, ...]
    detect: tuple[float, ...]
    force: tuple[float, ...]


class Flags(NamedTuple):
    """What is compiled in."""

    variance: Flag
    """The index needs the variance."""
    exact: Flag
    """Sums lose nothing to rounding, or nothing ever leaves them."""
    restarts_all: Flag
    """An alarm makes the policy forget all arms, not only the one played."""
    counts_plays: Flag
    """The clock is the number of plays remembered, though arms are forgotten one by one."""
    one_clock: Flag
    """Where there are restarts, all arms have the same clock."""
    prior: Flag
    """The index is defined without a play."""
    drafts: Flag
    """The index has a draft, which may be NaN."""
    levels: Flag
    """The index has a tangent, and lanes have clocks of their own."""
    trusted: Flag
    """No index is ever NaN."""
    ageing: Flag
    """The clock counts all rounds, not only those in the window."""


class Ring(NamedTuple):
    """The plays of the rounds in a window, by round and lane."""

    arm: NDArray[Any]
    reward: NDArray[Any]
    weight: Array


class Plays(NamedTuple):
    """The plays that arms remember by themselves: by arm and play, and lane."""

    reward: NDArray[Any]
    round: Array


class Groups(NamedTuple):
    """The best arms of groups of arms, where these are compared by groups."""

    leaders: Array
    """Of the best arm of every group and lane: its mean, its root, and which one it is."""
    until: Array
    """Until which slope it is the best, by lane and group."""
    shift: int
    """Arm k is in group k >> shift."""
    notes: NDArray[np.int64]
    """Lanes and groups that have to be looked into."""
    side: Array
    """Room to look into them."""


class State(NamedTuple):
    """The state of a block."""

    table: Array
    """Rows of every arm and lane, flat; `lanes.place` says where a number lies."""
    shared: Any
    """One record: what all lanes share."""
    gone: NDArray[np.uint32]
    """The arm whose play leaves the window, by lane."""
    restarts: Array
    """How often a lane has restarted, and after which round it last did, in two flat rows."""
    detector: Any
    """What a detector keeps: one record per lane and arm."""
    blank: Any
    """The record of an arm of which nothing is known."""
    room: Array
    """The numbers that a detector keeps besides, flat; the same number per lane and arm."""
    listed: NDArray[np.int64]
    """Lanes that have to be looked into, where indices have tangents."""
    side: Array
    """Room to look into them: rows of LANES numbers."""
    ring: Ring
    plays: Plays
    groups: Groups


IndexPlayer = Player[Rules, Numbers, Flags, State]


class Room(NamedTuple):
    """How much a policy keeps: rows of the table, rounds in its window, plays, and the rest."""

    arms: int
    rows: int
    ring: int
    plays: int
    detector: np.dtype[np.void]
    """The type of a detector's record."""
    room: int
    """Numbers per arm that a detector keeps besides."""
    grouped: bool
    binary: bool
    """Rewards are 0 or 1: in a window each takes a byte."""


def group_shift(arms: int) -> int:
    """Return s for groups of 2ˢ arms, at least a vector; arm k is in group k >> s.

    Looking into a group costs about as much per arm as ten groups in the comparison.

    >>> [2 ** group_shift(arms) for arms in (64, 1_000, 10_000)]
    [8, 8, 32]
    """
    return max(round(math.log2(arms / 10.0) / 2.0), 3)


def group_count(arms: int) -> int:
    """Return how many groups there are."""
    return -(-arms >> group_shift(arms))


def make_groups(arms: int, lanes: int) -> Groups:
    """Return groups of so many arms, or none."""
    shift, count = (group_shift(arms), group_count(arms)) if arms > 0 else (3, 0)
    notes, sides = (LANES, 6 + (2 << shift)) if arms > 0 else (0, 0)
    return Groups(
        leaders=aligned((3, count, lanes)),
        until=np.zeros((lanes, count)),
        shift=shift,
        notes=np.zeros((2, notes), dtype=np.int64),
        side=aligned((sides * (LANES + VECTOR),)),
    )


def make_state(room: Room, lanes: int, shape: Shape) -> State:
    """Return the state before the first round; places without an arm are never played.

    Without a window all policies have the same types, which are compiled once.
    """
    arms, windowed = room.arms, room.ring > 0
    table = aligned((room.rows * shape[0],))
    means = table[MEAN * shape[0] : (MEAN + 1) * shape[0]]
    means[:] = math.inf
    if shape[1] == 1:
        means.reshape(-1, shape[2])[:, arms:] = -math.inf
    shared = np.zeros(1, dtype=SHARED)
    shared[0] = (1.0, 0.0, 1.0, math.inf, 0.0, 0.0, 0.0)
    byte = np.uint8 if room.binary else np.float64
    return State(
        table=table,
        shared=shared,
        gone=aligned((LANES,), np.uint32),
        restarts=aligned((2 * LANES,)),
        detector=np.zeros(lanes * arms, dtype=room.detector),
        blank=np.zeros(1, dtype=room.detector),
        room=aligned((lanes * arms * room.room,)),
        listed=aligned((LANES,), np.int64),
        side=aligned((4 * LANES + VECTOR,)),
        ring=Ring(
            arm=np.zeros((room.ring, lanes), np.min_scalar_type(arms - 1 if windowed else 0)),
            reward=np.zeros((room.ring, lanes), byte if windowed else np.float64),
            weight=np.zeros(room.ring),
        ),
        plays=Plays(
            reward=np.zeros((room.plays * arms, lanes), byte if room.plays > 0 else np.float64),
            round=np.zeros((room.plays * arms, lanes)),
        ),
        groups=make_groups(arms if room.grouped else 0, lanes),
    )
