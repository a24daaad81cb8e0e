"""The README's comparison as a process of its own: `first.py RUNS HORIZON [POLICIES]`.

It prints its cost: functions compiled, and the peak of memory in bytes after import and at the end.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import driftbandit as db
from driftbandit.engine import first_use


def main(runs: int, horizon: int, policies: int = 4) -> None:
    """Play the first `policies` of the paper's four and print the cost as JSON."""
    players = [
        db.UCB1(),
        db.EXP3S.tuned(horizon, breakpoints=2, arms=3),
        db.DiscountedUCB(0.9975),
        db.SlidingWindowUCB(1213),
    ][:policies]
    world = db.environments.two_swaps(horizon)
    before = peak()
    with first_use.counted() as compilations:
        db.simulate(players, world, horizon=horizon, runs=runs)
    cost = {"compilations": compilations.number, "imported": before, "peak": peak()}
    print(json.dumps(cost))


def peak() -> int | None:
    """Return the peak of this process's memory in bytes, if the system says.

    On Linux, getrusage includes the process that started this one; /proc does not.
    """
    account = Path("/proc/self/status")
    if account.exists():
        (line,) = (line for line in account.read_text().splitlines() if line.startswith("VmHWM"))
        return 1024 * int(line.split()[1])
    try:
        import resource  # noqa: PLC0415  # Windows does not have it
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
