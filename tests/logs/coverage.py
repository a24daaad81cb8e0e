"""How often intervals hold the value of now and of the next week, as a table for the how-to page.

In `tests`: `../.venv/bin/python -m logs.coverage 100`. An hour and more for 1,000 logs per world.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import driftbandit as db
from driftbandit.core.table import markdown
from driftbandit.logs.notes import CANNOT_FOLLOW
from logs.simulated import DAY, SPAN, WORLDS, drawn, drawn_from, late_jump

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


LATE = {f"{size} at {share:.0%}": (share, size)
        for size in (0.4, 0.15) for share in (0.8, 0.9, 0.95, 0.98)}  # fmt: skip
"""Jumps near the end of the log: their size, and when."""


def late(share: float, size: float, logs: int) -> list[str]:
    """Return how often the value of now holds after a jump near the end, and how often it warns."""
    cells = []
    for arm, truth in (("a", 0.3 + size), ("b", 0.6 - size)):
        rows = []
        for seed in range(logs):
            log = drawn_from(late_jump(share, size), ROWS, np.random.default_rng([seed, 5])).log
            values = log.value([{arm: 1.0}], at="now")
            row = values[f"always {arm}"]
            warned = any(note.startswith(f"{CANNOT_FOLLOW}: {arm} ") for note in values.notes)
            rows.append((row.low <= truth <= row.high, row.high - row.low, warned))
        held, width, warned = np.array(rows, dtype=float).mean(axis=0)
        mark = "**" if held < POOR else ""
        cells += [f"{mark}{held:.2f}{mark} ({width:.3f})", f"{warned:.2f}"]
    return cells


def main(logs: int) -> None:
    """Print the tables."""
    columns = [coverage(world, logs) for world in WORLDS]
    rows = []
    for key in columns[0]:
        cells = [column[key] for column in columns]
        marks = ["**" if share < POOR else "" for share, _ in cells]
        texts = [f"{mark}{share:.2f}{mark} ({width:.3f})"
                 for mark, (share, width) in zip(marks, cells, strict=True)]  # fmt: skip
        rows.append([*key, *texts])
    print(*markdown(["of", "policy", "method", *WORLDS], rows, len(WORLDS)), "", sep="\n")
    print_late(logs)


def print_late(logs: int) -> None:
    """Print what holds after a jump near the end."""
    rows = [[name, *late(*jump, logs)] for name, jump in LATE.items()]
    head = ["jump", "always a", "warned", "always b", "warned"]
    print(*markdown(head, rows, 4), sep="\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
