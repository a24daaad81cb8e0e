"""The axis of detection: what makes a policy start over."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar

from driftbandit.errors import require, whole
from driftbandit.policies.rule import Rule


def calm(memory: Any, reward: float, count: float, *numbers: Any) -> bool:
    """Raise no alarm."""
    return False


@dataclasses.dataclass(frozen=True)
class Detect(Rule):
    """What raises an alarm, as one function of the rewards of the arm just played.

    `alarm(memory, reward, count, …)` sees the arm's `memory` (as many numbers as the class
    attribute `memory` says, zero after a restart, to be changed in place), the new reward, and the
    arm's weighted count including it. If it returns True, everything known about that arm
    (`scope = "arm"`) or about all arms (`scope = "all"`) is forgotten, clock and memory included.

    >>> from dataclasses import dataclass
    >>> import driftbandit as db
    >>> @dataclass(frozen=True)
    ... class Streak(db.Detect):
    ...     length: float = 20.0
    ...     memory = 1
    ...
    ...     @staticmethod
    ...     def alarm(memory, reward, count, length):
    ...         memory[0] = memory[0] + 1.0 if reward == 0.0 else 0.0
    ...         return memory[0] >= length
    >>> db.Policy(detect=Streak(30), explore=db.UCB()).detect
    Streak(length=30)
    """

    memory: ClassVar[int] = 0
    scope: ClassVar[str] = "all"

    alarm: ClassVar[Callable[..., bool]] = staticmethod(calm)

    def handed(self) -> dict[str, tuple[str, ...]]:
        """Return the function of an arm's rewards."""
        return {"alarm": ("memory", "reward", "count")}

    def check(self) -> None:
        """Raise unless memory and scope are what the engine knows."""
        super().check()
        name = type(self).__name__
        require(self.scope in ("arm", "all"), f"{name}.scope", self.scope, "be 'arm' or 'all'")
        whole(f"{name}.memory", self.memory, least=0)
