"""The tables of the grid in README and docs/how-to/measure-the-speed.md.

    python -m benchmarks grid --json docs/figures/grid.json
    python -m benchmarks.grid.page

The second command puts the numbers of the file into both pages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.grid.report import Row, game, ns_text, policies
from benchmarks.pages import DOCS, FIGURES, put_table
from benchmarks.speed.rounds import OURS
from driftbandit.core.table import markdown

NUMBERS = FIGURES / "grid.json"
WHOLE, SHORT = DOCS / "how-to" / "measure-the-speed.md", DOCS.parent / "README.md"
WELL_KNOWN = (
    "ucb-1",
    "exp3.s",
    "d-ucb",
    "sw-ucb",
    "cusum-ucb",
    "adwin-ucb",
    "gaussian-thompson",
    "kl-ucb",
    "glr-kl-ucb",
    "auto",
    "thompson",
)
"""The policies of the short table, besides the slowest."""
SLOWEST = 6


def whole(rows: Sequence[Row]) -> str:
    """Return all policies and the NumPy programs in Markdown."""
    head, lines = policies(rows)
    blank = [""] * (len(head) - 1 - len(_games(rows)))
    return _text(head, [*lines, *([*line, *blank] for line in _programs(rows))])


def short(rows: Sequence[Row]) -> str:
    """Return well-known policies, the slowest, and the NumPy programs in Markdown."""
    games = _games(rows)
    head, lines = policies(rows)
    known = {row["policy"] for row in rows if row["preset"] in WELL_KNOWN}
    chosen = {*known, *slowest(rows)}
    few = [line[: 1 + len(games)] for line in lines if line[0] in chosen]
    return _text(head[: 1 + len(games)], [*few, *_programs(rows)])


def slowest(rows: Sequence[Row]) -> list[str]:
    """Return the policies that take longest with the most arms, the slowest first."""
    most = max(row["arms"] for row in rows)
    ours = [row for row in rows if row["who"] == OURS and row["arms"] == most]
    ranked = sorted(ours, key=lambda row: row["ns"]["low"], reverse=True)
    return [row["policy"] for row in ranked[:SLOWEST]]


def _programs(rows: Sequence[Row]) -> list[list[str]]:
    """Return a line per policy that a NumPy program plays."""
    theirs = [row for row in rows if row["who"] != OURS]
    names = dict.fromkeys((row["who"], row["policy"]) for row in theirs)
    return [
        [
            f"*{who}: {policy}*",
            *(ns_text(row) for row in theirs if (row["who"], row["policy"]) == (who, policy)),
        ]
        for who, policy in names
    ]


def _games(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(map(game, rows)))


def _text(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "".join(f"{line}\n" for line in markdown(head, lines, right=len(head) - 1))


def read() -> list[Row]:
    """Return the rows of the file."""
    report: dict[str, Any] = json.loads(NUMBERS.read_text(encoding="utf-8"))
    rows: list[Row] = report["rows"]
    return rows


def main() -> None:
    """Put the tables into the pages."""
    rows = read()
    put_table(WHOLE, NUMBERS, whole(rows))
    put_table(SHORT, NUMBERS, short(rows))
    print(whole(rows))


if __name__ == "__main__":
    main()
