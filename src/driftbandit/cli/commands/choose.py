"""Commands that help to choose: bounds, and the search of parameters."""

# ruff: noqa: PLC0415  # what a command does loads when it runs

from __future__ import annotations

from typing import Annotated

import typer

from driftbandit.cli.commands.options import Json, Runs, Seed, Workers


def bounds(
    horizon: Annotated[str, typer.Option("--horizon", metavar="NUMBER", help="Rounds T.")],
    breakpoints: Annotated[
        str, typer.Option("--breakpoints", metavar="NUMBER", help="Changes Υ up to T.")
    ],
    gap: Annotated[
        str,
        typer.Option(
            "--gap",
            metavar="NUMBER",
            help="How far an arm that is not the best lies below it, at least.",
        ),
    ],
    largest_gap: Annotated[
        str | None,
        typer.Option(
            "--largest-gap", metavar="NUMBER", help="And at most; default: the same everywhere."
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="NAME",
            help="ucb-1, d-ucb, sw-ucb or exp3.s; may be repeated. Default: all.",
        ),
    ] = None,
    arms: Annotated[str, typer.Option("--arms", metavar="NUMBER", help="Arms K.")] = "2",
    xi: Annotated[
        str, typer.Option("--xi", metavar="NUMBER", help="Exploration ξ, more than 1/2.")
    ] = "0.6",
    bound: Annotated[
        str, typer.Option("--bound", metavar="NUMBER", help="The largest reward B.")
    ] = "1",
    window: Annotated[
        str | None, typer.Option("--window", metavar="NUMBER", help="A window τ of your own.")
    ] = None,
    discount: Annotated[
        str | None, typer.Option("--discount", metavar="NUMBER", help="A discount γ of your own.")
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure",
            metavar="RUNS",
            help="Also play the paper's policies, tuned by its rules, so many runs at horizons up "
            "to T, and draw bounds and growth.",
        ),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where figure and numbers go.")
    ] = "results/bounds",
    json: Json = False,
) -> None:
    """Tell how bad it can get: what the theorems promise.

    Prints each bound, what it assumes and whether it says anything.
    """
    from driftbandit.cli import bounding

    numbers = {
        "horizon": horizon,
        "breakpoints": breakpoints,
        "gap": gap,
        "largest_gap": largest_gap,
        "arms": arms,
        "xi": xi,
        "bound": bound,
        "window": window,
        "discount": discount,
    }
    bounding.run(policy or [], numbers, measure, out, json)


def tune(
    worlds: Annotated[
        list[str],
        typer.Argument(
            metavar="WORLD...", help="One world or several, whose mean regret is to be small."
        ),
    ],
    policy: Annotated[
        str, typer.Option("--policy", metavar="NAME", help="A policy's name, such as sw-ucb.")
    ],
    search: Annotated[
        list[str] | None,
        typer.Option(
            "--search",
            metavar="TEXT",
            help="What is tried: window=10:5000, xi=[0.1,0.5], padding=1, or a name for its "
            "default range; may be repeated. Default: all parameters with a default range.",
        ),
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option(
            "--horizon", metavar="NUMBER", help="Rounds; default: the worlds' own, or 10000."
        ),
    ] = None,
    breakpoints: Annotated[
        str | None,
        typer.Option(
            "--breakpoints",
            metavar="NUMBER",
            help="What the papers' rule is told; default: how often the best arm changes.",
        ),
    ] = None,
    runs: Runs = "1000",
    seed: Seed = "0",
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where tables and figure go.")
    ] = "results/tune",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Search a policy's best parameters by simulation.

    Prints them beside the papers' rule, and what it costs to be wrong about the changes.
    """
    from driftbandit.cli import tuning

    tuning.run(worlds, policy, search or [], horizon, breakpoints, runs, seed, out, workers, json)
