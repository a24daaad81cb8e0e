"""`python -m benchmarks memory`: what a process holds that has played many policies and worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import psutil
import typer

from benchmarks.grid.lineup import players, texts, world
from driftbandit.cli import output
from driftbandit.cli.options import Json, whole
from driftbandit.engine.first_use import counted
from driftbandit.engine.simulate import simulate
from driftbandit.environments.laws import Bernoulli, Beta, ClippedGaussian, Exact, Uniform

ARMS = (2, 3, 5, 10, 20)
LAWS = (Bernoulli(), Exact(), Uniform(0.1), Beta(5.0), ClippedGaussian(0.3))


def memory(
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY", help="A policy; may be repeated. Default: the whole catalogue."
        ),
    ] = None,
    arms: Annotated[
        list[int] | None,
        whole("arms", "A number of arms; may be repeated. Default: 2, 3, 5, 10 and 20.", 2),
    ] = None,
    turns: Annotated[int, whole("turns", "How often all of it is played.")] = 3,
    runs: Annotated[int, whole("runs", "Runs of a simulation.")] = 100,
    horizon: Annotated[int, whole("horizon", "Rounds per run.", 10)] = 600,
    json: Json = False,
) -> None:
    """Play all policies in worlds of each number of arms and five reward laws, turn after turn.

    After each number of arms, show what the process holds, and how many functions were compiled.
    What grows in the first turn alone is code; what grew in every turn would be a leak.
    """
    calls, numbers = policy or texts(), arms or ARMS
    rows = [
        {"turn": turn, **row}
        for turn in range(1, turns + 1)
        for row in played(calls, numbers, runs, horizon)
    ]
    output.report(json, lambda: {"rows": rows}, lambda: show(rows))


def played(
    calls: Sequence[str], numbers: Sequence[int], runs: int, horizon: int
) -> Iterator[dict[str, Any]]:
    """Play everything once; yield what is held after each number of arms."""
    for arms in numbers:
        with counted() as count:
            for player in players(calls, arms, horizon):
                for law in LAWS:
                    place = world(player, arms, horizon, law)
                    simulate(player, place, horizon=horizon, runs=runs, workers=1)
        held = psutil.Process().memory_info().rss
        yield {"arms": arms, "worlds": len(LAWS), "compiled": count.number, "bytes": held}


def show(rows: Sequence[dict[str, Any]]) -> None:
    """Print a row per turn and number of arms."""
    lines = [
        [str(row["turn"]), str(row["arms"]), str(row["compiled"]), f"{row['bytes'] / 1e6:,.0f}"]
        for row in rows
    ]
    output.table(["turn", "arms", "functions compiled", "MB held"], lines, right=3)
