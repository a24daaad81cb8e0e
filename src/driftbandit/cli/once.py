"""Commands that refuse a second value where it seems to be added, and would replace the first."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from driftbandit.cli.numbers import BadValue

ADDED = ("--policy", "--group")
"""Options that other commands let one repeat, or that read as if they could be."""


class Command(TyperCommand):
    """A command; of options given twice the last counts, as in any shell, but for those above."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments of the command, or raise."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        names = [each.opts[0] for each in order if not each.multiple]
        for name in ADDED:
            if (times := names.count(name)) > 1:
                raise BadValue(f"{name} must be given once only, got it {times} times")
        return super().parse_args(ctx, args)
