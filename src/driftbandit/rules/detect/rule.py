"""The axis of detection: what makes a policy start over."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from driftbandit.core.errors import require, whole
from driftbandit.rules.rule import Rule


def calm(memory: Any, reward: float, count: float, *numbers: Any) -> bool:
    """Raise no alarm."""
    return False


def unplanned(t: float, *numbers: Any) -> bool:
    """Plan no restart."""
    return False


@dataclasses.dataclass(frozen=True)
class Detect(Rule):
    """What makes a policy start over, as a function of rewards, of the round, or both.

    - `alarm(memory, reward, count, …)` is asked after every play about the arm just played. It sees
      the arm's `memory` (as many numbers as the attribute `memory` says, zero after a restart, to
      be changed in place), the new reward, and the arm's weighted count including it. If it returns
      True, everything known about that arm (`scope = "arm"`) or about all arms (`scope = "all"`) is
      forgotten, clock and memory included.
    - `due(t, …)` is asked after every round. If it returns True, all arms are forgotten.

    `memory` and `scope` may be class attributes; `scope` may also be a field, and `memory` a
    property, where they depend on the parameters.

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

    if TYPE_CHECKING:  # subclasses give these as class attributes, fields or properties

        @property
        def memory(self) -> int:
            """How many numbers an arm has."""

        @property
        def scope(self) -> str:
            """What an alarm makes forget: the "arm" played, or "all"."""
    else:
        memory = 0
        scope = "all"

    alarm: ClassVar[Callable[..., bool]] = staticmethod(calm)
    due: ClassVar[Callable[..., bool]] = staticmethod(unplanned)

    def validate(self) -> None:
        """Check the scope; a subclass that checks more calls this too."""
        super().validate()
        name = type(self).__name__
        require(self.scope in ("arm", "all"), f"{name}.scope", self.scope, "be 'arm' or 'all'")

    def handed(self) -> dict[str, tuple[str, ...]]:
        """Return the functions of an arm's rewards and of the round."""
        return {"alarm": ("memory", "reward", "count"), "due": ("t",)}

    def _named(self) -> list[str]:
        """Return the names of the fields that hold numbers: `scope` is none."""
        return [name for name in super()._named() if name != "scope"]

    def check(self) -> None:
        """Raise unless memory and scope are what the engine knows."""
        super().check()
        Detect.validate(self)  # a class with a check of its own may have left it out
        whole(f"{type(self).__name__}.memory", self.memory, least=0)
