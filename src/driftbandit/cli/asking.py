"""The options that every command for logs has: which log, how it is read, and by which groups."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from driftbandit.cli import output
from driftbandit.cli.options import Json, real
from driftbandit.core.errors import InputError, shown
from driftbandit.core.text import apart

if TYPE_CHECKING:
    from driftbandit.logs import Log
    from driftbandit.logs.result import Answer


class Reply(NamedTuple):
    """What a command answers: tables, plain data for machines, and files that it wrote."""

    answers: Sequence[Answer]
    content: dict[str, Any]
    files: tuple[Path, ...] | None = None


def _column(role: str, text: str) -> Any:
    return typer.Option(
        f"--{role}", metavar="COLUMN", help=f'{text}; default: "{role}".', show_default=False
    )


Source = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help='CSV, Parquet or JSON lines: a file, a folder, or "logs/*.csv".'
    ),
]
Time = Annotated[str | None, _column("time", "The column of the time of a decision")]
Arm = Annotated[str | None, _column("arm", "The column of the arm")]
Reward = Annotated[str | None, _column("reward", "The column of the reward")]
Propensity = Annotated[
    str | None, _column("propensity", "The column of the probability of the arm, if there is one")
]
Id = Annotated[str | None, _column("id", "The column of ids, if there is one")]
Eligible = Annotated[
    str | None, _column("eligible", "The column of eligible arms, if there is one")
]
Group = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Answer for each value of this column, such as a country."),
]
Layout = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="agent, open-bandit or vowpal-wabbit; default: columns."),
]
Bound = Annotated[float, real("bound", "Rewards lie between 0 and this.")]
Unit = Annotated[str, typer.Option(metavar="UNIT", help="What numbers for times count: s, ms, …")]
Zone = Annotated[
    str | None, typer.Option(metavar="ZONE", help="The time zone of times without one.")
]
Default = Annotated[
    float | None, real("default-reward", "What a reward counts as that is missing.")
]
Sort = Annotated[bool, typer.Option("--sort", help="Sort the rows by time.")]
SetAside = Annotated[bool, typer.Option("--set-aside", help="Leave bad rows out, and say so.")]


def read_log(
    file: Source,
    time: Time = None,
    arm: Arm = None,
    reward: Reward = None,
    propensity: Propensity = None,
    id: Id = None,
    eligible: Eligible = None,
    group: Group = None,
    layout: Layout = None,
    bound: Bound = 1.0,
    unit: Unit = "s",
    zone: Zone = None,
    default_reward: Default = None,
    sort: Sort = False,
    set_aside: SetAside = False,
) -> Log:
    """Open a log as the options say."""
    from driftbandit.logs import Log

    return Log.read(
        file, time=time, arm=arm, reward=reward, propensity=propensity, id=id, eligible=eligible,
        group=group, layout=layout, bound=bound, unit=unit, zone=zone,
        default_reward=default_reward, sort=sort, bad="set aside" if set_aside else "refuse",
    )  # fmt: skip


def asks_a_log(command: Callable[..., Reply]) -> Callable[..., None]:
    """Give a command the options that open a log; it is called with the log and replies to it.

    With --group it is called once for each group.
    """
    reading = inspect.signature(read_log).parameters

    @functools.wraps(command)
    def run(*, json: bool, **options: Any) -> None:
        group = options["group"]
        log = read_log(**{name: options.pop(name) for name in reading})
        if group is None:
            reply = command(log, **options)
            output.report(json, lambda: reply.content, lambda: _show(reply.answers), reply.files)
            return
        groups = log.groups()
        names = apart(map(str, groups))  # rows without a group are not those of "None"
        replies = {}
        for name, each in zip(names, groups.values(), strict=True):
            try:
                replies[name] = command(each, **options)
            except InputError as error:
                raise InputError(f"group {shown(name)}: {error}") from None
        contents = {name: reply.content for name, reply in replies.items()}
        files = [path for reply in replies.values() for path in reply.files or ()]
        output.report(
            json, lambda: {"groups": contents}, lambda: _show_groups(replies), files or None
        )

    with_options(run, command, read_log, Json)
    return run


def with_options(run: Any, command: Any, reader: Any, json: Any) -> None:
    """Give a function the parameters of a reader, those of a command but the log, and `json`."""
    file, *others = inspect.signature(reader).parameters.values()
    _, *own = inspect.signature(command).parameters.values()
    last = inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False)
    named = inspect.Parameter.KEYWORD_ONLY
    parameters = [each.replace(kind=named) for each in (file, *own, *others, last)]
    hints = {**_hints(reader), **_hints(command), "json": json}
    run.__annotations__ = {each.name: hints[each.name] for each in parameters}
    run.__signature__ = inspect.Signature(
        [each.replace(annotation=hints[each.name]) for each in parameters]
    )


def _hints(function: Any) -> dict[str, Any]:
    """Return the types of the parameters that are options; the log is none."""
    texts = {
        name: text
        for name, text in function.__annotations__.items()
        if name not in ("log", "return")
    }
    holder = types.SimpleNamespace(__annotations__=texts)
    return typing.get_type_hints(holder, globalns=function.__globals__, include_extras=True)


def _show_groups(replies: dict[str, Reply]) -> None:
    for place, (label, reply) in enumerate(replies.items()):
        print(*([""] if place else []), f"== {label}", "", sep="\n")
        _show(reply.answers)


def _show(answers: Sequence[Answer]) -> None:
    """Print the tables of answers, and their remarks."""
    for place, answer in enumerate(answers):
        tables = answer.tables()
        for number, section in enumerate(tables):
            if place or number:
                print()
            print(section.title)
            output.table(section.head, section.rows, right=section.right)
        if answer.remarks() and (place or tables):
            print()
        for remark in answer.remarks():
            print(remark)
