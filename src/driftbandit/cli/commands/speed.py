"""Commands about speed: compiling ahead, and measuring."""

# ruff: noqa: PLC0415  # what a command does loads when it runs

from __future__ import annotations

from typing import Annotated

import typer

from driftbandit.cli.commands.options import Json


def warmup(json: Json = False) -> None:
    """Compile the paper's policies ahead of their first use."""
    from driftbandit.cli import warming

    warming.run(json)


def bench(
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help="A policy, written as for `simulate`; may be repeated. Default: the paper's four.",
        ),
    ] = None,
    arms: Annotated[
        str | None,
        typer.Option("--arms", metavar="NUMBERS", help="Numbers of arms; default: 3,10,100,1000."),
    ] = None,
    threads: Annotated[
        str | None,
        typer.Option("--threads", metavar="NUMBERS", help="Numbers of threads; default: 1,2."),
    ] = None,
    runs: Annotated[
        str | None,
        typer.Option(
            "--runs", metavar="NUMBER", help="Runs of a simulation with few arms; default: 1280."
        ),
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option("--horizon", metavar="NUMBER", help="Rounds of a run; default: 10000."),
    ] = None,
    repeats: Annotated[
        str | None,
        typer.Option(
            "--repeats", metavar="NUMBER", help="How often each is timed, in turn; default: 5."
        ),
    ] = None,
    yardsticks: Annotated[
        str | None,
        typer.Option(
            "--yardsticks",
            metavar="FOLDER",
            help="Other programs to compare with; default: ./benchmarks if it has any.",
        ),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where numbers and figure go.")
    ] = "results/bench",
    quick: Annotated[
        bool, typer.Option("--quick", help="A first look: less of everything, no whole processes.")
    ] = False,
    memory: Annotated[
        bool, typer.Option("--memory", help="Also play 100,000 runs and tell the peak memory.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure the speed: nanoseconds a round, against other programs.

    Also the time to the first result, cold and warm, and its peak memory.
    """
    from driftbandit.cli import benching

    numbers = {
        "arms": arms,
        "threads": threads,
        "runs": runs,
        "horizon": horizon,
        "repeats": repeats,
    }
    benching.run(policy or [], numbers, yardsticks, out, quick, memory, json)
