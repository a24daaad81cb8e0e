"""`driftbandit tune`: search a policy's best parameters by simulation."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from driftbandit.cli import output
from driftbandit.cli.numbers import BadValue
from driftbandit.cli.options import Json, Seed, SeveralRuns, Workers, folder, whole
from driftbandit.core.errors import InputError, shown
from driftbandit.core.files import filling

NAME = re.compile(r"[A-Za-z_]\w*")


class Search(NamedTuple):
    """What is tried of a parameter: (low, high), a list, one value; None is its default range."""

    name: str
    values: Any


def parse_search(text: str) -> Search:
    """Read `name=low:high`, `name=[values]`, `name=value`, or a name for its default range.

    >>> parse_search("window=10:5e3"), parse_search("xi")
    (Search(name='window', values=(10, 5000.0)), Search(name='xi', values=None))
    """
    name, sign, values = (part.strip() for part in text.partition("="))
    if not NAME.fullmatch(name) or (sign and not values):
        raise BadValue(
            "search must be written as name=low:high, name=[values], name=value or name, "
            f"got {shown(text)}"
        )
    if not sign:
        return Search(name, None)
    low, colon, high = values.partition(":")
    if colon:
        return Search(name, (_literal(name, low), _literal(name, high)))
    return Search(name, _literal(name, values))


def tune(
    worlds: Annotated[
        list[str],
        typer.Argument(
            metavar="WORLD", help="One world or several, whose mean regret is to be small."
        ),
    ],
    policy: Annotated[str, typer.Option(metavar="NAME", help="A policy's name, such as sw-ucb.")],
    search: Annotated[
        list[Search] | None,
        typer.Option(
            metavar="TEXT",
            parser=parse_search,
            help="What is tried: window=10:5000, xi=[0.1,0.5], padding=1, or a name for its "
            "default range; may be repeated. Default: all parameters with a default range.",
        ),
    ] = None,
    horizon: Annotated[
        int | None, whole("horizon", "Rounds; default: the worlds' own, or 10000.")
    ] = None,
    breakpoints: Annotated[
        int | None,
        whole(
            "breakpoints",
            "The changes that the papers' rule is tuned for; default: those of the best arm.",
            least=0,
        ),
    ] = None,
    runs: SeveralRuns = 1000,
    seed: Seed = 0,
    out: Annotated[str, folder("Where tables and figure go.")] = "results/tune",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Search a policy's best parameters by simulation.

    Prints them beside the papers' rule, and the cost of a wrong guess of the changes.
    """
    from driftbandit.cli import values
    from driftbandit.cli.syntax import parse
    from driftbandit.policies.presets.preset import other_names, preset_name
    from driftbandit.studies import tune as study

    call = "(" in policy or policy.lower().endswith(".tuned")
    if call and policy not in other_names():
        raise InputError(
            f"policy must be a name alone, parameters go to --search, got {shown(policy)}"
        )
    name = preset_name("policy", policy)
    calls = [parse("world", text, values.WORLDS) for text in worlds]
    places = [values.make_world(call, horizon) for call in calls]
    for place in places:
        values.check_length(horizon or place.horizon or values.HORIZON)
    arguments: dict[str, Any] = {
        "horizon": horizon or _horizon([place.horizon for place in places]),
        "runs": runs,
        "seed": seed,
        "search": _by_name(search) if search else None,
        "workers": workers,
    }
    if breakpoints is not None:
        arguments["breakpoints"] = breakpoints
    with filling(out) as partial:  # fails before the work if the folder cannot be written
        with output.progress_of("tuning") as progress:
            result = study.tune(name, places, progress=progress, **arguments)
        result.save(partial)
        result.plot(partial / "tuning.png")
        files = [Path(out) / path.name for path in sorted(partial.iterdir())]
    title = f"{name} in {', '.join(call.text for call in calls)}"
    output.report(json, result.to_dict, lambda: _show(title, result), files)


def _horizon(ends: Sequence[int | None]) -> int | None:
    """Return the shortest horizon, or 10,000 if no world ends; None leaves it to the worlds.

    >>> _horizon([500, 700]), _horizon([500, None]), _horizon([None])
    (None, 500, 10000)
    """
    from driftbandit.cli.values import HORIZON

    finite = [end for end in ends if end is not None]
    return None if len(finite) == len(ends) else min(finite, default=HORIZON)


def _by_name(searches: Sequence[Search]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for search in searches:
        if search.name in values:
            raise InputError(f"search of {search.name} must be given once only")
        values[search.name] = search.values
    return values


def _literal(name: str, text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise BadValue(
            f"search of {name} must be a number, low:high or a list, got {shown(text.strip())}"
        ) from None


def _show(title: str, result: Any) -> None:
    from driftbandit.studies.tune.report import sections

    print(title)
    for place, section in enumerate(sections(result)):
        if place:
            print()
        print(section.title)
        if section.head:
            output.table(section.head, section.rows, right=len(section.head) - 1)
