"""What `python -m benchmarks grid` prints, and the same as a table of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.grid.limits import limit_of
from benchmarks.speed.report import quiet, ratio_text
from benchmarks.speed.rounds import OURS
from driftbandit.cli import output

Row = dict[str, Any]
Table = tuple[list[str], list[list[str]]]


def show(report: dict[str, Any]) -> None:
    """Print all policies, then the NumPy programs."""
    print(
        f"nanoseconds of processor time per round on one core: {report['runs']:,} runs × "
        f"{report['horizon']:,} rounds, least of {report['turns']}; ! is above the limit"
    )
    head, lines = policies(report["rows"])
    output.table(head, lines, right=len(head) - 1)
    if programs := [row for row in report["rows"] if row["who"] != OURS]:
        print()
        print("others, and their ratio to driftbandit turn by turn: median (range)")
        cells = [
            [*_name(row), ns_text(row), ratio_text(row["times_driftbandit"])] for row in programs
        ]
        output.table(["who", "policy", "arms", "rewards", "ns", "× driftbandit"], cells, right=2)
    print()
    print(quiet(report["load"], report["machine"]["cores"]))


def policies(rows: Sequence[Row]) -> Table:
    """Return the head and the lines of a table: one line per policy of the package.

    It has the least time of every game, marked where it is above the limit, then the ratios to
    UCB-1, and the limit.
    """
    ours = [row for row in rows if row["who"] == OURS]
    games = list(dict.fromkeys(map(game, ours)))
    lines = []
    for policy in dict.fromkeys(row["policy"] for row in ours):
        mine = {game(row): row for row in ours if row["policy"] == policy}
        times = [ns_text(mine[one]) + ("!" if above(mine[one]) else "") for one in games]
        multiples = [_short(mine[one]["times_ucb1"]) for one in games]
        preset = mine[games[0]]["preset"]
        lines.append([policy, *times, *multiples, str(limit_of(preset))])
    return ["policy", *games, *(f"× UCB-1, {one}" for one in games), "limit"], lines


def game(row: Row) -> str:
    """Return the game of a row.

    >>> game({"arms": 3, "law": "coins"}), game({"arms": 3, "law": "Beta(5)"})
    ('K = 3', 'K = 3, Beta(5)')
    """
    return f"K = {row['arms']}" + ("" if row["law"] == "coins" else f", {row['law']}")


def above(row: Row) -> bool:
    """Say whether the least time is above the limit."""
    return bool(row["ns"]["low"] > row["limit"])


def _name(row: Row) -> list[str]:
    return [row["who"], row["policy"], str(row["arms"]), row["law"]]


def ns_text(row: Row) -> str:
    """Write the least time of a row."""
    return _short(row["ns"]["low"])


def _short(value: float) -> str:
    """Write a number with one digit after the point, a large one without.

    >>> _short(4.72), _short(1234.5)
    ('4.7', '1,234')
    """
    return f"{value:,.1f}" if value < 99.95 else f"{value:,.0f}"
