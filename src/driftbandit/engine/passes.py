"""Passes over one round of a block of runs: each a short loop over lanes that vectorises.

A lane is a run. Rows are flat arrays of one number a lane; the lane is always the inner loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from driftbandit.marking import compilable

LANES = 256
"""Runs that advance together: wide enough to fill the vector units, small enough for the cache."""

FEW = 4
"""Up to this many arms, a pass over all of them beats a jump to the one played."""

ONES, REWARD, MEAN = 3, 4, 5
"""Rows of the scratch space: ones, the reward, and the mean of the arm played."""

PLAY, BAD = 1, 2**32
"""A play, and a play of an arm that was not best, in the one counter an arm and lane has."""


@compilable
def draw_row(rng: Any, rows: Any, row: int) -> None:
    """Fill a row with the next uniform number of every lane's stream, as `random.uniform` does."""
    for lane in range(LANES):
        a, b, c, d = rng[0, lane], rng[1, lane], rng[2, lane], rng[3, lane]
        third, fourth = c ^ a, d ^ b
        rng[0, lane] = a ^ fourth
        rng[1, lane] = b ^ third
        rng[2, lane] = third ^ (b << np.uint64(17))
        rng[3, lane] = (fourth << np.uint64(45)) | (fourth >> np.uint64(19))
        rows[row, lane] = (float(np.int64((a + d) >> np.uint64(12))) + 0.5) * 2.0**-52


@compilable
def reward_row(
    quantile: Any, law: Any, bound: float, step: int, uniforms: Any, means: Any, arm: Any, rows: Any
) -> None:
    """Look up the mean of every lane's arm and turn the lane's luck into a reward."""
    if means.shape[2] == 1:
        for lane in range(LANES):
            rows[MEAN, lane] = means[step, arm[lane], 0]
    else:
        for lane in range(LANES):
            rows[MEAN, lane] = means[step, arm[lane], lane]
    for lane in range(LANES):
        rows[REWARD, lane] = bound * quantile(uniforms[step, lane], rows[MEAN, lane], law)


@compilable
def tally_row(
    step: int, best: Any, means: Any, arm: Any, rows: Any, regret: Any, tally: Any
) -> None:
    """Count the play, and what it cost against the best arm of the round."""
    if best.shape[1] == 1:
        top = best[step, 0]
        for lane in range(LANES):
            regret[lane] += top - rows[MEAN, lane]
        count_plays(step, top, arm, rows, means, tally)
    else:
        for lane in range(LANES):
            regret[lane] += best[step, lane] - rows[MEAN, lane]
        for lane in range(LANES):
            tally[arm[lane], lane] += PLAY + BAD * int(rows[MEAN, lane] < best[step, lane])


@compilable
def count_plays(step: int, top: float, arm: Any, rows: Any, means: Any, tally: Any) -> None:
    """Count the play where all lanes share the means, and whether its arm was not best."""
    if tally.shape[0] > FEW:
        for lane in range(LANES):
            tally[arm[lane], lane] += PLAY + BAD * int(rows[MEAN, lane] < top)
        return
    for k in range(tally.shape[0]):
        more = PLAY + BAD * int(means[step, k, 0] < top)
        for lane in range(LANES):
            tally[k, lane] += more if arm[lane] == np.uint64(k) else 0


@compilable
def mark_row(
    place: int, live: int, regret: Any, tally: Any, curves: Any, totals: Any, squares: Any
) -> None:
    """Write down a checkpoint: every lane's regret, and the plays of every arm summed."""
    for lane in range(LANES):
        curves[place, lane] = regret[lane]
    for k in range(tally.shape[0]):
        total = square = 0.0
        for lane in range(live):
            plays = float(tally[k, lane] & (BAD - 1))
            total += plays
            square += plays * plays
        totals[place, k] = total
        squares[place, k] = square
