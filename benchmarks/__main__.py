"""`python -m benchmarks`: how fast the package is, and how far Auto is from the best rival."""

from __future__ import annotations

import os
from collections.abc import Sequence

import typer

from benchmarks.compare.command import compare_checkouts
from benchmarks.fold import fold
from benchmarks.grid.command import grid
from benchmarks.judge import judge
from benchmarks.laws import laws
from benchmarks.lock import lock
from benchmarks.memory import memory
from benchmarks.replay import replay
from benchmarks.serve import serve
from benchmarks.soak import soak
from benchmarks.speed.command import speed
from driftbandit.cli.exit import run
from driftbandit.engine.small import VARIABLE

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Measure the speed of driftbandit, and judge its policies.",
)
app.command()(speed)
app.command("compare")(compare_checkouts)
app.command()(laws)
app.command()(lock)
app.command()(memory)
app.command()(judge)
app.command()(grid)
app.command()(replay)
app.command()(serve)
app.command()(fold)
app.command()(soak)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input is one line and exit code 2.

    Loops are compiled for speed, as for large jobs, though the jobs that are timed are short.
    """
    os.environ.setdefault(VARIABLE, "0")
    run(app, "python -m benchmarks", arguments)


if __name__ == "__main__":
    main()
