"""How often the best arm switched: what the bands prove, and what the levels say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.logs.drift.moves import Moves
from driftbandit.logs.drift.pace import breakpoints
from driftbandit.logs.drift.result import Change, Switches
from driftbandit.logs.drift.seasons import waves
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.rows import Floats

CLEAR = 3.0
"""Standard errors of seasons by which an arm must be better than another to follow it."""


def switches_of(
    evidence: Evidence,
    moves: Sequence[Moves | None],
    changes: Sequence[Change],
    low: Floats,
    high: Floats,
) -> Switches:
    """Return how often the best arm switched."""
    best = _best(evidence, moves, changes)
    return Switches(max(certain(low, high), 0), max(len(best) - 1, 0), best)


def certain(low: Floats, high: Floats) -> int:
    """Return how many switches the bands prove: windows in which one arm is above all others.

    >>> low = np.array([[0.5, 0.1], [0.2, 0.2], [0.1, 0.6], [0.5, 0.1]])
    >>> certain(low, low + 0.2)
    2
    """
    best: list[int] = []
    for ends, tops in zip(low, high, strict=True):
        arm = int(ends.argmax())
        rivals = np.delete(tops, arm)
        if len(rivals) and ends[arm] > rivals.max() and best[-1:] != [arm]:
            best.append(arm)
    return len(best) - 1


def _lasting(means: Floats, errors: Floats) -> NDArray[np.intp]:
    """Return the best arm per time, which another follows only where it is better beyond chance.

    Seasons of two arms that earn alike cross by chance in every period.

    >>> means = np.array([[0.5, 0.5, 0.5], [0.4, 0.52, 0.6]])
    >>> _lasting(means, np.full((2, 3), 0.01)).tolist(), _lasting(means, np.zeros((2, 3))).tolist()
    ([0, 0, 1], [0, 1, 1])
    """
    best: NDArray[np.intp] = np.argmax(means, axis=0)
    if not errors.any():
        return best
    arm = int(best[0])
    for place, rival in enumerate(best.tolist()):
        doubt = CLEAR * math.hypot(errors[arm, place], errors[rival, place])
        if means[rival, place] - means[arm, place] > doubt:
            arm = rival
        best[place] = arm
    return best


def _errors(time: Floats, moves: Sequence[Moves]) -> Floats:
    """Return the standard error of each arm at each time, of those that have seasons."""
    errors = np.zeros((len(moves), len(time)))
    for row, each in zip(errors, moves, strict=True):
        if each.periods:
            design = waves(time, each.season.frequencies)
            seasons = np.einsum("ij,jk,ik->i", design, each.season.covariance, design)
            row[:] = np.sqrt(seasons + each.variance / each.column.size)
    return errors


def _best(
    evidence: Evidence, moves: Sequence[Moves | None], changes: Sequence[Change]
) -> list[tuple[float, Any]]:
    """Return from when on which arm is best by its levels and seasons, of those that are known.

    Changes that may be one breakpoint are at one time here: else an arm that is neither before nor
    after would be best in between.
    """
    known = [(arm, each) for arm, each in enumerate(moves) if each is not None]
    if not known:
        return []
    at = {change: max(c.earliest for c in group) for group in breakpoints(changes)
          for change in group}  # fmt: skip
    time, means = evidence.times, []
    for arm, each in known:
        label = evidence.labels[arm]
        times = sorted(at[change] for change in changes if change.arm == label)
        level = each.means[np.searchsorted(times, time, side="right")]
        means.append(level + each.season.at(time))
    best = _lasting(np.array(means), _errors(time, [each for _, each in known]))
    places = [0, *(np.flatnonzero(np.diff(best)) + 1).tolist()]
    return [(float(time[place]), evidence.labels[known[best[place]][0]]) for place in places]
