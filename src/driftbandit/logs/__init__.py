"""Logged data: what a log can tell, and what another policy would have earned."""

from driftbandit.logs.check import Check
from driftbandit.logs.log import Log
from driftbandit.logs.overlap import Overlap
from driftbandit.logs.values import Difference, Value, Values
from driftbandit.logs.world import FittedWorld, LoggedWorld

__all__ = [
    "Check",
    "Difference",
    "FittedWorld",
    "Log",
    "LoggedWorld",
    "Overlap",
    "Value",
    "Values",
]
