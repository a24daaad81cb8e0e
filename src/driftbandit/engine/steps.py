"""The steps of a round that all families share: each a short loop over lanes that vectorises."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.lanes import (
    FAR,
    LANES,
    MEAN,
    REGRET,
    Array,
    Block,
    Flag,
    bounded,
    constant_shape,
    width_of,
)
from driftbandit.core.marking import arrays_apart, compilable
from driftbandit.core.random import next_words, unit
from driftbandit.engine.rewards import Rewards, call

PLAY, SUBOPTIMAL = 1, 2**32
"""A play, and a play of an arm that was not best, in the one counter per arm and lane."""


class Tally(NamedTuple):
    """What a policy has done in a block so far."""

    plays: NDArray[np.int64]
    """Counters of every arm and lane, flat."""
    marks: NDArray[np.int64]
    """The rounds at which curves are recorded."""
    curves: Array
    """The regret, by lane and mark."""
    totals: Array
    """The plays of an arm, summed over lanes, by mark and arm."""
    squares: Array
    """Their squares, summed over lanes."""
    trace: NDArray[np.int64]
    """The arms played, by round and lane, if they are wanted."""


@compilable
def fix_shape(block: Block) -> Block:
    """Return the block with a shape of constants where there are few arms."""
    return Block(
        block.lanes,
        block.live,
        block.few,
        block.arms,
        constant_shape(block.few, block.shape),
        block.rows,
        block.arm,
        block.noise,
        block.means,
        block.actions,
        block.bound,
    )


@arrays_apart
@compilable
def draw(lanes: int, streams: Any, rows: Any, row: int, times: Flag) -> None:
    """Fill rows from `row` on with the next numbers of every lane's stream, as `random.uniform`."""
    row &= FAR
    for lane in range(bounded(lanes)):
        a, b = streams[lane], streams[LANES + lane]
        c, d = streams[2 * LANES + lane], streams[3 * LANES + lane]
        for time in range(len(times)):
            rows[row + time * LANES + lane] = unit(a, d)
            a, b, c, d = next_words(a, b, c, d)
        streams[lane], streams[LANES + lane] = a, b
        streams[2 * LANES + lane], streams[3 * LANES + lane] = c, d


@compilable
def open_with(block: Block, arm: int) -> None:
    """Play the same arm in all lanes."""
    for lane in range(block.lanes):
        block.arm[lane] = arm


@compilable
def pay(block: Block, rewards: Rewards, luck: int) -> None:
    """Turn every lane's luck, in the row at `luck`, into a reward."""
    call(rewards.code, block.rows, rewards.parameters, luck, block.lanes, block.bound)


@arrays_apart
@compilable
def count_few(block: Block, best: Any, plays: Any, row: int) -> None:
    """Look up the mean of every lane's arm, count the play and what it cost, among few arms."""
    rows, arm, means, few = block.rows, block.arm, block.means, block.few
    each = 1 if means.shape[2] > 1 else 0
    for lane in range(width_of(block)):
        played, mean, top = arm[lane], means[row, 0, each * lane], best[row, each * lane]
        for k in range(1, len(few)):
            other = means[row, k, each * lane]
            mean = other if played == k else mean
        rows[MEAN + lane] = mean
        rows[REGRET + lane] += top - mean
        more = PLAY + SUBOPTIMAL * int(mean < top)
        for k in range(len(few)):
            plays[k * LANES + lane] += more if played == k else 0


@arrays_apart
@compilable
def count_many(block: Block, best: Any, plays: Any, row: int) -> None:
    """Look up the mean of every lane's arm, count the play and what it cost, among many arms."""
    rows, arm, means, lanes = block.rows, block.arm, block.means, block.lanes
    each = 1 if means.shape[2] > 1 else 0
    for lane in range(width_of(block)):
        mean, top = means[row, arm[lane], each * lane], best[row, each * lane]
        rows[MEAN + lane] = mean
        rows[REGRET + lane] += top - mean
        plays[(int(arm[lane]) * lanes + lane) & FAR] += PLAY + SUBOPTIMAL * int(mean < top)


@compilable
def record(block: Block, mark: int, tally: Tally) -> None:
    """Write down a checkpoint: every lane's regret, and the plays of every arm summed."""
    rows, plays, stride = block.rows, tally.plays, tally.plays.shape[0] // block.arms
    curves, totals, squares = tally.curves, tally.totals, tally.squares
    for lane in range(block.live):
        curves[lane, mark] = rows[REGRET + lane]
    for k in range(totals.shape[1]):
        total, low, high, start = 0, 0, 0, (k * stride) & FAR
        for lane in range(block.live):  # sums of whole numbers may be taken in any order
            number = plays[start + lane] & (SUBOPTIMAL - 1)
            total += number
            low += (number * number) & (SUBOPTIMAL - 1)
            high += (number * number) >> 32
        totals[mark, k] = float(total)
        squares[mark, k] = float(high) * SUBOPTIMAL + float(low)


@compilable
def trace_arms(block: Block, step: int, trace: Any) -> None:
    """Write down the arm of every run, if it is wanted."""
    if trace.shape[0] > 0:
        for lane in range(trace.shape[1]):  # a slice would compile its error messages
            trace[step, lane] = block.arm[lane]
