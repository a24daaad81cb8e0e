"""Setting a policy's parameters by simulation."""

from driftbandit.tuning.ranges import Range
from driftbandit.tuning.tune import tune
from driftbandit.tuning.tuned import Tuned

__all__ = ["Range", "Tuned", "tune"]
