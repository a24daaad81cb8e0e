"""Logged data: what a log can tell, and what another policy would have earned."""

from driftbandit.logs.check import Check
from driftbandit.logs.drift.result import ArmDrift, Change, LogDrift, Pace, Season, Switches, Window
from driftbandit.logs.log import Log
from driftbandit.logs.overlap import Overlap
from driftbandit.logs.report.result import Report
from driftbandit.logs.tuning.result import Contender, Memories, Tuning, Worth
from driftbandit.logs.values import Difference, Value, Values
from driftbandit.logs.world import FittedWorld, LoggedWorld

__all__ = [
    "ArmDrift",
    "Change",
    "Check",
    "Contender",
    "Difference",
    "FittedWorld",
    "Log",
    "LogDrift",
    "LoggedWorld",
    "Memories",
    "Overlap",
    "Pace",
    "Report",
    "Season",
    "Switches",
    "Tuning",
    "Value",
    "Values",
    "Window",
    "Worth",
]
