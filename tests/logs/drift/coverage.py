"""How often what `drift` says of distance and pace holds, as a table for the how-to page.

In `tests`: `../.venv/bin/python -m logs.drift.coverage 200`. Some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

import driftbandit as db
from driftbandit.core.table import markdown
from logs.simulated import ARMS, DAY, LOGGING, SPAN, WORLDS, Floats

ROWS = 3_000
PACES = {"1 change": (1, 0.8), "4 changes": (4, 0.8), "10 changes": (10, 0.8),
         "20 changes": (20, 0.8), "10 small changes": (10, 0.1)}  # fmt: skip
"""Changes of all arms that come at random, in the mean over logs, and how far a mean may go."""

TRAVELLED = {"still": (0.0, 0.0, 0.0), "jump": (0.4, 0.4, 0.0), "drift": (0.6, 0.4, 0.0)}
RATES = {"still": 0.0, "jump": 1.0, **{name: pace[0] for name, pace in PACES.items()}}


class Truth(NamedTuple):
    """The mean rewards of the rows, and how far each arm's has travelled."""

    means: Floats
    distance: Floats
    changes: int


def truth_of(name: str, time: Floats, rng: np.random.Generator) -> Truth:
    """Return a world of this name, drawn anew where its changes come at random."""
    if name in WORLDS:
        return Truth(WORLDS[name](time), np.array(TRAVELLED[name]), int(RATES.get(name, 0)))
    rate, reach = PACES[name]
    changes = int(rng.poisson(rate))
    levels = rng.uniform(0.5 - reach / 2, 0.5 + reach / 2, (changes + 1, len(ARMS)))
    place = np.searchsorted(np.sort(rng.random(changes)) * SPAN, time)
    return Truth(levels[place], np.abs(np.diff(levels, axis=0)).sum(axis=0), changes)


def drift_of(name: str, seed: int, rows: int = ROWS) -> tuple[db.logs.LogDrift, Truth]:
    """Return what a log says, and the truth."""
    rng = np.random.default_rng([seed, 11])
    time = SPAN * (np.arange(rows) + 0.5) / rows
    truth = truth_of(name, time, rng)
    arm = rng.choice(len(ARMS), rows, p=LOGGING)
    reward = (rng.random(rows) < truth.means[np.arange(rows), arm]).astype(float)
    columns = {"time": time, "arm": np.array(ARMS)[arm], "reward": reward}
    frame = pl.DataFrame({**columns, "propensity": LOGGING[arm]})
    return db.Log.read(frame).drift(), truth


class Row(NamedTuple):
    """Shares of logs, and means over logs."""

    distance_holds: float
    rate_holds: float
    least: float
    seen: float
    travelled: float
    found: float
    changes: float


def row_of(name: str, logs: int, rows: int = ROWS) -> Row:
    """Return how often the lower ends hold, and how far they and the estimates are off."""
    lines = []
    for seed in range(logs):
        drift, truth = drift_of(name, seed, rows)
        least = np.array([arm.certain_distance for arm in drift.arms])
        seen = sum(arm.distance for arm in drift.arms)
        holds = bool((least <= truth.distance + 1e-9).all())
        rate = drift.pace.least_per_day * SPAN / DAY <= RATES.get(name, np.inf)
        numbers = least.sum(), seen, truth.distance.sum(), drift.pace.breakpoints, truth.changes
        lines.append((holds, rate, *map(float, numbers)))
    return Row(*np.array(lines, dtype=float).mean(axis=0).tolist())


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    rows = []
    for name in ("still", "jump", "drift", *PACES):
        row = row_of(name, int(arguments[0]))
        distances = f"{row.least:.2f}, {row.seen:.2f}, {row.travelled:.2f}"
        changes = "–" if name == "drift" else f"{row.changes:.2f}"
        rows.append([name, f"{row.distance_holds:.3f}", distances, f"{row.rate_holds:.3f}",
                     f"{row.found:.2f}, {changes}"])  # fmt: skip
    head = ["world", "least distance holds", "least, found, true", "least rate holds",
            "changes found, true"]  # fmt: skip
    print(*markdown(head, rows, 4), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
