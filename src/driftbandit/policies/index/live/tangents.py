"""Index policies whose index is costly, one step at a time: few indices are computed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from driftbandit.policies.index.live.choose import IndexLearner
from driftbandit.policies.learner import Draw

if TYPE_CHECKING:
    from driftbandit.policies.index.policy import Policy

CLOSE = 1e-11
"""Indices that differ by less than this share are too close for rounding."""

UNKNOWN = (math.inf, 0.0)


class TangentLearner(IndexLearner):
    """An index with a tangent, and one clock: see `lockstep.tangents`."""

    def __init__(self, policy: Policy, arms: int) -> None:
        super().__init__(policy, arms)
        self._lines = [UNKNOWN] * arms
        self._x = math.inf

    def choose(self, draw: Draw) -> int:
        """Return an arm never tried, or the one with the largest index, the lowest of equals."""
        if self.untried:
            return self.untried[0]
        level = self.policy.explore.level
        assert level is not None
        now = level(max(self.clock, 1.0), *self._exploring)
        x = now * self.weight
        if not x >= self._x:
            self._lines = [UNKNOWN] * len(self.counts)
        self._x = x
        tops = [start + x * rate for start, rate in self._lines]
        leader, lead = -1, -math.inf
        for arm in sorted(range(len(tops)), key=lambda arm: -tops[arm]):
            if tops[arm] < lead - CLOSE * abs(lead):
                break
            value = self._renewed(arm, now)
            if value > lead or (value == lead and arm < leader):
                leader, lead = arm, value
        return leader if lead > -math.inf else self._largest(self.means, range(len(tops)))

    def _renewed(self, arm: int, now: float) -> float:
        """Compute an arm's index and tangent; return the index."""
        count, tangent = self.counts[arm], self.policy.explore.tangent
        assert tangent is not None
        if count == 0.0:
            return float(self.means[arm])
        count += self.awaited[arm]
        share = now / (count / self.weight)
        value, rate = tangent(self.means[arm], share, *self._exploring)
        if math.isnan(value):
            raise self.policy.explore.nan_index(arm)
        self._lines[arm] = value - rate * share, rate / count
        return value

    def _change(self, arm: int, weight: float, reward: float) -> None:
        """Add or take out a play; what was known of the arm's index is void."""
        super()._change(arm, weight, reward)
        self._lines[arm] = UNKNOWN

    def _size(self, arm: int) -> None:
        """Count the awaited plays; what was known of the arm's index is void."""
        super()._size(arm)
        self._lines[arm] = UNKNOWN

    def add_arm(self) -> None:
        """Make place for one more arm."""
        super().add_arm()
        self._lines.append(UNKNOWN)

    def load(self, state: dict[str, Any]) -> None:
        """Take over a state; nothing is known of the indices."""
        super().load(state)
        self._lines, self._x = [UNKNOWN] * len(self.counts), math.inf
