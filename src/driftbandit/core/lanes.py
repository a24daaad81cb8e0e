"""Lanes: the arrays in which lockstep code plays a block of runs, and how to find a number in them.

A lane is a run. A row holds one number per lane, and rows lie LANES apart whatever the number of
lanes in use: distances that the compiler knows let it turn a loop over lanes into vector code.
"""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.marking import compilable

Array = NDArray[np.float64]

LANES = 128
"""The most runs that advance together, a power of two: wide enough for the vector units, and few
enough for the fastest cache to hold what they need."""

VECTOR = 8
"""Numbers in a vector; the lanes of a block are a multiple."""

FEW = 8
"""Up to this many arms, code made for their number goes through all instead of jumping to one."""

Flag = tuple[int, ...]
"""A number or a flag that is compiled in: the length of a tuple, which is part of its type."""

ON: Flag = (0,)
OFF: Flag = ()

AHEAD: Flag = (0,) * 4
"""Rounds whose luck is drawn at once, a power of two: the words of a stream are loaded and stored
once for all of them."""

ROWS = 7 + len(AHEAD)
REWARD, MEAN, LEAVING, FIRST, SECOND, ODDS, REGRET, LUCK = (row * LANES for row in range(8))
"""Where the shared rows begin: the round's reward and mean of the arm played, a reward that leaves
a window, two spares, the log odds of the mean where a law looks rewards up, the regret, and the
luck of some rounds. The last two go on from stage to stage."""

Shape = tuple[int, int, int]
"""How far apart two rows of an arm, two arms and two lanes lie in a table of arms."""


class Block(NamedTuple):
    """What the steps of every family see of a block of runs."""

    lanes: int
    """Lanes in use, a multiple of VECTOR."""
    live: int
    """Lanes that are runs of the job; the rest fill the last vector."""
    few: Flag
    """As many entries as there are arms if these are few, else none."""
    arms: int
    shape: Shape
    rows: Array
    """The shared rows, flat."""
    arm: NDArray[np.uint32]
    """The arm played, by lane."""
    noise: Array
    """The policy's own uniform numbers of the round, in flat rows."""
    means: Array
    """Means by round, arm and lane, in units of the bound; one lane if all have the same."""
    actions: Array
    """Features by round, lane, coordinate and arm, where the world has features."""
    bound: float
    """The largest reward of the world."""


Rules = TypeVar("Rules")
Numbers = TypeVar("Numbers")
Flags = TypeVar("Flags")
State = TypeVar("State")


class Player(NamedTuple, Generic[Rules, Numbers, Flags, State]):
    """One policy in a block: its functions, parameters, flags and state, each by name.

    Functions and flags are compiled in, numbers are not.
    """

    rules: Rules
    numbers: Numbers
    flags: Flags
    state: State


FAR = 2**40 - 1
"""Places are below this; masked so, the compiler knows that they are not negative."""


def flag(value: bool) -> Flag:
    """Return a flag that is compiled in."""
    return ON if value else OFF


@compilable
def on(value: Flag) -> bool:
    """Say whether a compiled-in flag is on."""
    return len(value) > 0


def shape_of(arms: int, lanes: int, stride: int = 0) -> Shape:
    """Return the shape of a table of arms.

    With a `stride`, the arms of a lane lie side by side, and lanes that far apart.
    """
    if stride > 0:
        return lanes * stride, 1, stride
    return (arms * LANES, LANES, 1) if arms <= FEW else (arms * lanes, lanes, 1)


@compilable
def constant_shape(few: Flag, shape: Shape) -> Shape:
    """Return the shape, as constants where code is made for `few` arms."""
    return (len(few) * LANES, LANES, 1) if len(few) > 0 else shape


@compilable
def bounded(lanes: int) -> int:
    """Return `lanes`, in a form that tells the compiler they are few and a multiple of VECTOR."""
    return lanes & (2 * LANES - VECTOR)


@compilable
def width_of(block: Block) -> int:
    """Return the lanes of a block, `bounded`."""
    return bounded(block.lanes)


@compilable
def place(shape: Shape, row: int, k: int, lane: int) -> int:
    """Return where in a table the number of a row, arm and lane lies."""
    return (row * shape[0] + int(k) * shape[1] + lane * shape[2]) & FAR


@compilable
def line(shape: Shape, row: int, k: int) -> int:
    """Return where the lanes of a row and arm begin, which lie side by side without a stride."""
    return (row * shape[0] + k * shape[1]) & FAR


@compilable
def pick(table: Any, block: Block, row: int, arm: int, lane: int) -> Any:
    """Return the number of a lane's arm; among few arms, by looking at all of them."""
    few = block.few
    if len(few) == 0:
        return table[place(block.shape, row, arm, lane)]
    number = 0.0
    for k in range(len(few)):
        value = table[(row * len(few) + k) * LANES + lane]
        number = value if arm == k else number
    return number


@compilable
def put(table: Any, block: Block, row: int, arm: int, lane: int, value: float) -> None:
    """Replace the number of a lane's arm; among few arms, by writing all of them."""
    few = block.few
    if len(few) == 0:
        table[place(block.shape, row, arm, lane)] = value
        return
    for k in range(len(few)):
        old = table[(row * len(few) + k) * LANES + lane]
        table[(row * len(few) + k) * LANES + lane] = value if arm == k else old
