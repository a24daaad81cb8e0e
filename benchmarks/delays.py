"""What delay costs: the table and the picture of docs/how-to/live-agent.md.

    python -m benchmarks.delays

rehearses, which takes some minutes, writes the regrets to docs/figures/delays.csv, draws them, and
puts the table into the page.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray

import driftbandit as db
from benchmarks.pages import DOCS, FIGURES, put_table
from driftbandit.core.statistics import interval
from driftbandit.core.table import markdown
from driftbandit.figures.looks import lines, muted
from driftbandit.figures.page import sheet

PAGE, REGRETS = DOCS / "how-to" / "live-agent.md", FIGURES / "delays.csv"
PICTURE = FIGURES / "delays.png"

RUNS, ROUNDS, DELAYS = 100, 6_000, (0, 10, 100, 1_000)
WORKERS = os.cpu_count() or 1
WORLD = db.environments.Piecewise([3_000], [[0.5, 0.3, 0.4], [0.5, 0.3, 0.9]])
UNIFORM = 3_000 * (0.3 / 3 + 1.0 / 3)
"""The regret of uniform play: the gaps are 0, 0.2, 0.1, and then 0.4, 0.6, 0."""
POLICIES: tuple[db.Strategy, ...] = (
    db.Auto(),
    db.SlidingWindowThompson(800),
    db.SlidingWindowUCB(800),
    db.GLRklUCB.tuned(horizon=ROUNDS, arms=3),
    db.EXP3S.tuned(horizon=ROUNDS, breakpoints=1, arms=3),
    db.DiscountedUCB.tuned(horizon=ROUNDS, breakpoints=1),
)


Rows = list[dict[str, Any]]


def regrets(policy: db.Strategy) -> Rows:
    """Return the mean regret with its interval for every delay."""
    rows = []
    for delay in DELAYS:
        result = db.rehearse(policy, WORLD, ROUNDS, delay=delay, runs=RUNS, workers=WORKERS)
        rows.append(row(policy.label, delay, result[policy.label].final_regret))
        print(rows[-1], flush=True)
    return rows


def row(label: str, delay: int, regret: NDArray[np.float64]) -> dict[str, Any]:
    ends = interval(regret)
    low, high = ends["low"], ends["high"]
    return {"policy": label, "delay": delay, "mean": regret.mean(), "low": low, "high": high}


def draw(regrets: polars.DataFrame) -> None:
    """Draw regret against delay, a line per policy."""
    looks = lines(policy.label for policy in POLICIES)
    with sheet(6.4, 3.8, PICTURE) as figure:
        axes = figure.subplots()
        for (label,), frame in regrets.group_by("policy", maintain_order=True):
            mean, look = frame["mean"].to_numpy(), looks[str(label)]
            ends = np.abs(frame.select("low", "high").to_numpy().T - mean)
            axes.errorbar(range(len(DELAYS)), mean, ends, label=label, marker="o", markersize=3.5,
                          color=look.color, linestyle=look.dashes)  # fmt: skip  # one look
        axes.axhline(UNIFORM, color=muted(), linewidth=0.8)
        axes.annotate("uniform play", (0.0, UNIFORM), xytext=(0, 3), textcoords="offset points",
                      color=muted())  # fmt: skip  # one look
        axes.set_xticks(range(len(DELAYS)), [f"{delay:,}" for delay in DELAYS])
        axes.set_xlabel("how late rewards are, in decisions")
        axes.set_ylabel(f"regret after {ROUNDS:,} decisions")
        axes.set_ylim(0.0)
        axes.grid(visible=True, axis="y")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))


def table(regrets: polars.DataFrame) -> str:
    """Return the regrets in markdown, a policy a row."""
    cells = {(row["policy"], row["delay"]): row for row in regrets.to_dicts()}
    labels = [policy.label for policy in POLICIES]
    head = ["policy", "at once", *(f"{delay:,} late" for delay in DELAYS[1:])]
    lines = [[label, *(_regret(cells[label, delay]) for delay in DELAYS)] for label in labels]
    return "".join(f"{line}\n" for line in markdown(head, lines, right=len(DELAYS)))


def _regret(row: dict[str, float]) -> str:
    return f"{row['mean']:.0f} ± {0.5 * (row['high'] - row['low']):.0f}"


def publish(rows: Rows) -> None:
    polars.DataFrame(rows).write_csv(REGRETS, float_precision=3)
    regrets = polars.read_csv(REGRETS)
    draw(regrets)
    text = table(regrets)
    put_table(PAGE, REGRETS, text)
    print(text)


if __name__ == "__main__":
    publish([row for policy in POLICIES for row in regrets(policy)])
