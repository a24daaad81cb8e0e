"""Two halves of a window compared."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from driftbandit.core.domain import REMEMBERED, Positive, Whole
from driftbandit.core.state import State
from driftbandit.rules.detect.rule import Detect


@dataclasses.dataclass(frozen=True)
class TwoHalves(Detect):
    """Compare the sums of the last w/2 rewards of an arm and of the w/2 before them.

    Once the arm has w rewards since the last restart: alarm if |Σ newer − Σ older| > b. w is
    `window`, an even number of plays of the arm; b is `threshold`, in units of reward. It keeps w
    numbers per arm.

    Reference: M-UCB, Cao, Wen, Kveton & Xie 2019, algorithm 2.

    >>> rule = TwoHalves(window=4, threshold=1.5)
    >>> state, room = rule.state.blank(), [0.0] * rule.room
    >>> [rule.alarm(state, room, x, 0.0, *rule.numbers()) for x in (0.0, 0.0, 0.0, 1.0, 1.0)]
    [False, False, False, False, True]
    """

    state = State("seen", "gap")
    """The plays of the arm, and the newer sum minus the older."""

    window: Annotated[int, Whole(least=2, most=REMEMBERED, even=True)]
    threshold: Positive
    scope: str = "all"

    @property
    def room(self) -> int:
        """How many rewards an arm remembers: w."""
        return self.window

    @staticmethod
    def alarm(
        state: Any, room: Any, reward: float, count: float, window: float, threshold: float
    ) -> bool:
        """Let the newest reward come in, the middle one change sides, and the oldest one leave."""
        size, half, seen = int(window), int(window) // 2, int(state.seen)
        at = seen % size
        middle = room[(at + half) % size]
        state.gap += reward - 2.0 * middle + room[at]
        room[at] = reward
        state.seen += 1.0
        if at == size - 1:  # the ring lies in order: add up again, so that rounding never adds up
            state.gap = 0.0
            for i in range(half):
                state.gap += room[half + i] - room[i]
        return seen + 1 >= size and abs(state.gap) > threshold
