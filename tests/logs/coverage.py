"""How often intervals hold the truth, by method and world, as tables for the page on logged data.

From this folder's parent: `PYTHONPATH=.. ../.venv/bin/python -m logs.coverage now 500`, or `full 60`.
Minutes to an hour. The numbers go to docs/figures, and the table into docs/how-to/logged-data.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import driftbandit as db
from benchmarks.pages import DOCS, FIGURES, put_table
from driftbandit.core.table import markdown
from logs.simulated import DAY, SPAN, WORLDS, Drawn, drawn

PAGE = DOCS / "how-to" / "logged-data.md"
ROWS = 3_000
POOR = 0.90
"""A coverage below this is printed in bold."""

Cell = tuple[float, float]
Table = dict[str, dict[str, Cell]]

MEMORIES = {"7 days": db.TimeWindow("7d"), "half-life 4 days": db.HalfLife("4d")}


def of_now(world: str, logs: int) -> dict[str, Cell]:
    """Return coverage and mean width of the value of now and of the next week, by row name."""
    ends: dict[str, list[tuple[float, float, float]]] = {}
    times = {"now": np.array([SPAN]), "next 7d": SPAN + np.linspace(0.0, 7 * DAY, 1_001)}
    truths = {at: WORLDS[world](time).mean(axis=0) for at, time in times.items()}
    for seed in range(logs):
        log = drawn(world, ROWS, seed).log
        for at, truth in truths.items():
            for method in ("dr", "radr", "snips", "ips", "dm"):
                _note(ends, log, truth, at, method, None, "")
        for name, memory in MEMORIES.items():
            _note(ends, log, truths["now"], "now", "dr", memory, name)
    return {name: _cell(rows) for name, rows in ends.items()}


def _note(
    ends: dict[str, list[tuple[float, float, float]]], log: db.Log, truth: Any, at: str,
    method: str, memory: Any, name: str,
) -> None:  # fmt: skip
    """Ask for the value of two arms, and note the intervals beside the truth."""
    values = log.value([{"a": 1.0}, {"c": 1.0}], method=method, at=at, memory=memory)
    for arm, label in ((0, "a"), (2, "c")):
        row = values[f"always {label}"]
        key = " | ".join([at, f"always {label}", f"`{method}`{f', {name}' if name else ''}"])
        ends.setdefault(key, []).append((row.low, row.high, float(truth[arm])))


FULL: list[Any] = [{"a": 1.0}, db.SlidingWindowUCB(window=200), db.UCB1()]


def of_full(world: str, logs: int) -> dict[str, Cell]:
    """Return coverage and mean width of the value at full traffic, in the fitted world."""
    truths = _full_truths(world)
    ends: dict[str, list[tuple[float, float, float]]] = {}
    for seed in range(logs):
        values = drawn(world, ROWS, seed).log.value(FULL, method="world")
        for label, truth in truths.items():
            row = values[label]
            ends.setdefault(label, []).append((row.low, row.high, truth))
    return {name: _cell(rows) for name, rows in ends.items()}


def _full_truths(world: str) -> dict[str, float]:
    """Return what policies earn in the true world, one round per row of a log."""
    sample: Drawn = drawn(world, ROWS, 0)
    breakpoints = list(range(2, ROWS + 1))
    true = db.environments.Piecewise(breakpoints, sample.means, horizon=ROWS)
    result = db.simulate(FULL[1:], true, ROWS, 400, seed=0, checkpoints=1)
    best = float(sample.means.max(axis=1).mean())
    truths = {"always a": float(sample.means[:, 0].mean())}
    for policy in FULL[1:]:
        regret = float(result[policy.label].final_regret.mean())
        truths[policy.label] = best - regret / ROWS
    return truths


def _cell(rows: list[tuple[float, float, float]]) -> Cell:
    low, high, truth = np.array(rows).T
    return float(np.mean((low <= truth) & (truth <= high))), float(np.mean(high - low))


def table_of(cells: dict[str, dict[str, Cell]], head: list[str]) -> str:
    """Return the table in Markdown; a coverage that is too small stands in bold."""
    rows = []
    for name in next(iter(cells.values())):
        texts = []
        for world in cells:
            share, width = cells[world][name]
            mark = "**" if share < POOR else ""
            texts.append(f"{mark}{share:.3f}{mark} ({width:.3f})")
        rows.append([*name.split(" | "), *texts])
    return "\n".join(markdown([*head, *cells], rows, right=len(cells))) + "\n"


KINDS: dict[str, tuple[Callable[[str, int], dict[str, Cell]], list[str]]] = {
    "now": (of_now, ["of", "policy", "method"]),
    "full": (of_full, ["policy"]),
}


def main(kind: str, logs: int) -> None:
    """Measure, and write the numbers and the table."""
    measure, head = KINDS[kind]
    cells = {}
    for world in WORLDS:
        cells[world] = measure(world, logs)
        print(world, "done", file=sys.stderr)
    source = FIGURES / f"coverage-{kind}.json"
    content = {"logs": logs, "rows": ROWS, "worlds": cells}
    source.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    put_table(PAGE, source, table_of(cells, head))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
