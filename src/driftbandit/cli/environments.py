"""`driftbandit environments`: list the worlds and reward laws."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from driftbandit.cli import output
from driftbandit.cli.options import Json

Row = dict[str, str]


def environments(json: Json = False) -> None:
    """List the worlds and reward laws with their parameters."""
    from driftbandit import environments as worlds
    from driftbandit import linear

    groups = {
        "environments": _rows(worlds.CATALOGUE),
        "linear_worlds": _rows(linear.WORLDS),
        "laws": _rows(worlds.laws.CATALOGUE),
    }
    output.report(json, lambda: groups, lambda: _show(groups))


def _rows(makers: Mapping[str, Callable[..., Any]]) -> list[Row]:
    """Return one row per maker and, below it, one per variant of it."""
    from driftbandit.cli.syntax import VARIANTS

    rows = []
    for name, maker in makers.items():
        rows.append(_row(name, maker))
        variants = {variant: getattr(maker, variant, None) for variant in VARIANTS}
        rows += [_row(f"{name}.{key}", variant) for key, variant in variants.items() if variant]
    return rows


def _row(name: str, maker: Callable[..., Any]) -> Row:
    from driftbandit.cli.syntax import parameters
    from driftbandit.core.docstring import paragraphs

    return {
        "name": name,
        "summary": paragraphs(maker)[0].partition("\n")[0],
        "parameters": parameters(maker),
    }


def _show(groups: Mapping[str, list[Row]]) -> None:
    for place, (title, rows) in enumerate(groups.items()):
        if place:
            print()
        head = [title.replace("_", " "), "what", "parameters"]
        output.table(head, [list(row.values()) for row in rows])
