"""`python -m benchmarks compare`."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.compare.compare import ARMS, compare
from benchmarks.compare.report import show
from benchmarks.compare.side import Side
from benchmarks.compare.worker import POLICIES
from driftbandit.core.errors import one_of

HERE = Path(__file__).resolve().parents[2]


def compare_checkouts(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="Another checkout.")],
    after: Annotated[
        Path, typer.Argument(metavar="AFTER", help="Default: this one.", show_default=False)
    ] = HERE,
    policy: Annotated[
        list[str] | None, typer.Option(help="One of the policies; may be repeated. Default: all.")
    ] = None,
    arms: Annotated[
        list[int] | None, typer.Option(min=2, help="A number of arms; may be repeated.")
    ] = None,
    turns: Annotated[int, typer.Option(min=1, help="How often each is timed.")] = 9,
    live: Annotated[bool, typer.Option("--live", help="Live agents only.")] = False,
    cold: Annotated[
        int, typer.Option(min=0, help="Turns of compiling from scratch, each some minutes long.")
    ] = 0,
    json: Annotated[Path | None, typer.Option(help="A file for all times.")] = None,
) -> None:
    """Time two checkouts of the package by turns, and print the ratios after / before.

    Each side runs in its own process, with its own sources and, if it has one, its own `.venv`.
    """
    policies = [one_of("policy", name, POLICIES) for name in policy or POLICIES]
    rows = list(compare(Side(before), Side(after), policies, arms or ARMS, turns, cold, live))
    show(rows)
    if json:
        document = {
            "before": str(before),
            "after": str(after),
            "rows": [row.to_dict() for row in rows],
        }
        json.write_text(json_format.dumps(document, indent=1) + "\n", encoding="utf-8")
