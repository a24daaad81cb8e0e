"""The changes of arms that a forecast may jump at, and those that it cannot follow."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from driftbandit.logs.drift.moves import Moves, moves_of
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.rows import Floats

MISS = 0.05
"""How likely a change is found where there is none, over all arms."""

MOST_ARMS = 100
"""Arms whose changes are looked for: those played most."""

FEW_PLAYS = 100.0
"""With fewer plays since a change, the level after it is hardly known, nor when it came."""


LAST = 0.1
"""The share of the rows that is the end of a log."""


class LateChange(NamedTuple):
    """A change near the end of a log."""

    arm: Any
    at: float
    plays: int
    """How often the arm was played since."""


class Changes:
    """When the mean rewards of arms changed, each arm looked at once."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._moves = functools.cache(self._moves_of)
        self._played = functools.cache(lambda: set(evidence.most_played(MOST_ARMS)))

    def of(self, arms: Sequence[int]) -> Floats:
        """Return the times at which any of these arms changed."""
        times = [moves.times for _, moves in self._moving(arms)]
        return np.unique(np.concatenate([np.empty(0), *times]))

    def late(self, arms: Sequence[int]) -> list[LateChange]:
        """Return the changes since which an arm was played too rarely to be followed."""
        labels = self._evidence.labels
        last = [
            LateChange(labels[arm], float(moves.times[-1]), int(moves.plays[-1]))
            for arm, moves in self._moving(arms)
        ]
        return [each for each in last if each.plays < FEW_PLAYS]

    def findable(self) -> tuple[Any, float] | None:
        """Return the arm played most, and which change of it in the last tenth would be found."""
        (arm,) = self._evidence.most_played(1)
        moves = self._moves(arm)
        if moves is None:
            return None
        size = moves.findable(MISS / self._evidence.arms, LAST)
        return self._evidence.labels[arm], self._evidence.bound * size

    def _moving(self, arms: Sequence[int]) -> list[tuple[int, Moves]]:
        """Return the arms that changed; of very many, those played most are looked at."""
        pairs = ((arm, self._moves(arm)) for arm in sorted(set(arms) & self._played()))
        return [(arm, moves) for arm, moves in pairs if moves is not None and len(moves.borders)]

    def _moves_of(self, arm: int) -> Moves | None:
        return moves_of(self._evidence, arm, MISS)
