"""Forced exploration, one rule per file."""

from driftbandit.rules.force.random import RandomForce
from driftbandit.rules.force.rule import Force, Unforced
from driftbandit.rules.force.sweeps import DiminishingSweeps, GrowingSweeps, Sweeps

__all__ = ["DiminishingSweeps", "Force", "GrowingSweeps", "RandomForce", "Sweeps", "Unforced"]


def __dir__() -> list[str]:
    """List the rules, without the modules they are written in."""
    return sorted(__all__)
