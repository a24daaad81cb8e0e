"""How often the best arm switched: what the bands prove, and what the levels say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from driftbandit.logs.drift.moves import Moves
from driftbandit.logs.drift.pace import breakpoints
from driftbandit.logs.drift.result import Change, Switches
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.rows import Floats


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
    best = np.argmax(means, axis=0)
    places = [0, *(np.flatnonzero(np.diff(best)) + 1).tolist()]
    return [(float(time[place]), evidence.labels[known[best[place]][0]]) for place in places]
