"""`driftbandit simulate`: compare policies in a world."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from driftbandit.cli import output
from driftbandit.cli.exit import Interrupted
from driftbandit.cli.options import Json, Runs, Seed, Workers, folder, whole
from driftbandit.cli.signals import INTERRUPTED, Terminated
from driftbandit.core.errors import InputError
from driftbandit.core.files import filling
from driftbandit.core.table import number
from driftbandit.core.text import amount

if TYPE_CHECKING:
    from driftbandit.engine import Result


def simulate(
    world: Annotated[
        str, typer.Argument(metavar="WORLD", help='A world, such as "periodic(cycles=5)".')
    ],
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help='A policy, such as "d-ucb(discount=0.99,padding=1)" or '
            '"sw-ucb.tuned(horizon=1e4,breakpoints=2)"; may be repeated. '
            "Default: the paper's four, tuned for the world.",
        ),
    ] = None,
    horizon: Annotated[
        int | None, whole("horizon", "Rounds; default: the world's own, or 10000.")
    ] = None,
    runs: Runs = 1000,
    seed: Seed = 0,
    out: Annotated[str, folder("Where tables and figure go.")] = "results/simulate",
    workers: Workers = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A Dask scheduler whose workers play, such as tcp://10.0.0.5:8786, "
            "in place of threads.",
        ),
    ] = None,
    checkpoint: Annotated[
        str | None,
        folder(
            "Where finished blocks of runs are stored; start again to play only the rest.",
            "checkpoint",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compare policies in a world.

    Prints a table of regrets and writes a figure and all numbers to a folder.
    """
    from driftbandit import engine
    from driftbandit.cli import values
    from driftbandit.cli.syntax import parse

    call = parse("world", world, values.WORLDS)
    place = values.make_world(call, horizon)
    last = values.check_length(horizon or place.horizon or values.HORIZON)
    facts = {"horizon": last, "arms": place.arms}
    named = values.make_policies(policy or (), **facts)
    with output.progress_of("counting the changes of the world") as progress:
        if progress is not None:
            progress(0, 1)
        players = named or values.default_policies(place, last)
    with filling(out) as partial:  # fails before the work if the folder cannot be written
        with (
            _resumable(checkpoint),
            _executor(workers, dask) as executor,
            output.progress_of("simulating") as progress,
        ):
            result = engine.simulate(
                players, place, last, runs, seed,
                checkpoint=checkpoint, progress=progress, **executor,
            )  # fmt: skip
        result.save(partial)
        result.plot(partial / "regret.png")
        files = [Path(out) / path.name for path in sorted(partial.iterdir())]
    output.report(json, result.to_dict, lambda: show(call.text, result), files)


@contextlib.contextmanager
def _executor(workers: int | None, dask: str | None) -> Iterator[dict[str, Any]]:
    """Yield the arguments of `engine.simulate` that say who plays."""
    if dask is None:
        yield {"workers": workers}
        return
    if workers is not None:
        raise InputError("--dask and --workers exclude each other: a cluster has its own workers")
    from driftbandit.cli.cluster import connected

    with connected(dask) as (executor, threads):
        yield {"executor": executor, "workers": threads}


@contextlib.contextmanager
def _resumable(checkpoint: str | None) -> Iterator[None]:
    """After Ctrl-C or a signal, say how to continue from the checkpoint."""
    try:
        yield
    except (KeyboardInterrupt, Terminated) as error:
        if checkpoint is None:
            raise
        what = "terminated" if isinstance(error, Terminated) else "interrupted"
        raise Interrupted(
            f"{what}, blocks that were finished are kept "
            f"in {checkpoint}: give the same command again to play the rest",
            error.code if isinstance(error, Terminated) else INTERRUPTED,
        ) from None


def show(world: str, result: Result) -> None:
    """Print the table of regrets, and of their differences."""
    runs = amount(result.runs, "run")
    print(f"regret at round {result.horizon:,} in {world}: {runs}, 95 % intervals")
    output.regrets(result)
    if len(result) == 1:
        return
    rows = [
        [
            row["policy"],
            row["against"],
            *(number(row[key], "+.1f") for key in ("mean", "low", "high")),
        ]
        for row in result.summary().differences.to_dicts()
    ]
    print()
    output.table(["policy", "against", "mean", "low", "high"], rows, right=3)
