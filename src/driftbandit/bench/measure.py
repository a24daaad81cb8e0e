"""All that `driftbandit bench` measures, as one document."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Sequence
from typing import Any

from driftbandit import __version__
from driftbandit.bench import rounds, starting
from driftbandit.bench.plan import Plan
from driftbandit.bench.yardstick import Absent, Yardstick


def measure(
    plan: Plan, found: Sequence[Yardstick | Absent] = (), tell: rounds.Tell | None = None
) -> dict[str, Any]:
    """Measure and return what can be written as JSON."""
    told = tell or (lambda *_: None)
    before = load()
    there = [one for one in found if not isinstance(one, Absent)]
    rows = list(rounds.rows(plan, there, told))
    report: dict[str, Any] = {
        "machine": machine(),
        "horizon": plan.horizon,
        "runs": {str(arms): plan.runs_with(arms) for arms in plan.arms},
        "steps": {str(arms): plan.steps(arms) for arms in plan.arms},
        "repeats": plan.repeats,
        "rounds": rows,
        "absent": {one.name: one.reason for one in found if isinstance(one, Absent)},
    }
    if plan.long and max(plan.threads) > 1:
        told("threads", 0, 1)
        report["threads"] = rounds.gains(plan, rows)
    if plan.start:
        told("first result, cold and warm", 0, 1)
        report["start"] = starting.start()
    if plan.memory:
        told("memory of 100,000 runs", 0, 1)
        report["memory"] = starting.memory()
    report["load"] = {"before": before, "after": load()}
    return report


def load() -> float | None:
    """Return how many processes wanted a core in the last minute, where the system tells."""
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
    """Return the name of the processor, as well as the system knows it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [
                line.partition(":")[2].strip() for line in lines if line.startswith("model name")
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()
