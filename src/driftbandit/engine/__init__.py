"""The compiled driver: blocks of runs in lockstep, played anywhere, results."""

from driftbandit.engine import surroundings  # noqa: F401  # looks before Numba is imported
from driftbandit.engine.best_arm import best_arm_changes, changes
from driftbandit.engine.result import Outcome, Result
from driftbandit.engine.simulate import simulate, trace
from driftbandit.engine.summary import Summary
from driftbandit.engine.warmup import warmup

__all__ = [
    "Outcome",
    "Result",
    "Summary",
    "best_arm_changes",
    "changes",
    "simulate",
    "trace",
    "warmup",
]
