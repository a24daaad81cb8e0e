"""`python -m benchmarks speed`."""

from __future__ import annotations

import dataclasses
import json as json_format
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.speed import figure
from benchmarks.speed.measure import measure
from benchmarks.speed.plan import QUICK, Plan
from benchmarks.speed.report import show
from benchmarks.yardsticks.catalogue import yardsticks
from driftbandit.cli import output
from driftbandit.cli.options import Json, folder, whole
from driftbandit.cli.values import make_policies
from driftbandit.core.errors import InputError
from driftbandit.core.files import filling


def speed(
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help="A policy, written as for `driftbandit simulate`; may be repeated. "
            "Default: the paper's four.",
        ),
    ] = None,
    arms: Annotated[
        list[int] | None,
        whole("arms", "A number of arms; may be repeated. Default: 3, 10, 100 and 1000.", 2),
    ] = None,
    threads: Annotated[
        list[int] | None,
        whole("threads", "A number of threads; may be repeated. Default: 1 and 2."),
    ] = None,
    runs: Annotated[
        int | None, whole("runs", "Runs of a simulation with few arms; default: 1280.")
    ] = None,
    horizon: Annotated[int | None, whole("horizon", "Rounds per run; default: 10000.", 10)] = None,
    repeats: Annotated[
        int | None, whole("repeats", "How often each program is timed; default: 5.")
    ] = None,
    out: Annotated[str, folder("Where numbers and figure go.")] = "results/bench",
    quick: Annotated[
        bool, typer.Option("--quick", help="A first look: less of everything, no whole processes.")
    ] = False,
    memory: Annotated[
        bool, typer.Option("--memory", help="Also play 100,000 runs and print the peak memory.")
    ] = False,
    json: Json = False,
) -> None:
    """Time `simulate` against other programs, by turns.

    Also the time to the first result, cold and warm, and its peak memory.
    """
    changes: dict[str, Any] = {
        "arms": tuple(arms or ()),
        "threads": tuple(threads or ()),
        "runs": runs,
        "horizon": horizon,
        "repeats": repeats,
        "memory": memory,
    }
    plan = changed(QUICK if quick else Plan(), changes, policy or [])
    with filling(out) as partial:  # fails before the work if the folder cannot be written
        with output.progress() as progress:
            report = measure(plan, yardsticks(), progress)
        text = json_format.dumps(report, indent=1) + "\n"
        (partial / "bench.json").write_text(text, encoding="utf-8")
        figure.speed(report, partial / "bench.png", partial / "bench.svg")
        files = [Path(out) / path.name for path in sorted(partial.iterdir())]
    output.report(json, lambda: report, lambda: show(report), files)


def changed(plan: Plan, changes: dict[str, Any], policies: Sequence[str]) -> Plan:
    """Return the plan with the values of options in place of its own.

    >>> changed(Plan(), {"arms": (3, 10), "runs": None}, []).arms
    (3, 10)
    """
    values = {name: value for name, value in changes.items() if value}
    if policies:
        players = make_policies(policies)
        values["policies"] = lambda arms: players
    plan = dataclasses.replace(plan, **values)
    if plan.horizon <= max(plan.arms):
        raise InputError(f"horizon must be more than {max(plan.arms)} arms, got {plan.horizon}")
    return plan
