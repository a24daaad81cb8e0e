"""How often intervals hold the value of now and of the next week, as a table for the how-to page.

In `tests`: `../.venv/bin/python -m logs.coverage 100`. An hour and more for 1,000 logs per world.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import driftbandit as db
from driftbandit.core.table import markdown
from logs.simulated import DAY, SPAN, WORLDS, drawn

ROWS = 3_000
POOR = 0.90
"""A coverage below this is printed in bold."""

ARMS = {"a": 0, "c": 2}
MEMORIES = {"7 days": db.TimeWindow("7d"), "half-life 4 days": db.HalfLife("4d")}
QUESTIONS: dict[tuple[str, str], dict[str, Any]] = {
    **{(at, f"`{method}`"): {"at": at, "method": method}
       for at in ("now", "next 7d") for method in ("dr", "snips", "dm")},
    **{("now", f"`dr`, {name}"): {"at": "now", "memory": memory}
       for name, memory in MEMORIES.items()},
}  # fmt: skip


def coverage(world: str, logs: int) -> dict[tuple[str, ...], tuple[float, float]]:
    """Return how often the intervals hold, and their mean width, by question and arm."""
    times = {"now": np.array([SPAN]), "next 7d": SPAN + np.linspace(0.0, 7 * DAY, 1_001)}
    truths = {at: WORLDS[world](time).mean(axis=0) for at, time in times.items()}
    ends: dict[tuple[str, ...], list[tuple[float, float, float]]] = {}
    for seed in range(logs):
        log = drawn(world, ROWS, seed).log
        for (at, method), question in QUESTIONS.items():
            values = log.value([{arm: 1.0} for arm in ARMS], **question)
            for arm, place in ARMS.items():
                row = values[f"always {arm}"]
                key: tuple[str, ...] = (at, row.policy, method)
                ends.setdefault(key, []).append((row.low, row.high, float(truths[at][place])))
    cells: dict[tuple[str, ...], tuple[float, float]] = {}
    for name, rows in ends.items():
        low, high, truth = np.array(rows).T
        held = (low <= truth) & (truth <= high)
        cells[name] = float(held.mean()), float((high - low).mean())
    return cells


def main(logs: int) -> None:
    """Print the table."""
    columns = [coverage(world, logs) for world in WORLDS]
    rows = []
    for key in columns[0]:
        cells = [column[key] for column in columns]
        marks = ["**" if share < POOR else "" for share, _ in cells]
        texts = [f"{mark}{share:.2f}{mark} ({width:.3f})"
                 for mark, (share, width) in zip(marks, cells, strict=True)]  # fmt: skip
        rows.append([*key, *texts])
    print(*markdown(["of", "policy", "method", *WORLDS], rows, len(WORLDS)), sep="\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
