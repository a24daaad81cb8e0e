"""Forced exploration, one rule a file."""

from driftbandit.policies.force.random import RandomForce
from driftbandit.policies.force.rule import Force, Unforced
from driftbandit.policies.force.sweeps import DiminishingSweeps, GrowingSweeps, Sweeps

__all__ = ["DiminishingSweeps", "Force", "GrowingSweeps", "RandomForce", "Sweeps", "Unforced"]
