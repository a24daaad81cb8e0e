"""`driftbandit policies`: the grid of rules and policies, or one part of it in detail."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

from typing import Annotated

import typer

from driftbandit.cli.options import Json


def policies(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A policy, a rule, an axis or a family to explain, such as GLRklUCB.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the grid: rules by axis, and the policies made of them.

    With parameters and references; or one policy or rule with its formula.
    """
    from driftbandit.cli import grid_text

    if name is None:
        grid_text.print_all(json)
    else:
        grid_text.print_one(name, json)
