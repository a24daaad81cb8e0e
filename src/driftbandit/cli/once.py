"""Commands that refuse what seems to be an option, or to be added, and is not."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

from driftbandit.cli.numbers import BadValue

ADDED = ("--policy", "--group")
"""Options that other commands let one repeat, or that read as if they could be."""

NAME = re.compile(r"[-–—−]+([a-z-]+)")
"""A hyphen or a dash, as many programs make of two, and a name."""


class Command(TyperCommand):
    """A command; of options given twice the last counts, as in any shell, but for those above."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments of the command, or raise."""
        options = {name for each in self.get_params(ctx) for name in each.opts}
        for argument in args:
            match = NAME.match(argument)
            option = f"--{match[1]}" if match else ""
            if (
                option in options
                and not argument.isascii()
                and not argument.startswith(f"{option}=")
            ):
                raise BadValue(
                    f"{option} must be written with two hyphens and a plain space, got {argument!a}"
                )
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        names = [each.opts[0] for each in order if not each.multiple]
        for name in ADDED:
            if (times := names.count(name)) > 1:
                raise BadValue(f"{name} must be given once only, got it {times} times")
        return super().parse_args(ctx, args)
