"""What `python -m benchmarks speed` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.speed.rounds import OURS
from benchmarks.yardsticks.yardstick import PLAIN
from driftbandit.cli import output

Row = dict[str, Any]


def show(report: dict[str, Any]) -> None:
    """Print a report as tables."""
    rows = report["rounds"]
    runs = ", ".join(f"{number:,} with {arms} arms" for arms, number in report["runs"].items())
    print(f"nanoseconds per round of simulate: {report['horizon']:,} rounds, runs: {runs}")
    _engine([row for row in rows if row["who"] == OURS], rows)
    print()
    print(
        "others on one core, nanoseconds per round; ratios are taken turn by turn: median (range)"
    )
    _others([row for row in rows if row["who"] != OURS])
    for name, reason in report["absent"].items():
        print(f"{name}: {reason}")
    print()
    for title, part in (("threads", _threads), ("start", _start), ("memory", _memory)):
        if title in report:
            part(report[title])
            print()
    print(quiet(report["load"], report["machine"]["cores"]))


def _engine(ours: Sequence[Row], rows: Sequence[Row]) -> None:
    threads = sorted({row["threads"] for row in ours})
    plain = {_game(row): row for row in rows if row["who"] == PLAIN.name}
    lines = []
    for game in dict.fromkeys(map(_game, ours)):
        cells = [_ns(row["ns"]) for row in ours if _game(row) == game]
        slow = plain.get(game)
        lines.append([game[0], str(game[1]), *cells, ratio_text(slow["ratio"]) if slow else "–"])
    head = [f"{number} thread{'s' if number > 1 else ''}" for number in threads]
    output.table(["policy", "arms", *head, "faster than plain Python"], lines, right=len(head) + 2)


def _others(rows: Sequence[Row]) -> None:
    policies = list(dict.fromkeys(row["policy"] for row in rows))
    lines = [
        [row["policy"], str(row["arms"]), row["who"], *_cells(row)]
        for row in sorted(rows, key=lambda row: (row["arms"], policies.index(row["policy"])))
    ]
    output.table(["policy", "arms", "who", "ns", "× driftbandit"], lines, right=2)


def _cells(row: Row) -> list[str]:
    if row["failure"]:
        return [row["failure"], "–"]
    return [_ns(row["ns"]), ratio_text(row["ratio"])]


def _threads(gains: Sequence[Row]) -> None:
    print(f"one long job: {gains[0]['runs']:,} runs of all policies, {gains[0]['arms']} arms")
    lines = [
        [str(row["threads"]), f"{row['seconds']['median']:.2f} s", ratio_text(row["gain"])]
        for row in gains
    ]
    output.table(["threads", "time", "as fast as one"], lines, right=3)


def _start(start: Row) -> None:
    print("whole processes")
    lines = [[name, f"{start[name]:.2f} s", "", ""] for name in ("python", "import", "help")]
    for name in ("cold", "warm"):
        cost = start[name]
        cells = [f"{cost['seconds']:.2f} s", str(cost["compilations"]), _bytes(cost["peak"])]
        lines.append([f"first result, {name}", *cells])
    output.table(["process", "time", "compiled", "peak memory"], lines, right=3)


def _memory(cost: Row) -> None:
    print(f"{cost['runs']:,} runs: {_bytes(cost['peak'])}, {cost['seconds']:.0f} s")


def quiet(load: dict[str, float | None], cores: int | None) -> str:
    """Return how busy the machine was: with a load above its cores, the numbers mean little.

    >>> quiet({"before": 0.1, "after": 1.25}, 2)
    'load of the machine: 0.1 before, 1.2 after, 2 cores'
    """
    values = [f"{value:.1f} {when}" for when, value in load.items() if value is not None]
    return f"load of the machine: {', '.join(values) or 'unknown'}, {cores} cores"


def _game(row: Row) -> tuple[str, int]:
    return row["policy"], row["arms"]


def _ns(spread: dict[str, float]) -> str:
    return _short(spread["median"])


def ratio_text(spread: dict[str, float]) -> str:
    """Write a ratio with its range.

    >>> ratio_text({"median": 120.4, "low": 99.7, "high": 131.0})
    '120× (99.7–131)'
    """
    return f"{_short(spread['median'])}× ({_short(spread['low'])}–{_short(spread['high'])})"


def _short(value: float) -> str:
    """Write three digits.

    >>> [_short(value) for value in (0.5678, 7.123, 45.67, 1234.5)]
    ['0.568', '7.12', '45.7', '1,234']
    """
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:#.3g}"


def _bytes(number: int | None) -> str:
    return "unknown" if number is None else f"{number / 2**20:,.0f} MiB"
