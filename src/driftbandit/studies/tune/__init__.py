"""Setting a policy's parameters by simulation."""

from driftbandit.studies.tune.ranges import Range
from driftbandit.studies.tune.tune import tune
from driftbandit.studies.tune.tuned import Tuned

__all__ = ["Range", "Tuned", "tune"]
