"""Tune a policy's parameters by simulation."""

from driftbandit.studies.tune.ranges import Range
from driftbandit.studies.tune.result import Tuned
from driftbandit.studies.tune.tune import tune

__all__ = ["Range", "Tuned", "tune"]
