"""Document the command line from the commands themselves."""

from __future__ import annotations

import re
from typing import Any

import typer

from driftbandit.cli.app import app

NAME = "driftbandit"
DEFAULT = re.compile(r"\s*\[default: (.*)\]$|\s*\[(required)\]$")


def commands(_: str) -> str:
    """Return a section for every command: what it does, its arguments and its options."""
    group: Any = typer.main.get_command(app)
    return "\n\n".join(_section(name, command) for name, command in leaves(group).items())


def leaves(group: Any, before: str = "") -> dict[str, Any]:
    """Return all commands by their words, those of groups within a group too.

    >>> [name for name in leaves(typer.main.get_command(app)) if " " in name]
    ['log check', 'log value', 'log drift', 'log tune', 'log report']
    """
    commands: dict[str, Any] = {}
    for name, command in group.commands.items():
        words = f"{before}{name}"
        commands |= (
            leaves(command, f"{words} ") if hasattr(command, "commands") else {words: command}
        )
    return commands


def _section(name: str, command: Any) -> str:
    context = typer.Context(command, info_name=f"{NAME} {name}")
    arguments = [_name(part) for part in command.params if part.param_type_name == "argument"]
    usage = " ".join([NAME, name, *arguments, "[OPTIONS]"])
    rows = [_row(part, context) for part in command.params]
    table = ["| | default | meaning |", "|---|---|---|", *rows]
    parts = [f"## {NAME} {name}", f"```text\n{usage}\n```", command.help, "\n".join(table)]
    return "\n\n".join(parts)


def _name(parameter: Any) -> str:
    """Return how an argument is written; one that may be left out stands in brackets."""
    name = (parameter.metavar or parameter.name.upper()).strip("[]")
    return name if parameter.required else f"[{name}]"


def _row(parameter: Any, context: typer.Context) -> str:
    """Return a row of the table: how a parameter is written, its default, what it means."""
    written, meaning = parameter.get_help_record(context)
    if parameter.param_type_name == "argument":
        written = _name(parameter)
    default = DEFAULT.search(meaning)
    value = (default[2] or f"`{default[1]}`") if default else ""
    return f"| `{_escaped(written)}` | {value} | {_escaped(DEFAULT.sub('', meaning))} |"


def _escaped(text: str) -> str:
    """Return text that Markdown leaves as it is.

    >>> print(_escaped("a|b <x> *"))
    a\\|b \\<x> \\*
    """
    return re.sub(r"([|<*_\[\]])", r"\\\1", text)
