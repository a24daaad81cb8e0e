"""When a detector that reads the rewards one after the other would have raised an alarm."""

from __future__ import annotations

from driftbandit.logs.evidence import Evidence
from driftbandit.logs.rows import Floats, places_by_arm
from driftbandit.rules.detect import GLR

MOST_REWARDS = 50_000
"""Rewards per arm that are read; of more, every second, third, … one."""


def alarms(evidence: Evidence, miss: float) -> list[list[float]]:
    """Return when a `GLR` test per arm raises an alarm; after each it starts over.

    It sees each reward when it comes, as a live policy does: an alarm comes later than its change.
    """
    detectors = [_Reader(evidence, arm, miss) for arm in range(evidence.arms)]
    for piece in evidence.pieces():
        rows = piece.rows
        places_of = places_by_arm(rows.arm, evidence.arms)
        for detector, places in zip(detectors, places_of, strict=True):
            detector.read(rows.time[places], rows.reward[places])
    return [detector.alarms for detector in detectors]


class _Reader:
    """A detector, and how many rewards it was shown."""

    def __init__(self, evidence: Evidence, arm: int, miss: float) -> None:
        self._rule = GLR(delta=miss / evidence.arms, bound=evidence.bound)
        self._numbers, self._state = self._rule.numbers(), self._rule.state.blank()
        self._step = -(-int(evidence.by_block.counts[:, arm].sum()) // MOST_REWARDS) or 1
        self._seen = 0
        self.alarms: list[float] = []

    def read(self, times: Floats, rewards: Floats) -> None:
        """Read rewards, one after the other."""
        first = -self._seen % self._step
        self._seen += len(times)
        pairs = zip(times[first :: self._step].tolist(), rewards[first :: self._step].tolist(),
                    strict=True)  # fmt: skip
        for time, reward in pairs:
            if self._rule.alarm(self._state, reward, 0.0, *self._numbers):
                self.alarms.append(time)
                self._state = self._rule.state.blank()
