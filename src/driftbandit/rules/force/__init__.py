"""Forced exploration, one rule a file."""

from driftbandit.rules.force.random import RandomForce
from driftbandit.rules.force.rule import Force, Unforced
from driftbandit.rules.force.sweeps import DiminishingSweeps, GrowingSweeps, Sweeps

__all__ = ["DiminishingSweeps", "Force", "GrowingSweeps", "RandomForce", "Sweeps", "Unforced"]
