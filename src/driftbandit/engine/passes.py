"""Passes over one round of a block of runs: each a short loop over lanes that vectorises.

A lane is a run. Rows are flat arrays of one number a lane; the lane is always the inner loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from driftbandit.compilable import compilable

LANES = 128
"""Runs that advance together: wide enough to fill the vector units, small enough for the cache."""


@compilable
def draw_row(rng: Any, row: Any) -> None:
    """Fill `row` with the next uniform number of every lane's stream, as `random.uniform` does."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    for lane in range(LANES):
        total = a[lane] + d[lane]
        shifted = b[lane] << np.uint64(17)
        third = c[lane] ^ a[lane]
        fourth = d[lane] ^ b[lane]
        b[lane] ^= third
        a[lane] ^= fourth
        c[lane] = third ^ shifted
        d[lane] = (fourth << np.uint64(45)) | (fourth >> np.uint64(19))
        row[lane] = (float(np.int64(total >> np.uint64(12))) + 0.5) * 2.0**-52


@compilable
def reward_row(
    quantile: Any, law: Any, bound: float, uniforms: Any, means: Any, arm: Any, mean: Any, x: Any
) -> None:
    """Look up the mean of every lane's arm and turn the lane's luck into a reward."""
    if means.shape[1] == 1:
        for lane in range(LANES):
            mean[lane] = means[arm[lane], 0]
    else:
        for lane in range(LANES):
            mean[lane] = means[arm[lane], lane]
    for lane in range(LANES):
        x[lane] = bound * quantile(uniforms[lane], mean[lane], law)


@compilable
def tally_row(arm: Any, mean: Any, best: Any, regret: Any, plays: Any, bad: Any) -> None:
    """Count the play, and what it cost against the best arm of the round."""
    if best.shape[0] == 1:
        top = best[0]
        for lane in range(LANES):
            regret[lane] += top - mean[lane]
        for lane in range(LANES):
            plays[arm[lane], lane] += 1.0
            bad[arm[lane], lane] += 1.0 if mean[lane] < top else 0.0
    else:
        for lane in range(LANES):
            regret[lane] += best[lane] - mean[lane]
        for lane in range(LANES):
            plays[arm[lane], lane] += 1.0
            bad[arm[lane], lane] += 1.0 if mean[lane] < best[lane] else 0.0


@compilable
def mark_row(regret: Any, plays: Any, live: int, curve: Any, total: Any, square: Any) -> None:
    """Write down a checkpoint: every lane's regret, and the plays of every arm summed."""
    for lane in range(LANES):
        curve[lane] = regret[lane]
    for k in range(plays.shape[0]):
        for lane in range(live):
            total[k] += plays[k, lane]
            square[k] += plays[k, lane] * plays[k, lane]
