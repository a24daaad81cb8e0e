"""`driftbandit bench`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from driftbandit import figures
from driftbandit.bench.measure import measure
from driftbandit.bench.plan import QUICK, Plan
from driftbandit.bench.rounds import OURS
from driftbandit.bench.yardstick import FILE, PLAIN, Absent, Yardstick, load
from driftbandit.cli import output
from driftbandit.cli.simulating import made_policies
from driftbandit.core.errors import InputError
from driftbandit.core.files import filling

YARDSTICKS = "benchmarks"
"""Where yardsticks are looked for if no folder is given."""

Row = dict[str, Any]


def run(
    policy: Sequence[str],
    numbers: dict[str, str | None],
    yardsticks: str | None,
    out: str,
    quick: bool,
    memory: bool,
    as_json: bool,
) -> None:
    """Measure, write every file or none, and print the tables."""
    plan = dataclasses.replace(planned(policy, numbers, QUICK if quick else Plan()), memory=memory)
    found = looked_up(yardsticks)
    with filling(out) as partial:  # a folder that cannot be written is no surprise at the end
        with output.progress() as tell:
            report = measure(plan, found, tell)
        (partial / "bench.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        figures.speed(report, partial / "bench.png", partial / "bench.svg")
        files = [Path(out) / path.name for path in sorted(partial.iterdir())]
    if as_json:
        output.document({**report, "files": [str(path) for path in files]})
    else:
        show(report)
        print("written:", *files, sep="\n  ")


def planned(policy: Sequence[str], numbers: dict[str, str | None], plan: Plan) -> Plan:
    """Return the plan with what was asked for in place of its own numbers.

    >>> planned([], {"arms": "3,1e1", "runs": "20", "repeats": None}, Plan()).arms
    (3, 10)
    """
    least = {"arms": 2, "horizon": 10}
    asked: dict[str, Any] = {}
    for name, text in numbers.items():
        if text is None:
            continue
        parts = text.split(",") if name in ("arms", "threads") else [text]
        values = tuple(output.number(name, part, least.get(name, 1)) for part in parts)
        asked[name] = values if name in ("arms", "threads") else values[0]
    if policy:
        made = made_policies(policy)
        asked["policies"] = lambda arms: made
    plan = dataclasses.replace(plan, **asked)
    if plan.horizon <= max(plan.arms):
        raise InputError(f"horizon must be more than {max(plan.arms)} arms, got {plan.horizon}")
    return plan


def looked_up(folder: str | None) -> list[Yardstick | Absent]:
    """Return the yardsticks of the folder that was given, or of ./benchmarks if there is one."""
    if folder is not None:
        return load(folder)
    return load(YARDSTICKS) if (Path(YARDSTICKS) / FILE).is_file() else []


def show(report: dict[str, Any]) -> None:
    """Print a report as tables."""
    rows = report["rounds"]
    runs = ", ".join(f"{number:,} with {arms} arms" for arms, number in report["runs"].items())
    print(f"nanoseconds a round of simulate: {report['horizon']:,} rounds, runs: {runs}")
    _engine([row for row in rows if row["who"] == OURS], rows)
    print()
    print("others on one core, nanoseconds a round; ratios are of one turn each: median (range)")
    _others([row for row in rows if row["who"] != OURS])
    for name, reason in report["absent"].items():
        print(f"{name}: {reason}")
    print()
    for title, part in (("threads", _threads), ("start", _start), ("memory", _memory)):
        if title in report:
            part(report[title])
            print()
    print(_quiet(report["load"], report["machine"]["cores"]))
    print()


def _engine(ours: Sequence[Row], rows: Sequence[Row]) -> None:
    threads = sorted({row["threads"] for row in ours})
    plain = {_game(row): row for row in rows if row["who"] == PLAIN.name}
    lines = []
    for game in dict.fromkeys(map(_game, ours)):
        cells = [_ns(row["ns"]) for row in ours if _game(row) == game]
        slow = plain.get(game)
        lines.append([game[0], str(game[1]), *cells, _ratio(slow["ratio"]) if slow else "–"])
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
    return [_ns(row["ns"]), _ratio(row["ratio"])]


def _threads(gains: Sequence[Row]) -> None:
    print(f"one long job: {gains[0]['runs']:,} runs of all policies, {gains[0]['arms']} arms")
    lines = [
        [str(row["threads"]), f"{row['seconds']['median']:.2f} s", _ratio(row["gain"])]
        for row in gains
    ]
    output.table(["threads", "time", "as fast as one"], lines, right=3)


def _start(start: Row) -> None:
    print("whole processes")
    lines = [[name, f"{start[name]:.2f} s", "", ""] for name in ("python", "import", "help")]
    for name in ("cold", "warm"):
        cost = start[name]
        what = f"first result, {name}"
        compiled = str(cost["compilations"])
        lines.append([what, f"{cost['seconds']:.2f} s", compiled, _bytes(cost["peak"])])
    output.table(["process", "time", "compiled", "peak memory"], lines, right=3)


def _memory(cost: Row) -> None:
    print(f"{cost['runs']:,} runs: {_bytes(cost['peak'])}, {cost['seconds']:.0f} s")


def _quiet(load: dict[str, float | None], cores: int | None) -> str:
    """Say how busy the machine was: with more to do than cores, the numbers mean little.

    >>> _quiet({"before": 0.1, "after": 1.25}, 2)
    'load of the machine: 0.1 before, 1.2 after, 2 cores'
    """
    told = [f"{value:.1f} {when}" for when, value in load.items() if value is not None]
    return f"load of the machine: {', '.join(told) or 'unknown'}, {cores} cores"


def _game(row: Row) -> tuple[str, int]:
    return row["policy"], row["arms"]


def _ns(spread: dict[str, float]) -> str:
    return _short(spread["median"])


def _ratio(spread: dict[str, float]) -> str:
    """Write a ratio with its range.

    >>> _ratio({"median": 120.4, "low": 99.7, "high": 131.0})
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
