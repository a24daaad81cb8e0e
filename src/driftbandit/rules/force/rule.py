"""Forced exploration: rounds in which an arm is played whatever its index."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar

from driftbandit.core.arithmetic import value_of
from driftbandit.core.errors import InputError, is_flag, is_number, require
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
    every arm once in any case. A rule with noise may have `law(since, restarts, arms, …)` as well,
    the probability that each arm is forced: a live agent then knows that of its decisions.

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
    law: ClassVar[Callable[..., list[float]] | None] = None
    arm: ClassVar[Callable[..., int]] = staticmethod(free)

    def check_arm(self, arm: Any, arms: int) -> int:
        """Return what `arm` returned, or raise if there is no such arm."""
        fits = is_number(arm) and -1 <= arm < arms and int(arm) == arm
        allowed = f"be an arm from 0 to {arms - 1}, or −1"
        require(fits or is_flag(arm), f"what {type(self).__name__}.arm returns", arm, allowed)
        return int(arm)

    def check(self) -> None:
        """Raise unless the function returns a number, at one example."""
        super().check()
        if self.arm is free and Force in type(self).__bases__ and not self.trusted:
            raise InputError(f"{type(self).__name__} must have a staticmethod arm")
        if not self.trusted:
            value_of(type(self).arm, 4.0, 0.0, 3.0, *(0.5,) * self.noise, *self.numbers())

    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Return the function of the round."""
        return {"arm": ("since", "restarts", "arms", *("noise",) * self.noise)}


@dataclasses.dataclass(frozen=True)
class Unforced(Force):
    """No forced exploration: the index alone decides.

    >>> Unforced.arm(1.0, 0.0, 3.0)
    -1
    """
