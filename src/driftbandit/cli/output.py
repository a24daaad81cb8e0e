"""What commands print: tables and notes on stdout, progress on stderr, JSON for machines."""

# ruff: noqa: PLC0415  # rich loads only for a terminal

from __future__ import annotations

import contextlib
import json
import math
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from driftbandit.core.errors import whole
from driftbandit.core.table import aligned

Tell = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


WIDE = 120
"""Columns from which on a table of texts is easier to read than paragraphs."""


def number(name: str, text: str, least: int = 1) -> int:
    """Return a whole number written as 10000 or as 1e4.

    >>> number("horizon", "1e4")
    10000
    """
    try:
        value: Any = int(text)
    except ValueError:
        try:
            value = float(text)
        except ValueError:
            value = text
    return whole(name, value, least)


def optional(name: str, text: str | None) -> int | None:
    """Return a whole number, or None where none was given."""
    return None if text is None else number(name, text)


def document(content: Any) -> None:
    """Print one JSON document; a number that JSON does not know (NaN, ±∞) becomes null."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(_strict(content), indent=2, allow_nan=False, ensure_ascii=not unicode))


def _strict(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _strict(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_strict(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    return content


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: int = 0) -> None:
    """Print a table, the last `right` columns to the right: rich on a terminal, else plain."""
    if sys.stdout.isatty():
        _rich_table(head, rows, right)
        return
    print(*aligned(head, rows, right), sep="\n")


def listing(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of texts; on a narrow terminal each row as a short paragraph."""
    width = shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or width >= WIDE:
        table(head, rows)
        return
    for name, second, *others in rows:
        print(textwrap.fill(f"{name}  {second}", width, subsequent_indent="    "))
        for cell in filter(None, others):
            print(textwrap.fill(cell, width, initial_indent="    ", subsequent_indent="    "))


def _rich_table(head: Sequence[str], rows: Sequence[Sequence[str]], right: int) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(head):
        to_right = place >= len(head) - right
        grid.add_column(name, justify="right" if to_right else "left", no_wrap=to_right)
    for cells in rows:
        grid.add_row(*(Text(cell) for cell in cells))
    Console().print(grid)


@contextlib.contextmanager
def progress() -> Iterator[Tell | None]:
    """Yield what draws a progress bar on stderr, or None where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    text = TextColumn("{task.description}")
    columns = (text, BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield tell
