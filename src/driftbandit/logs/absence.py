"""Arms that a log does not show for long: by windows of time, and by the rows between two plays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Plays = Iterable[tuple[Places, NDArray[np.signedinteger[Any]]]]
"""Rows in order, in pieces: which arms they play, and where they stand among the rows in which that
arm was eligible."""

MOST = 0.05
"""An arm may be absent from this share of the windows, or of the rows at a stretch."""

CHANCE = 0.01
"""A stretch is taken for chance that is at least as likely as this, divided among the arms."""


def absent_for_long(
    counts: NDArray[np.float64], eligible: NDArray[np.float64], plays: Plays
) -> NDArray[np.bool_]:
    """Return which arms are absent from too many windows, or from too long a stretch of rows.

    Rows in which an arm was not eligible do not count: nobody could play it there.

    Small logs have few windows, or one: an arm may be absent from half of that. Of n plays that are
    spread over N rows at random, a stretch of g rows has none, somewhere, with probability
    (n + 1) C(N − g, n) / C(N, n) at most. `counts` are the plays per window and arm, `eligible`
    the rows in which it was eligible.

    >>> counts, arm = np.array([[30.0, 30.0]]), np.repeat([0, 1], 30)
    >>> absent_for_long(counts, np.array([[60.0, 60.0]]), [(np.arange(60), arm)]).tolist()
    [True, True]
    """
    rows, arms = eligible.sum(axis=0).astype(np.int64), counts.shape[1]
    least = math.log(CHANCE / arms)
    gaps = _longest_gaps(plays, rows, arms).tolist()
    stretch = [
        gap > MOST * size and _log_chance(int(number), gap, size) < least
        for number, gap, size in zip(counts.sum(axis=0), gaps, rows.tolist(), strict=True)
    ]
    windows = (eligible > 0.0).sum(axis=0)
    missed = ((eligible > 0.0) & (counts == 0.0)).sum(axis=0)
    too_long: NDArray[np.bool_] = (missed > MOST * windows) | np.array(stretch)
    return too_long


def _longest_gaps(plays: Plays, rows: Places, arms: int) -> Places:
    """Return per arm the most rows in sequence that do not play it."""
    last, longest = np.full(arms, -1), np.zeros(arms, dtype=np.int64)
    for places, played in plays:
        order = np.argsort(played, kind="stable")
        arm, after = played[order], places[order]
        begins = np.append(True, arm[1:] != arm[:-1])
        before = np.where(begins, last[arm], np.append(-1, after[:-1]))
        np.maximum.at(longest, arm, after - before - 1)
        np.maximum.at(last, arm, after)
    gaps: NDArray[Any] = np.maximum(longest, rows - 1 - last)
    return gaps


def _log_chance(plays: int, gap: int, rows: int) -> float:
    """Return the logarithm of a bound on how likely so long a stretch without a play is.

    >>> round(math.exp(_log_chance(plays=1, gap=2, rows=3)), 3)
    0.667
    """
    if gap > rows - plays:
        return -math.inf
    ways = [math.lgamma(n + 1.0) for n in (rows - gap, rows - gap - plays, rows, rows - plays)]
    return math.log(plays + 1.0) + ways[0] - ways[1] - ways[2] + ways[3]
