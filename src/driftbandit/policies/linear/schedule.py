"""What a linear policy does in each round whatever the rewards: fade, forget, set the radius."""

from __future__ import annotations

import math
from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.plain import Kept
from driftbandit.core.state import State
from driftbandit.rules.confidence import Confidence
from driftbandit.rules.detect import Detect
from driftbandit.rules.forget import Forget

NONE = -1.0
"""The weight of a play that leaves the window when none does."""


KEEP, REBUILD, CLEAR = 0.0, 1.0, 2.0
"""What becomes of the sums after a round."""


ROUND = State("radius", "factor", "gone", "after").dtype
"""What a round brings whatever is seen: the radius to choose with, then a `Step`."""


class Step(NamedTuple):
    """How one round is learned."""

    factor: float
    """What all that is older is multiplied by."""
    gone: float
    """The weight of the play that then leaves the window, or NONE."""
    after: float
    """KEEP the sums, REBUILD them from the window, each time all its plays have been replaced,
    or CLEAR them, to start over."""


class Schedule(Kept):
    """The forgetting and the radius of a policy, round by round; the same for all runs."""

    kept = ("rounds", "squares", "span", "_factor", "_fading", "_taken", "_window")

    def __init__(
        self, forget: Forget, detect: Detect, confidence: Confidence, ridge: float, dimension: int
    ) -> None:
        self._forget, self._numbers = forget, forget.numbers()
        self._due, self._planned = detect.due, detect.numbers()
        self._confidence, self._given = confidence, (float(dimension), ridge)
        self._confident = confidence.numbers()
        self.rounds, self.squares = 0, 0.0
        self._factor = forget.factor(1.0, *self._numbers)
        self.span = forget.span(1.0, *self._numbers)
        self._fading, self._taken = 0.0, 0
        self._window: deque[float] = deque()
        self._known, self._radius = (math.nan, math.nan), 0.0

    @property
    def radius(self) -> float:
        """The radius β with which the next round is chosen."""
        now = self.squares, self.span
        if now != self._known:
            self._known = now
            self._radius = self._confidence.radius(*now, *self._given, *self._confident)
        return self._radius

    def step(self) -> Step:
        """Pass to the next round, and say how it is learned."""
        self.rounds += 1
        if not self._forget.steady:
            self._factor = self._forget.factor(float(self.rounds), *self._numbers)
            self.span = self._forget.span(float(self.rounds), *self._numbers)
        gone, after = NONE, KEEP
        if self.span < math.inf:
            gone, after = self._slide()
        left = max(gone, 0.0)
        self.squares = self._factor * self._factor * self.squares + 1.0 - left * left
        if self._due(float(self.rounds), *self._planned):
            after, self.squares, self._taken = CLEAR, 0.0, 0
            self._window.clear()
        return Step(self._factor, gone, after)

    def _slide(self) -> tuple[float, float]:
        """Note the new play; at most one leaves a round, for windows never shrink."""
        self._fading += math.log(self._factor)
        gone = NONE
        if len(self._window) >= self.span:
            gone = math.exp(self._fading - self._window.popleft())
            self._taken += 1
        self._window.append(self._fading)
        if self._taken < len(self._window):
            return gone, KEEP
        self._taken = 0
        return gone, REBUILD

    def table(self, rounds: int) -> NDArray[np.void]:
        """Return the next rounds, one record per round, for compiled code."""
        table = np.empty(rounds, dtype=ROUND)
        for t in range(rounds):
            table[t] = (self.radius, *self.step())
        return table
