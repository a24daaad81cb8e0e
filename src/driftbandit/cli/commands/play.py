"""Commands that play: the paper's experiments, a comparison, the arena."""

# ruff: noqa: PLC0415  # what a command does loads when it runs

from __future__ import annotations

from typing import Annotated

import typer

from driftbandit.cli.commands.options import Checkpoint, Dask, Json, Runs, Seed, Workers


def reproduce(
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where figure and report go.")
    ] = "results",
    runs: Runs = "2000",
    seed: Seed = "0",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Run the paper's experiments and judge its claims.

    Writes the figure, a report and all numbers to a folder, whole or not at all.
    """
    from driftbandit.cli import reproducing

    reproducing.run(out, runs, seed, workers, json)


def simulate(
    world: Annotated[
        str, typer.Argument(metavar="WORLD", help='A world, such as "periodic(cycles=5)".')
    ],
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help='A policy, such as "d-ucb(discount=0.99,padding=1)" or '
            '"sw-ucb.tuned(horizon=1e4,breakpoints=2)"; may be repeated. '
            "Default: the paper's four, tuned for the world.",
        ),
    ] = None,
    horizon: Annotated[
        str | None,
        typer.Option(
            "--horizon", metavar="NUMBER", help="Rounds; default: the world's own, or 10000."
        ),
    ] = None,
    runs: Runs = "1000",
    seed: Seed = "0",
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where tables and figure go.")
    ] = "results/simulate",
    workers: Workers = None,
    dask: Dask = None,
    checkpoint: Checkpoint = None,
    json: Json = False,
) -> None:
    """Compare policies in a world.

    Prints a table of regrets and writes a figure and all numbers to a folder.
    """
    from driftbandit.cli import simulating

    place = simulating.Place(workers, dask, checkpoint)
    simulating.run(world, policy or [], horizon, runs, seed, out, place, json)


def arena(
    problem: Annotated[
        list[str] | None,
        typer.Option(
            "--problem",
            metavar="WORLD",
            help='A published problem or another world that ends, such as "besson-1"; '
            "may be repeated. Default: all published problems.",
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="POLICY",
            help='One of the line-up, such as "sw-ucb", tuned for each problem, or a call, '
            'such as "sw-ucb(window=500)"; may be repeated. Default: the whole line-up.',
        ),
    ] = None,
    wild: Annotated[
        str | None,
        typer.Option(
            "--wild",
            metavar="NUMBER",
            help="Play so many worlds drawn from seeds, beside those given by --problem.",
        ),
    ] = None,
    wild_seed: Annotated[
        str, typer.Option("--wild-seed", metavar="NUMBER", help="The first of these seeds.")
    ] = "0",
    runs: Runs = "1000",
    seed: Seed = "0",
    repeats: Annotated[
        str,
        typer.Option(
            "--repeats",
            metavar="NUMBER",
            help="How often each policy is timed on each problem; 0: never.",
        ),
    ] = "3",
    out: Annotated[
        str, typer.Option("--out", metavar="FOLDER", help="Where tables and figure go.")
    ] = "results/arena",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Rank policies on the published problems, or on worlds that nobody chose.

    Prints regrets and a leaderboard, and writes both and a heat map to a folder.
    """
    from driftbandit.cli import contending

    numbers = {"runs": runs, "seed": seed, "repeats": repeats, "wild-seed": wild_seed}
    contending.run(problem or [], policy or [], wild, numbers, workers, out, json)
