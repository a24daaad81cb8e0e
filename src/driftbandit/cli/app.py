"""The command line: its commands by name, and how it ends."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from driftbandit import __version__
from driftbandit.cli.commands import choose, look, play, speed
from driftbandit.cli.ending import Interrupted
from driftbandit.core.errors import InputError, LostWorkersError

NAME = "driftbandit"
BAD_USAGE = 2
INTERRUPTED = 130
ENDINGS = {InputError: BAD_USAGE, LostWorkersError: 1, Interrupted: INTERRUPTED}
"""Exit codes of what ends a command with one line."""

app = typer.Typer(
    name=NAME,
    add_completion=False,
    rich_markup_mode=None,  # loading rich would double the time that --help takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS = (
    play.reproduce, play.simulate, play.arena, choose.bounds, choose.tune, look.policies,
    look.environments, speed.warmup, speed.bench,
)  # fmt: skip  # in the order of `--help`


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
    app.command()(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code; bad input is one line and code 2."""
    sys.exit(_code(arguments))


def _code(arguments: Sequence[str] | None) -> int:
    _print_anywhere()
    try:
        code = app(args=arguments, prog_name=NAME, standalone_mode=False)
    except tuple(ENDINGS) as error:
        return _complain(str(error), ENDINGS[type(error)])
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except (MemoryError, ArithmeticError) as error:
        return _complain(f"too large to compute: {error}", 1)
    except Exception as error:
        # typer's usage errors share no public class over its versions, but all have this method
        if not hasattr(error, "format_message"):
            raise
        return _complain(error.format_message())
    if code == INTERRUPTED:
        return _complain("interrupted, nothing written", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _print_anywhere() -> None:
    """Print ? for a letter that the terminal or file does not know, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(message: str, code: int = BAD_USAGE) -> int:
    line = " ".join(message.split())
    print(f"{NAME}: {line}", file=sys.stderr)
    return code
