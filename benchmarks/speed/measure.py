"""All measurements as one document."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Sequence
from typing import Any

from benchmarks.speed import processes, rounds
from benchmarks.speed.plan import Plan
from benchmarks.yardsticks.yardstick import Absent, Yardstick
from driftbandit import __version__


def measure(
    plan: Plan,
    yardsticks: Sequence[Yardstick | Absent] = (),
    progress: rounds.Progress | None = None,
) -> dict[str, Any]:
    """Measure all that the plan names; return plain data."""
    note = progress or (lambda *_: None)
    before = load()
    present = [yardstick for yardstick in yardsticks if not isinstance(yardstick, Absent)]
    rows = list(rounds.rows(plan, present, note))
    report: dict[str, Any] = {
        "machine": machine(),
        "horizon": plan.horizon,
        "runs": {str(arms): plan.runs_with(arms) for arms in plan.arms},
        "steps": {str(arms): plan.steps(arms) for arms in plan.arms},
        "repeats": plan.repeats,
        "rounds": rows,
        "absent": {each.name: each.reason for each in yardsticks if isinstance(each, Absent)},
    }
    if plan.long and max(plan.threads) > 1:
        note("threads", 0, 1)
        report["threads"] = rounds.gains(plan, rows)
    if plan.start:
        note("first result, cold and warm", 0, 1)
        report["start"] = processes.start()
    if plan.memory:
        note("memory of 100,000 runs", 0, 1)
        report["memory"] = processes.memory()
    report["load"] = {"before": before, "after": load()}
    return report


def load() -> float | None:
    """Return how many processes wanted a core in the last minute, if the system says."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def machine() -> dict[str, Any]:
    """Return what the numbers depend on besides the code."""
    versions = {name: importlib.metadata.version(name) for name in ("numpy", "numba", "llvmlite")}
    return {
        "driftbandit": __version__,
        "python": platform.python_version(),
        **versions,
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    """Return the name of the processor, as far as the system knows it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [
                line.partition(":")[2].strip() for line in lines if line.startswith("model name")
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()
