"""`driftbandit rehearse`: live agents in a world, with rewards that come late or never."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from driftbandit.cli import output
from driftbandit.cli.numbers import BadValue, number_of
from driftbandit.cli.options import Json, Runs, Seed, folder, real, whole
from driftbandit.cli.simulate import show
from driftbandit.core.errors import InputError, shown
from driftbandit.core.files import filling


def ends_of(text: str) -> Any:
    """Read `100` or `10m`, or two of them with a colon between them.

    >>> ends_of("100"), ends_of("50:1e3"), ends_of("10m:2h")
    (100, (50, 1000.0), ('10m', '2h'))
    """
    parts = [_number_or_text(part.strip()) for part in text.split(":")]
    if len(parts) > 2 or "" in parts:
        raise BadValue(f"delay must be written as 100, 10m, 50:200 or 10m:2h, got {shown(text)}")
    return parts[0] if len(parts) == 1 else tuple(parts)


def arrivals_of(text: str) -> list[float] | float:
    """Read decisions per hour: one number, or 24 with commas between them.

    >>> arrivals_of("3600")
    3600.0
    """
    try:
        rates = [float(number_of(part)) for part in text.split(",")]
    except (OverflowError, ValueError):
        raise BadValue(
            f"arrivals must be one number, or 24 with commas between them, got {shown(text)}"
        ) from None
    return rates[0] if len(rates) == 1 else rates


def span_of(text: str) -> tuple[int, tuple[int | None, int | None]]:
    """Read `arm=first:last`; either end may be left out.

    >>> span_of("2=500:1500"), span_of("0=:99")
    ((2, (500, 1500)), (0, (None, 99)))
    """
    arm, _, span = text.partition("=")
    first, colon, last = span.partition(":")
    try:
        if colon:
            return _whole(arm), (_whole(first) if first else None, _whole(last) if last else None)
    except ValueError:
        pass
    raise BadValue(f"arm must be written as arm=first:last, such as 2=500:1500, got {shown(text)}")


def _whole(text: str) -> int:
    number = number_of(text)
    if not isinstance(number, int):
        raise ValueError(text)
    return number


def _number_or_text(text: str) -> int | float | str:
    try:
        return number_of(text)
    except ValueError:
        return text


def rehearse(
    world: Annotated[str, typer.Argument(metavar="WORLD", help="A world, as for simulate.")],
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="POLICY", help="A policy; may be repeated. Default: auto."),
    ] = None,
    decisions: Annotated[
        int | None, whole("decisions", "Decisions a run; default: the world's rounds, or 10000.")
    ] = None,
    delay: Annotated[
        Any,
        typer.Option(
            metavar="DELAY",
            parser=ends_of,
            help="How late rewards are: decisions (100), a time (10m), or between two (50:200).",
        ),
    ] = "0",
    lost: Annotated[float, real("lost", "The share of rewards that never come.")] = 0.0,
    duplicated: Annotated[float, real("duplicated", "The share that come twice.")] = 0.0,
    arrivals: Annotated[
        Any,
        typer.Option(
            metavar="NUMBERS",
            parser=arrivals_of,
            help="Decisions per hour, or 24 numbers with commas: one for each hour of the day.",
        ),
    ] = None,
    arm: Annotated[
        list[Any] | None,
        typer.Option(
            metavar="ARM=FIRST:LAST",
            parser=span_of,
            help="The rounds of an arm that comes and goes; may be repeated.",
        ),
    ] = None,
    servers: Annotated[int, whole("servers", "Agents that take turns and share one log.")] = 1,
    behind: Annotated[
        int, whole("behind", "Events of the log that a server has not seen yet.", least=0)
    ] = 0,
    floor: Annotated[float, real("floor", "The share of decisions drawn uniformly.")] = 0.0,
    reward_within: Annotated[
        str | None, typer.Option(metavar="TIME", help="How long a reward may take, such as 1h.")
    ] = None,
    default_reward: Annotated[
        float | None, real("default-reward", "What a reward counts as that never comes.")
    ] = None,
    runs: Runs = 100,
    seed: Seed = 0,
    out: Annotated[str, folder("Where tables and figure go.")] = "results/rehearse",
    workers: Annotated[int | None, whole("workers", "Processes; default: all cores.")] = None,
    json: Json = False,
) -> None:
    """Let live agents decide in a world where rewards come late, twice or never.

    Prints a table of regrets and writes a figure and all numbers to a folder.
    """
    from driftbandit.cli import values
    from driftbandit.cli.syntax import parse
    from driftbandit.studies.rehearse import rehearse as study

    call = parse("world", world, values.WORLDS)
    place = values.make_world(call, decisions, "decisions")
    last = values.check_length(decisions or place.horizon or values.HORIZON, "decisions")
    players = values.make_policies(policy or ["auto"], horizon=last, arms=place.arms)
    with filling(out) as partial:  # fails before the work if the folder cannot be written
        with output.progress_of("rehearsing") as progress:
            result = study(
                players, place, last,
                delay=delay, lost=lost, duplicated=duplicated, arrivals=arrivals,
                arms=_by_arm(arm), servers=servers, behind=behind, runs=runs, seed=seed,
                workers=workers or os.cpu_count() or 1, progress=progress,
                floor=floor, reward_within=reward_within, default_reward=default_reward,
            )  # fmt: skip
        result.save(partial)
        result.plot(partial / "regret.png")
        files = [Path(out) / path.name for path in sorted(partial.iterdir())]
    output.report(json, result.to_dict, lambda: show(call.text, result), files)


def _by_arm(spans: list[Any] | None) -> dict[int, Any] | None:
    if spans is None:
        return None
    if len({arm for arm, _ in spans}) < len(spans):
        raise InputError("arm must be given once for each arm")
    return dict(spans)
