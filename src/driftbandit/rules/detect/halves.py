"""Two halves of a window compared."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from driftbandit.core.domain import Positive, Whole
from driftbandit.rules.detect.rule import Detect

SEEN, GAP, RING = 0, 1, 2
"""Places of the memory: the arm's plays, the newer sum minus the older, and the last w rewards."""


@dataclasses.dataclass(frozen=True)
class TwoHalves(Detect):
    """Compare the sums of the last w/2 rewards of an arm and of the w/2 before them.

    Once the arm has w rewards since the last restart: alarm if |Σ newer − Σ older| > b. w is
    `window`, an even number of plays of the arm; b is `threshold`, in units of reward. It keeps w
    numbers an arm.

    Reference: M-UCB, Cao, Wen, Kveton & Xie 2019, algorithm 2.

    >>> rule = TwoHalves(window=4, threshold=1.5)
    >>> memory = [0.0] * rule.memory
    >>> [rule.alarm(memory, x, 0.0, *rule.numbers()) for x in (0.0, 0.0, 0.0, 1.0, 1.0)]
    [False, False, False, False, True]
    """

    window: Annotated[int, Whole(least=2, even=True)]
    threshold: Positive
    scope: str = "all"

    @property
    def memory(self) -> int:
        """Numbers kept an arm."""
        return RING + self.window

    @staticmethod
    def alarm(memory: Any, reward: float, count: float, window: float, threshold: float) -> bool:
        """Let the newest reward come in, the middle one change sides, and the oldest one leave."""
        size, half, seen = int(window), int(window) // 2, int(memory[SEEN])
        at = seen % size
        middle = memory[RING + (at + half) % size]
        memory[GAP] += reward - 2.0 * middle + memory[RING + at]
        memory[RING + at] = reward
        memory[SEEN] += 1.0
        if at == size - 1:  # the ring lies in order: sum anew, so that rounding never adds up
            memory[GAP] = 0.0
            for i in range(half):
                memory[GAP] += memory[RING + half + i] - memory[RING + i]
        return seen + 1 >= size and abs(memory[GAP]) > threshold
