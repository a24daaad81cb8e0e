"""Options that several commands share, and makers of options that hold a number."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from driftbandit.cli import numbers
from driftbandit.core.errors import InputError, shown
from driftbandit.core.files import path_of


def whole(
    name: str, text: str, least: int = 1, metavar: str = "NUMBER", most: int | None = 2**53
) -> Any:
    """Return the option `--name`, a whole number of at least `least`, and at most `most`."""
    parser = numbers.whole(name, least, most)
    return typer.Option(f"--{name}", metavar=metavar, parser=parser, help=text)


def real(name: str, text: str) -> Any:
    """Return the option `--name`, a number."""
    return typer.Option(f"--{name}", metavar="NUMBER", parser=numbers.real(name), help=text)


def folder(text: str, name: str = "out") -> Any:
    """Return the option `--name`, a folder that a command fills."""

    def parse(value: Any) -> str:
        if str(value).startswith("--"):  # the next option, where the folder was left out
            allowed = "be the name of a folder, after ./ if it begins with --"
            raise numbers.BadValue(f"{name} must {allowed}, got {shown(value)}")
        try:
            path_of(name, str(value), "be the name of a folder")
        except InputError as error:
            raise numbers.BadValue(str(error)) from None
        return str(value)

    return typer.Option(f"--{name}", metavar="FOLDER", parser=parse, help=text)


Runs = Annotated[int, whole("runs", "How many runs.")]
SeveralRuns = Annotated[int, whole("runs", "How many runs, at least 2.", least=2)]
Seed = Annotated[
    int, whole("seed", "Same seed, same numbers, to the last bit.", least=0, most=None)
]
Workers = Annotated[int | None, whole("workers", "Threads; default: all cores.")]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else.")
]
