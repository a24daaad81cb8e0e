"""`driftbandit log`: what a log can tell, and what other policies would have earned."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from driftbandit.cli import output
from driftbandit.cli.asking import Reply, asks_a_log
from driftbandit.cli.numbers import BadValue, number_of
from driftbandit.cli.once import Command
from driftbandit.cli.options import Seed, real
from driftbandit.core.errors import InputError, require, shown
from driftbandit.core.files import path_of, reachable, replacing

if TYPE_CHECKING:
    from driftbandit.logs import Log
    from driftbandit.policies import Strategy

app = typer.Typer(
    name="log", help="Ask a log of past choices: what it can tell, and what policies are worth."
)


Policies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="POLICY",
        help='A policy that learns, such as "sw-ucb(window=500)", or a file of JSON that '
        "to_json wrote; may be repeated.",
    ),
]


def shares_of(text: str) -> dict[str, float]:
    """Read `red=0.7,blue=0.3`, or `red` for an arm alone.

    >>> shares_of("red=0.7,blue=0.3"), shares_of("red")
    ({'red': 0.7, 'blue': 0.3}, {'red': 1.0})
    """
    parts = text.split(",")
    try:
        if len(parts) == 1 and "=" not in text:
            return {text.strip(): 1.0}
        pairs = [part.rpartition("=") for part in parts]
        shares = {arm.strip(): float(number_of(share)) for arm, _, share in pairs}
    except (OverflowError, ValueError):
        raise BadValue(
            f"fixed must be written as arm, or arm=share,arm=share, got {shown(text)}"
        ) from None
    if len(shares) < len(pairs):
        raise BadValue(f"fixed must name each arm once, got {shown(text)}")
    return shares


Fixed = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ARM|SHARES",
        help='An arm alone, or shares such as "red=0.7,blue=0.3"; may be repeated. Default '
        "without --policy: each arm alone, and equal shares.",
    ),
]
Level = Annotated[float, real("level", "How often an interval should hold.")]


@app.command(cls=Command)
@asks_a_log
def check(log: Log) -> Reply:
    """List the bad rows of a log, and say how much its good ones can tell.

    With bad rows that are not set aside, only they are listed.
    """
    result = log.check()
    if not log.usable:
        return Reply([result], {"check": result.to_dict(), "overlap": None})
    overlap = log.overlap()
    content = {"check": result.to_dict(), "overlap": overlap.to_dict()}
    return Reply([result, overlap], content)


@app.command(cls=Command)
@asks_a_log
def value(
    log: Log,
    policy: Policies = None,
    fixed: Fixed = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="dr, radr, snips, ips, dm, replay or world; may be repeated. Default: dr.",
        ),
    ] = None,
    at: Annotated[
        str, typer.Option(metavar="WHEN", help='"mean" over the log, "now", or "next 7d".')
    ] = "mean",
    window: Annotated[
        str | None, typer.Option(metavar="TIME", help="With --at now: only the last of the log.")
    ] = None,
    half_life: Annotated[
        str | None, typer.Option(metavar="TIME", help="With --at now: weigh rows by their age.")
    ] = None,
    interval: Annotated[
        str, typer.Option(metavar="KIND", help="blocks, bernstein or sequence.")
    ] = "blocks",
    level: Level = 0.95,
    seed: Seed = 0,
) -> Reply:
    """Say what policies would have earned, with intervals that hold under drift.

    Policies that learn do so from the rows that replay accepts, at the times of those rows.
    """
    memory = _memory(window, half_life)
    if memory is not None and at != "now":
        raise InputError("--window and --half-life must come with --at now, which they are for")
    players = _players(log, policy or [], fixed or [])
    with output.progress_of("reading the log") as progress:
        result = log.value(
            players, method or "dr", at,
            memory=memory, interval=interval, level=level, seed=seed, progress=progress,
        )  # fmt: skip
    return Reply([result], result.to_dict())


@app.command(cls=Command)
@asks_a_log
def drift(
    log: Log,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw it, such as drift.png or drift.svg.")
    ] = None,
    level: Level = 0.95,
) -> Reply:
    """Say whether mean rewards move: changes, seasons of a day and a week, and the memory to take.

    A log that stands still shows a change with probability 1 − level at most.
    """
    path = None if plot is None else _of_group(log, _picture_file(plot))
    with output.progress_of("looking for drift") as progress:
        result = log.drift(level=level, progress=progress)
    if path is None:
        return Reply([result], result.to_dict())
    result.plot(path)
    return Reply([result], result.to_dict(), (path,))


@app.command(cls=Command)
@asks_a_log
def tune(
    log: Log,
    policy: Policies = None,
    span: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TIME",
            help="A window or half-life, such as 6h; may be repeated. Default: the length of the "
            "log, half of it, a quarter, …",
        ),
    ] = None,
    level: Level = 0.95,
    seed: Seed = 0,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the recommended policy as JSON, for an agent."),
    ] = None,
) -> Reply:
    """Say which policy, with which memory, would have served a log best.

    Every policy is played with memories of its kind: in replay in time, in replay in rounds, and at
    full traffic in the world that the log shows. Without --policy: Thompson sampling, and Auto.
    """
    path = None if out is None else _of_group(log, _policy_file(out))
    policies = _players(log, policy or [], [])
    with output.progress_of("tuning") as progress:
        result = log.tune(policies, span, level=level, seed=seed, progress=progress)
    if path is None or result.policy is None:
        return Reply([result], result.to_dict())
    with replacing(path) as partial:
        partial.write_text(result.policy.to_json() + "\n", "utf-8")
    return Reply([result], result.to_dict(), (path,))


@app.command(cls=Command)
@asks_a_log
def report(
    log: Log,
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="FILE", help="A page (.html), or .md, or .json."),
    ] = "report.html",
    policy: Policies = None,
    fixed: Fixed = None,
    tune: Annotated[
        bool, typer.Option("--tune/--no-tune", help="Look for the best policy and memory.")
    ] = True,
    level: Level = 0.95,
    seed: Seed = 0,
) -> Reply:
    """Write a report: what to do, and why, in one page that needs no network.

    Without --policy and --fixed it compares each arm, equal shares, Auto, and the best policy found
    by tuning.
    """
    from driftbandit.logs.report.result import ending_checked

    players = _players(log, policy or [], fixed or [])
    path = _of_group(log, ending_checked(out))
    with output.progress() as progress:
        result = log.report(
            path, policies=players, tune=tune, level=level, seed=seed, progress=progress
        )
    return Reply([result.headlines], result.to_dict(), (path,))


def _picture_file(plot: str) -> Path:
    """Return the file for a picture, whose format is checked before long work is lost."""
    from driftbandit.figures.page import ending_checked

    return ending_checked(reachable("plot", plot))


def _policy_file(out: str) -> Path:
    """Return the file for a policy; --policy reads it by its ending, which no log has."""
    path = reachable("out", out)
    require(path.suffix == ".json", "out", out, "end in .json, as a policy's file does")
    return path


def _of_group(log: Log, path: Path) -> Path:
    """Return the file of a log, which has the name of its group if it is one of several."""
    return path.with_stem(f"{path.stem}-{log.group_word}") if log.group_word else path


def _memory(window: str | None, half_life: str | None) -> Any:
    from driftbandit.rules.forget import HalfLife, TimeWindow

    if window is not None and half_life is not None:
        raise InputError("window and half-life exclude each other")
    if window is not None:
        return TimeWindow(window)
    return None if half_life is None else HalfLife(half_life)


def _players(log: Log, texts: list[str], shares: list[str]) -> list[Any] | None:
    """Return the policies that were named; None, the default of a log, if there are none."""
    from driftbandit.cli import values

    if not texts and not shares:
        return None
    checked = log.check()
    facts = {"horizon": max(checked.good, 1), "arms": max(len(checked.arms), 1)}
    files = [text for text in texts if text.endswith(".json")]
    calls = [text for text in texts if not text.endswith(".json")]
    labels = {str(label): label for label in checked.arms}
    named = [{text: 1.0} if text in labels else shares_of(text) for text in shares]
    fixed = [{labels.get(arm, arm): share for arm, share in each.items()} for each in named]
    return [*values.make_policies(calls, **facts), *map(_from_file, files), *fixed]


def _from_file(path: str) -> Strategy:
    from driftbandit.policies import Strategy

    try:
        text = path_of("policy", path, "name a policy, or a file of JSON").read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"policy must be a file that can be read, got {shown(path)}") from error
    return Strategy.from_json(text)
