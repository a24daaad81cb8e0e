"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Runs = Annotated[str, typer.Option("--runs", metavar="NUMBER", help="How many runs.")]
Seed = Annotated[
    str, typer.Option("--seed", metavar="NUMBER", help="Same seed, same numbers, to the last bit.")
]
Workers = Annotated[
    str | None, typer.Option("--workers", metavar="NUMBER", help="Threads; default: all cores.")
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="A Dask scheduler whose workers play, such as tcp://10.0.0.5:8786, "
        "in place of threads.",
    ),
]
Checkpoint = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        metavar="FOLDER",
        help="Where finished blocks of runs are kept; start again to play only the rest.",
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else.")
]
