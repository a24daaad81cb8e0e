"""The compiled driver: blocks of runs in lockstep, threads, results."""

from driftbandit.engine.result import Outcome, Result
from driftbandit.engine.simulate import simulate, trace
from driftbandit.engine.summary import Summary
from driftbandit.engine.warmup import warmup

__all__ = ["Outcome", "Result", "Summary", "simulate", "trace", "warmup"]
