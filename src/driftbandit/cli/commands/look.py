"""Commands that tell what there is: policies and worlds."""

# ruff: noqa: PLC0415  # what a command does loads when it runs

from __future__ import annotations

from typing import Annotated

import typer

from driftbandit.cli.commands.options import Json


def policies(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A policy, a rule or an axis to be told all about, such as GLRklUCB.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the grid: rules by axis, and the policies made of them.

    With parameters and references; or one policy or rule with its formula.
    """
    from driftbandit.cli import showing

    if name is None:
        showing.everything(json)
    else:
        showing.one(name, json)


def environments(json: Json = False) -> None:
    """List the worlds and reward laws with their parameters."""
    from driftbandit.cli import listing

    listing.environments(json)
