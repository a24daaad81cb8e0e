"""What commands print: tables and notes on stdout, progress on stderr, JSON for machines."""

# ruff: noqa: PLC0415  # --help imports this module: what prints loads when something is printed

from __future__ import annotations

import contextlib
import functools
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftbandit.core.table import number

if TYPE_CHECKING:
    from driftbandit.engine import Result

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

WIDE = 120
"""Columns from which on a table of texts is easier to read than paragraphs."""

GAP = 3
"""Columns that rich leaves beside each column of a table."""


def report(
    as_json: bool,
    content: Callable[[], Mapping[str, Any]],
    show: Callable[[], None],
    files: Sequence[Path] | None = None,
) -> None:
    """Print the result of a command: one JSON document, or text and the files written.

    A command that may write files passes them, if only an empty list; the document names them.
    """
    if as_json:
        named = {} if files is None else {"files": [str(path) for path in files]}
        document({**content(), **named})
        return
    show()
    if files:
        print()
        print("written:", *files, sep="\n  ")


def document(content: Any) -> None:
    """Print one JSON document; a number that JSON does not have (NaN, ±∞) becomes null."""
    import json

    from driftbandit.core.frames import strict

    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(strict(content), indent=2, allow_nan=False, ensure_ascii=not unicode))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: int = 0) -> None:
    """Print a table, the last `right` columns aligned to the right.

    On a terminal texts are wrapped between words; where that is not enough, one paragraph follows
    the other. No number is ever cut, and no text.
    """
    from driftbandit.core.table import aligned, fitted, stacked

    room = shutil.get_terminal_size().columns
    if not sys.stdout.isatty():
        print(*aligned(head, rows, right), sep="\n")
    elif widths := fitted(head, rows, right, room - GAP * len(head)):
        _rich_table(head, rows, right, widths)
    else:
        print(*stacked(head, rows, room), sep="\n")


def listing(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of texts; on a narrow terminal, one short paragraph per row."""
    from driftbandit.core.table import INDENT, filled

    width = shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or width >= WIDE:
        table(head, rows)
        return
    for name, second, *others in rows:
        print(*filled(f"{name}  {second}", width), sep="\n")
        for cell in filter(None, others):
            print(*filled(cell, width, INDENT), sep="\n")


def regrets(result: Result) -> None:
    """Print one row per policy: mean regret with its interval, and quantiles."""
    head = ["policy", "mean", "low", "high", "5 %", "median", "95 %"]
    keys = ("mean", "low", "high", "q05", "median", "q95")
    rows = [
        [row["policy"], *(number(row[key], ".1f") for key in keys)]
        for row in result.summary().policies.to_dicts()
    ]
    table(head, rows, right=len(keys))
    note_few_runs(result.runs)


def note_few_runs(runs: int) -> None:
    """Say so where there are too few runs for intervals."""
    from driftbandit.core.statistics import few_runs

    if note := few_runs(runs):
        print(note)


def _rich_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], right: int, widths: Sequence[int]
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, (name, width) in enumerate(zip(head, widths, strict=True)):
        to_right = place >= len(head) - right
        grid.add_column(
            Text(name),
            justify="right" if to_right else "left",
            no_wrap=to_right,
            width=width,
        )
    for cells in rows:
        grid.add_row(*(Text(cell) for cell in cells))
    Console().print(grid)


@contextlib.contextmanager
def progress() -> Iterator[Progress | None]:
    """Yield what draws a progress bar on stderr, or None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text = TextColumn("{task.description}")
    time = (TimeElapsedColumn(), TextColumn("so far,"), TimeRemainingColumn(), TextColumn("left"))
    columns = (text, BarColumn(), TaskProgressColumn(), *time)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def update(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield update


@contextlib.contextmanager
def progress_of(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield the progress bar of one thing, called with how much is done and how much there is."""
    with progress() as update:
        yield None if update is None else functools.partial(update, what)
