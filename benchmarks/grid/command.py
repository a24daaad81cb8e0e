"""`python -m benchmarks grid`."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.grid import lineup
from benchmarks.grid.measure import Size, measure
from benchmarks.grid.report import show
from driftbandit.cli import output
from driftbandit.cli.options import whole

ARMS = (3, 10, 50)


def grid(
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help="A policy, written as for `driftbandit simulate`; may be repeated. "
            "Default: the whole catalogue. UCB-1 is always measured.",
        ),
    ] = None,
    arms: Annotated[
        list[int] | None,
        whole("arms", "A number of arms; may be repeated. Default: 3, 10 and 50.", 2),
    ] = None,
    turns: Annotated[int, whole("turns", "How often each is timed.")] = 5,
    runs: Annotated[int, whole("runs", "Runs of a simulation.")] = 256,
    horizon: Annotated[int, whole("horizon", "Rounds per run.", 10)] = 2_000,
    json: Annotated[Path | None, typer.Option(help="A file for all numbers.")] = None,
) -> None:
    """Time `simulate` on one core with every policy by turns, and compare with UCB-1 and NumPy.

    Rewards are coins, and with the fewest arms Beta numbers too. Times are processor time, and
    warm. A policy that has used ten seconds is not timed again.
    """
    with output.progress() as progress:
        report = measure(
            policy or lineup.texts(), arms or ARMS, Size(runs, horizon, turns), progress
        )
    show(report)
    if json:
        json.write_text(json_format.dumps(report, indent=1) + "\n", encoding="utf-8")
