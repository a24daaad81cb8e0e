"""The table at the end of docs/how-to/which-policy.md: a small arena, and its scores in markdown.

    python -m benchmarks.guide

plays it, writes the scores to docs/figures/which-policy.csv, and puts the table into the page.
"""

from __future__ import annotations

import polars

import driftbandit as db
from benchmarks.pages import DOCS, FIGURES, put_table
from driftbandit.core.table import markdown
from driftbandit.environments import PROBLEMS, Piecewise, World

PAGE, SCORES = DOCS / "how-to" / "which-policy.md", FIGURES / "which-policy.csv"

RUNS = 200
NEEDS = {
    "Auto": "nothing",
    "KL-UCB": "nothing",
    "Thompson": "nothing",
    "ADWIN-UCB": "nothing",
    "GLR-klUCB": "T",
    "SW-UCB": "T, Υ",
    "SW-TS": "T, Υ",
    "D-UCB (padding B)": "T, Υ",
    "CUSUM-UCB": "T, Υ",
    "EXP3.SIX": "T, Υ",
}
"""The policies, and what each of them needs to know of a problem."""


def problems() -> dict[str, World]:
    still = Piecewise([], [[0.5, 0.4, 0.3]], horizon=10_000)
    names = ("two-swaps", "besson-1", "f-dsw-1", "jmlr-random", "periodic")
    return {"no change": still} | {name: PROBLEMS[name]() for name in names}


def scores() -> polars.DataFrame:
    result = db.arena(list(NEEDS), problems(), RUNS, repeats=0)
    return result.scores.select("problem", "policy", "mean", "low", "high", "ratio", "worse")


def table(scores: polars.DataFrame) -> str:
    """Return the scores in markdown: policies by their worst ratio, bold where unbeaten."""
    names = scores["problem"].unique(maintain_order=True).to_list()
    cells = {(row["policy"], row["problem"]): row for row in scores.to_dicts()}
    worst = {label: max(cells[label, name]["ratio"] for name in names) for label in NEEDS}
    head = ["policy", "is told", *names, "worst ratio"]
    lines = []
    for label in sorted(NEEDS, key=worst.__getitem__):
        regrets = [_regret(cells[label, name]) for name in names]
        lines.append([label, NEEDS[label], *regrets, f"{worst[label]:.2f}"])
    return "".join(f"{line}\n" for line in markdown(head, lines, right=len(names) + 1))


def _regret(row: dict[str, float]) -> str:
    half = 0.5 * (row["high"] - row["low"])
    text = f"{row['mean']:.0f} ± {half:.0f}"
    return text if row["worse"] else f"**{text}**"


def main() -> None:
    scores().write_csv(SCORES, float_precision=3)
    text = table(polars.read_csv(SCORES))
    put_table(PAGE, SCORES, text)
    print(text)


if __name__ == "__main__":
    main()
