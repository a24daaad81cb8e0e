"""`driftbandit environments`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from driftbandit import environments as worlds
from driftbandit import linear
from driftbandit.cli import output
from driftbandit.cli.calls import VARIANTS, parameters

Row = dict[str, str]


def environments(as_json: bool) -> None:
    """List the worlds, and the laws of their rewards."""
    found = {
        "environments": _rows(worlds.CATALOGUE),
        "linear_worlds": _rows(linear.WORLDS),
        "laws": _rows(worlds.laws.CATALOGUE),
    }
    _show(found, as_json)


def _rows(makers: Mapping[str, Callable[..., Any]]) -> list[Row]:
    """Return a row for each maker and, below it, for each other way to make the same."""
    rows = []
    for name, maker in makers.items():
        rows.append(_row(name, maker))
        others = [(variant, getattr(maker, variant, None)) for variant in VARIANTS]
        rows += [_row(f"{name}.{variant}", other) for variant, other in others if other]
    return rows


def _row(name: str, maker: Callable[..., Any]) -> Row:
    text = inspect.getdoc(maker) or ""
    return {
        "name": name,
        "summary": text.partition("\n")[0],
        "parameters": parameters(maker),
    }


def _show(found: dict[str, list[Row]], as_json: bool) -> None:
    if as_json:
        output.document(found)
        return
    for place, (title, rows) in enumerate(found.items()):
        if place:
            print()
        output.table(
            [title.replace("_", " "), "what", "parameters"], [list(row.values()) for row in rows]
        )
