"""What delay costs: the table and the picture of docs/how-to/live-agent.md.

    python -m benchmarks.delays

rehearses, which takes some minutes, writes the regrets to docs/figures/delays.csv, draws them, and
puts the table into the page.
"""

from __future__ import annotations

import os

import polars

import driftbandit as db
from benchmarks.pages import DOCS, FIGURES, put_table
from driftbandit.core.table import markdown
from driftbandit.engine import Result

PAGE, REGRETS = DOCS / "how-to" / "live-agent.md", FIGURES / "delays.csv"
PICTURE = FIGURES / "delays.png"

RUNS, ROUNDS, DELAYS = 100, 6_000, (0, 10, 100, 1_000)
WORLD = db.environments.Piecewise([3_000], [[0.5, 0.3, 0.4], [0.5, 0.3, 0.9]])
POLICIES: tuple[db.Strategy, ...] = (
    db.Auto(),
    db.SlidingWindowThompson(800),
    db.SlidingWindowUCB(800),
    db.GLRklUCB.tuned(horizon=ROUNDS, arms=3),
    db.EXP3S.tuned(horizon=ROUNDS, breakpoints=1, arms=3),
    db.DiscountedUCB.tuned(horizon=ROUNDS, breakpoints=1),
)


def rehearsed(delay: int) -> Result:
    workers = os.cpu_count() or 1
    return db.rehearse(POLICIES, WORLD, ROUNDS, delay=delay, runs=RUNS, workers=workers)


def regrets(results: dict[int, Result]) -> polars.DataFrame:
    frames = []
    for delay, result in results.items():
        frame = result.summary().policies.select("policy", "mean", "low", "high")
        frames.append(frame.with_columns(polars.lit(delay).alias("delay")))
    return polars.concat(frames)


def draw(results: dict[int, Result]) -> None:
    panels = {"rewards come at once": results[0], "rewards come 100 decisions late": results[100]}
    db.figures.family(panels, PICTURE)


def table(regrets: polars.DataFrame) -> str:
    """Return the regrets in markdown, a policy a row."""
    cells = {(row["policy"], row["delay"]): row for row in regrets.to_dicts()}
    labels = [policy.label for policy in POLICIES]
    head = ["policy", "at once", *(f"{delay:,} late" for delay in DELAYS[1:])]
    lines = [[label, *(_regret(cells[label, delay]) for delay in DELAYS)] for label in labels]
    return "".join(f"{line}\n" for line in markdown(head, lines, right=len(DELAYS)))


def _regret(row: dict[str, float]) -> str:
    return f"{row['mean']:.0f} ± {0.5 * (row['high'] - row['low']):.0f}"


def publish(results: dict[int, Result]) -> None:
    regrets(results).write_csv(REGRETS, float_precision=3)
    draw(results)
    text = table(polars.read_csv(REGRETS))
    put_table(PAGE, REGRETS, text)
    print(text)


if __name__ == "__main__":
    publish({delay: rehearsed(delay) for delay in DELAYS})
