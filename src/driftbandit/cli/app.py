"""The command line and its commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from driftbandit import __version__
from driftbandit.cli.arena import arena
from driftbandit.cli.bounds import bounds
from driftbandit.cli.environments import environments
from driftbandit.cli.exit import run
from driftbandit.cli.log import app as log
from driftbandit.cli.once import Command
from driftbandit.cli.policies import policies
from driftbandit.cli.rehearse import rehearse
from driftbandit.cli.reproduce import reproduce
from driftbandit.cli.serve import serve
from driftbandit.cli.simulate import simulate
from driftbandit.cli.tune import tune
from driftbandit.cli.warmup import warmup

NAME = "driftbandit"
COMMANDS = (
    reproduce, simulate, rehearse, serve, arena, bounds, tune, policies, environments, warmup,
)  # fmt: skip
"""In the order of `--help`; the group `log` follows."""

app = typer.Typer(
    name=NAME,
    add_completion=False,
    rich_markup_mode=None,  # loading rich would double the time that --help takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Choose well while the world changes: non-stationary multi-armed bandits."""
    if version:
        typer.echo(f"{NAME} {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


for command in COMMANDS:
    app.command(cls=Command)(command)

app.add_typer(log)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    run(app, NAME, arguments)
