"""Commands about speed: compiling ahead."""

# ruff: noqa: PLC0415  # what a command does loads when it runs

from __future__ import annotations

from driftbandit.cli.commands.options import Json


def warmup(json: Json = False) -> None:
    """Compile the paper's policies ahead of their first use."""
    from driftbandit.cli import warming

    warming.run(json)
