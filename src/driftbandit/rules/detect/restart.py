"""Restarts at rounds that are planned, whatever is seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Annotated, Any

from driftbandit.core.domain import Checked, Count
from driftbandit.core.errors import require
from driftbandit.core.rounds import increasing_rounds
from driftbandit.rules.detect.rule import Detect


def some_rounds(name: str, value: Any) -> tuple[int, ...]:
    """Return at least one round, each later than the one before, or raise."""
    rounds = increasing_rounds(name, value)
    require(len(rounds) > 0, name, value, "be a list of at least one round")
    return rounds


@dataclasses.dataclass(frozen=True)
class PeriodicRestart(Detect):
    """Start over every H rounds: after rounds H, 2H, 3H, …

    Forgetting by the calendar needs no test and no forced exploration. H is `period`.

    Reference: the schedule of Rexp3, Besbes, Gur & Zeevi 2014.

    >>> rule = PeriodicRestart(100)
    >>> [t for t in (99.0, 100.0, 101.0, 200.0) if rule.due(t, *rule.numbers())]
    [100.0, 200.0]
    """

    period: Count

    @staticmethod
    def due(t: float, period: float) -> bool:
        """Say whether t is a multiple of H."""
        return t % period == 0.0


@dataclasses.dataclass(frozen=True)
class KnownRestart(Detect):
    """Start over where the world does: an oracle that is told the breakpoints.

    `rounds` are the first rounds of the new stretches, as in `environments.Piecewise`: all arms are
    forgotten just before each of them, whichever arm was played last.

    Reference: the oracle policy that Besson, Kaufmann, Maillard & Seznec 2022 compare with.

    >>> rule = KnownRestart((3000, 5000))
    >>> [t for t in (2999.0, 3000.0, 4999.0) if rule.due(t, *rule.numbers())]
    [2999.0, 4999.0]
    """

    rounds: Annotated[Sequence[int], Checked(some_rounds)]

    def numbers(self) -> tuple[float, ...]:
        """Return the rounds, the last of them again and again up to a power of two of at least 8.

        Machine code depends on how many numbers there are.
        """
        rounds = super().numbers()
        size = max(8, 1 << (len(rounds) - 1).bit_length())
        return rounds + (size - len(rounds)) * rounds[-1:]

    @staticmethod
    def due(t: float, *rounds: float) -> bool:
        """Say whether one of the rounds comes next."""
        due = False
        for at in rounds:
            due = due or at == t + 1.0
        return due
