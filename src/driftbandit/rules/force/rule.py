"""Forced exploration: rounds in which an arm is played whatever its index."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar

from driftbandit.rules.rule import Rule


def free(since: float, restarts: float, arms: float, *numbers: Any) -> int:
    """Leave the choice to the index."""
    return -1


@dataclasses.dataclass(frozen=True)
class Force(Rule):
    """Which rounds are taken from the index, so that a detector gets data on every arm.

    `arm(since, restarts, arms, …)` returns the arm that must be played now, or −1 for a free
    choice. `since` is 1 in the first round after the last restart (or of the run), `restarts` how
    many there were, of one arm or of all, and `arms` is K. With the class attribute `noise = True`
    a uniform number of (0, 1), fresh every round, comes fourth. The first K rounds of a run play
    every arm once in any case.

    >>> from dataclasses import dataclass
    >>> import driftbandit as db
    >>> @dataclass(frozen=True)
    ... class Tenth(db.Force):
    ...     @staticmethod
    ...     def arm(since, restarts, arms):
    ...         return int(since / 10.0) % int(arms) if since % 10.0 == 0.0 else -1
    >>> db.Policy(force=Tenth()).label
    'Full() × UCB(xi=0.5, bound=1.0, padding=1.0) × Tenth()'
    """

    noise: ClassVar[bool] = False
    arm: ClassVar[Callable[..., int]] = staticmethod(free)

    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Return the function of the round."""
        return {"arm": ("since", "restarts", "arms", *("noise",) * self.noise)}


@dataclasses.dataclass(frozen=True)
class Unforced(Force):
    """No forced exploration: the index alone decides.

    >>> Unforced.arm(1.0, 0.0, 3.0)
    -1
    """
