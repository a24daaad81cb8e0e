"""The steps of a round that all families share: each a short loop over lanes that vectorises."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.lanes import (
    FAR,
    LANES,
    LUCK,
    MEAN,
    REGRET,
    REWARD,
    Array,
    Block,
    bounded,
    constant_shape,
    width_of,
)
from driftbandit.core.marking import compilable
from driftbandit.core.random import next_words, unit

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


@compilable
def draw(lanes: int, streams: Any, rows: Any, row: int) -> None:
    """Fill the row at `row` with the next number of every lane's stream, as `random.uniform`."""
    row &= FAR
    for lane in range(bounded(lanes)):
        a, b = streams[lane], streams[LANES + lane]
        c, d = streams[2 * LANES + lane], streams[3 * LANES + lane]
        rows[row + lane] = unit(a, d)
        a, b, c, d = next_words(a, b, c, d)
        streams[lane], streams[LANES + lane] = a, b
        streams[2 * LANES + lane], streams[3 * LANES + lane] = c, d


@compilable
def open_with(block: Block, arm: int) -> None:
    """Play the same arm in all lanes."""
    for lane in range(block.lanes):
        block.arm[lane] = arm


@compilable
def pay(quantile: Any, parameters: Any, block: Block, row: int) -> None:
    """Look up the mean of every lane's arm and turn the lane's luck into a reward."""
    rows, arm, means, few = block.rows, block.arm, block.means, block.few
    each = 1 if means.shape[2] > 1 else 0
    if len(few) > 0 and each == 0:
        for lane in range(width_of(block)):
            mean = means[row, 0, 0]
            for k in range(1, len(few)):
                other = means[row, k, 0]
                mean = other if arm[lane] == k else mean
            rows[MEAN + lane] = mean
    elif len(few) > 0:
        for lane in range(width_of(block)):
            mean = means[row, 0, lane]
            for k in range(1, len(few)):
                other = means[row, k, lane]
                mean = other if arm[lane] == k else mean
            rows[MEAN + lane] = mean
    else:
        for lane in range(width_of(block)):
            rows[MEAN + lane] = means[row, arm[lane], each * lane]
    bound = block.bound
    for lane in range(width_of(block)):
        rows[REWARD + lane] = bound * quantile(rows[LUCK + lane], rows[MEAN + lane], parameters)


@compilable
def stride_of(block: Block) -> int:
    """Return how far apart the counters of two arms lie."""
    return LANES if len(block.few) > 0 else block.lanes


@compilable
def count(block: Block, best: Any, row: int, plays: Any) -> None:
    """Count the play, and what it cost against the best arm of the round."""
    if best.shape[1] > 1:
        count_by_lane(block, best, row, plays)
    elif len(block.few) > 0:
        count_few(block, best, row, plays)
    else:
        count_many(block, best, row, plays)


@compilable
def count_few(block: Block, best: Any, row: int, plays: Any) -> None:
    """Do so where all lanes have the same means, of few arms."""
    rows, arm, means, few, top = block.rows, block.arm, block.means, block.few, best[row, 0]
    for lane in range(width_of(block)):
        rows[REGRET + lane] += top - rows[MEAN + lane]
    for lane in range(width_of(block)):
        for k in range(len(few)):
            more = PLAY + SUBOPTIMAL * int(means[row, k, 0] < top)
            plays[k * LANES + lane] += more if arm[lane] == k else 0


@compilable
def count_many(block: Block, best: Any, row: int, plays: Any) -> None:
    """Do so where all lanes have the same means, of many arms."""
    rows, arm, stride, top = block.rows, block.arm, stride_of(block), best[row, 0]
    for lane in range(width_of(block)):
        rows[REGRET + lane] += top - rows[MEAN + lane]
    for lane in range(width_of(block)):
        place = (arm[lane] * stride + lane) & FAR
        plays[place] += PLAY + SUBOPTIMAL * int(rows[MEAN + lane] < top)


@compilable
def count_by_lane(block: Block, best: Any, row: int, plays: Any) -> None:
    """Do so where every lane has means of its own."""
    rows, arm, few, stride = block.rows, block.arm, block.few, stride_of(block)
    for lane in range(width_of(block)):
        rows[REGRET + lane] += best[row, lane] - rows[MEAN + lane]
    for lane in range(width_of(block)):
        more = PLAY + SUBOPTIMAL * int(rows[MEAN + lane] < best[row, lane])
        if len(few) == 0:
            plays[(arm[lane] * stride + lane) & FAR] += more
        else:
            for k in range(len(few)):
                plays[k * LANES + lane] += more if arm[lane] == k else 0


@compilable
def record(block: Block, mark: int, tally: Tally) -> None:
    """Write down a checkpoint: every lane's regret, and the plays of every arm summed."""
    rows, plays, stride = block.rows, tally.plays, stride_of(block)
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
