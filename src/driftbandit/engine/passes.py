"""Passes over one round of a block of runs: each a short loop over lanes that vectorises."""

from __future__ import annotations

from typing import Any

import numpy as np

from driftbandit.core.lanes import FAR, LANES, LUCK, MEAN, REGRET, REWARD, Known, known_lanes
from driftbandit.core.marking import compilable

PLAY, BAD = 1, 2**32
"""A play, and a play of an arm that was not best, in the one counter an arm and lane has."""


@compilable
def draw_row(lanes: int, rng: Any, rows: Any, row: int) -> None:
    """Fill the row at `row` with the next number of every lane's stream, as `random.uniform`."""
    row &= FAR
    for lane in range(known_lanes(lanes)):
        a, b = rng[lane], rng[LANES + lane]
        c, d = rng[2 * LANES + lane], rng[3 * LANES + lane]
        third, fourth = c ^ a, d ^ b
        rows[row + lane] = (float(np.int64((a + d) >> np.uint64(12))) + 0.5) * 2.0**-52
        rng[lane] = a ^ fourth
        rng[LANES + lane] = b ^ third
        rng[2 * LANES + lane] = third ^ (b << np.uint64(17))
        rng[3 * LANES + lane] = (fourth << np.uint64(45)) | (fourth >> np.uint64(19))


@compilable
def reward_row(
    quantile: Any, law: Any, bound: float, lanes: int, few: Known, row: int, means: Any, space: Any
) -> None:
    """Look up the mean of every lane's arm and turn the lane's luck into a reward."""
    rows, arm = space.rows, space.arm
    each = 1 if means.shape[2] > 1 else 0
    if len(few) > 0 and each == 0:
        for lane in range(known_lanes(lanes)):
            mean = means[row, 0, 0]
            for k in range(1, len(few)):
                other = means[row, k, 0]
                mean = other if arm[lane] == k else mean
            rows[MEAN + lane] = mean
    elif len(few) > 0:
        for lane in range(known_lanes(lanes)):
            mean = means[row, 0, lane]
            for k in range(1, len(few)):
                other = means[row, k, lane]
                mean = other if arm[lane] == k else mean
            rows[MEAN + lane] = mean
    else:
        for lane in range(known_lanes(lanes)):
            rows[MEAN + lane] = means[row, arm[lane], each * lane]
    for lane in range(known_lanes(lanes)):
        rows[REWARD + lane] = bound * quantile(rows[LUCK + lane], rows[MEAN + lane], law)


@compilable
def tally_row(
    lanes: int, few: Known, apart: int, row: int, best: Any, means: Any, space: Any, tally: Any
) -> None:
    """Count the play, and what it cost against the best arm of the round."""
    rows, arm = space.rows, space.arm
    if best.shape[1] > 1:
        for lane in range(known_lanes(lanes)):
            rows[REGRET + lane] += best[row, lane] - rows[MEAN + lane]
        for lane in range(known_lanes(lanes)):
            more = PLAY + BAD * int(rows[MEAN + lane] < best[row, lane])
            if len(few) == 0:
                tally[(arm[lane] * apart + lane) & FAR] += more
            else:
                for k in range(len(few)):
                    tally[k * LANES + lane] += more if arm[lane] == k else 0
        return
    top = best[row, 0]
    for lane in range(known_lanes(lanes)):
        rows[REGRET + lane] += top - rows[MEAN + lane]
    if len(few) == 0:
        for lane in range(known_lanes(lanes)):
            place = (arm[lane] * apart + lane) & FAR
            tally[place] += PLAY + BAD * int(rows[MEAN + lane] < top)
        return
    for lane in range(known_lanes(lanes)):
        for k in range(len(few)):
            more = PLAY + BAD * int(means[row, k, 0] < top)
            tally[k * LANES + lane] += more if arm[lane] == k else 0


@compilable
def mark_row(
    place: int, live: int, apart: int, rows: Any, tally: Any, curves: Any, totals: Any, squares: Any
) -> None:
    """Write down a checkpoint: every lane's regret, and the plays of every arm summed."""
    for lane in range(live):
        curves[lane, place] = rows[REGRET + lane]
    for k in range(totals.shape[1]):
        total, low, high, start = 0, 0, 0, (k * apart) & FAR
        for lane in range(live):  # sums of whole numbers may be taken in any order, so in vectors
            plays = tally[start + lane] & (BAD - 1)
            total += plays
            low += (plays * plays) & (BAD - 1)
            high += (plays * plays) >> 32
        totals[place, k] = float(total)
        squares[place, k] = float(high) * BAD + float(low)
