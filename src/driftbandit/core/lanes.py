"""The arrays in which one policy plays a block of runs in lockstep.

A lane is a run. A row holds one number a lane, and rows lie LANES apart whatever the number of
lanes in use: distances that the compiler knows let it turn a loop over lanes into vector code.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from driftbandit.core.marking import compilable

LANES = 128
"""The most runs that advance together, a power of two: wide enough for the vector units, and few
enough for the fastest cache to hold what they need."""

VECTOR = 8
"""Numbers in a vector; the lanes of a block are a multiple."""

FEW = 8
"""Up to this many arms, code made for their number goes through all instead of jumping to one."""

ROWS = 7
LUCK, REWARD, MEAN, REGRET, LEAVING, FIRST, SECOND = (row * LANES for row in range(ROWS))
"""Where the shared rows begin: the round's luck, reward and mean of the arm played, the regret, a
reward that leaves a window, and two spares."""

Known = tuple[int, ...]
"""A number or a flag that is compiled in: the length of a tuple, which is part of its type."""

YES: Known = (0,)
NO: Known = ()

Shape = tuple[int, int, int]
"""How far apart two rows of an arm, two arms and two lanes lie in `Space.state`."""


class Space(NamedTuple):
    """What the compiled loop of one policy reads and writes."""

    rows: Any
    """The shared rows, flat."""
    state: Any
    """What a family keeps of every arm and lane, flat; `place` finds a number in it."""
    memory: Any
    """What a detector keeps of every lane and arm, or a procedure of every lane, flat: a view of it
    costs nothing then."""
    kept: int
    """How many numbers that is of each."""
    restarts: Any
    """How often a lane has started over, and after which round it last did, in two flat rows."""
    carry: Any
    """What a family keeps of all lanes together."""
    wrong: Any
    """The first round in which a procedure named an arm that there is not, and that arm; or 0."""
    arm: Any
    """The arm played, by lane."""
    gone: Any
    """The arm whose play leaves the window, by lane."""
    ring_arm: Any
    """The arms played in the rounds of a window, by round and lane."""
    ring_reward: Any
    """Their rewards."""
    ring_weight: Any
    """The weights of these rounds."""
    own_reward: Any
    """The rewards of the plays that arms remember by themselves, by arm and play, and lane."""
    own_round: Any
    """In which rounds these were."""
    leaders: Any
    """The best arm of every group of arms; see `families.crowd`."""
    until: Any
    """Until which slope it is the best, by lane and group."""
    shift: int
    """Arm k is in group k >> shift."""
    notes: Any
    """Lanes and groups that have to be looked into."""
    side: Any
    """Room to look into them."""
    luck: Any
    """The streams that the rewards' luck comes from, flat: the same for every policy."""
    noise: Any
    """The policy's own uniform numbers of the round, in flat rows."""
    rng: Any
    """The streams these come from, flat."""


FAR = 2**40 - 1
"""Places are below this; masked so, the compiler knows that they are not negative."""


def group_shift(arms: int) -> int:
    """Return s for groups of 2ˢ arms, at least a vector; arm k is in group k >> s.

    Looking into a group costs about as much an arm as ten groups in the comparison.

    >>> [2 ** group_shift(arms) for arms in (64, 1_000, 10_000)]
    [8, 8, 32]
    """
    return max(round(math.log2(arms / 10.0) / 2.0), 3)


def groups_of(arms: int) -> int:
    """Return how many groups that makes."""
    return -(-arms >> group_shift(arms))


def shape_of(arms: int, lanes: int, crowded: bool) -> Shape:
    """Return the shape of `state`: in a crowd the arms of a lane lie side by side."""
    if arms <= FEW:
        return arms * LANES, LANES, 1
    room = groups_of(arms) << group_shift(arms)
    return (lanes * room, 1, room) if crowded else (arms * lanes, lanes, 1)


@compilable
def known_shape(few: Known, shape: Shape) -> Shape:
    """Return the shape, as constants where code is made for `few` arms."""
    return (len(few) * LANES, LANES, 1) if len(few) > 0 else shape


@compilable
def known_lanes(lanes: int) -> int:
    """Return `lanes`, in a form that tells the compiler they are few and a multiple of VECTOR."""
    return lanes & (2 * LANES - VECTOR)


@compilable
def place(shape: Shape, row: int, k: int, lane: int) -> int:
    """Return where in `state` the number of a row, arm and lane lies."""
    return (row * shape[0] + k * shape[1] + lane * shape[2]) & FAR


@compilable
def line(shape: Shape, row: int, k: int) -> int:
    """Return where the lanes of a row and arm begin, which lie side by side but in a crowd."""
    return (row * shape[0] + k * shape[1]) & FAR


@compilable
def pick(state: Any, shape: Shape, few: Known, row: int, arm: int, lane: int) -> Any:
    """Return the number of a lane's arm; among few arms, by looking at all of them."""
    if len(few) == 0:
        return state[place(shape, row, arm, lane)]
    found = 0.0
    for k in range(len(few)):
        value = state[(row * len(few) + k) * LANES + lane]
        found = value if arm == k else found
    return found


@compilable
def put(state: Any, shape: Shape, few: Known, row: int, arm: int, lane: int, value: float) -> None:
    """Replace the number of a lane's arm; among few arms, by writing all of them."""
    if len(few) == 0:
        state[place(shape, row, arm, lane)] = value
        return
    for k in range(len(few)):
        old = state[(row * len(few) + k) * LANES + lane]
        state[(row * len(few) + k) * LANES + lane] = value if arm == k else old
