"""`driftbandit tune`."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from driftbandit.cli import output
from driftbandit.cli.simulating import HORIZON, made_world
from driftbandit.core.errors import InputError, one_of
from driftbandit.core.files import filling
from driftbandit.policies import CATALOGUE
from driftbandit.studies import tune as tuning
from driftbandit.studies.tune.report import sections

NAME = re.compile(r"[A-Za-z_]\w*")


def run(
    worlds: Sequence[str],
    policy: str,
    search: Sequence[str],
    horizon: str | None,
    breakpoints: str | None,
    runs: str,
    seed: str,
    out: str,
    workers: str | None,
    as_json: bool,
) -> None:
    """Tune, write every file or none, and print the tables."""
    if "(" in policy:
        raise InputError(f"policy must be a name alone, parameters go to --search, got {policy!r}")
    family = CATALOGUE[one_of("policy", policy.lower(), CATALOGUE)]
    rounds, number = output.optional("horizon", horizon), output.number("runs", runs, least=2)
    made = [made_world(world, rounds) for world in worlds]
    ends = [world.horizon for world in made if world.horizon is not None]
    asked: dict[str, Any] = {
        "horizon": rounds or (None if len(ends) == len(made) else min(ends, default=HORIZON)),
        "runs": number,
        "seed": output.number("seed", seed, least=0),
        "search": searched(search) if search else None,
        "workers": output.optional("workers", workers),
    }
    if breakpoints is not None:
        asked["breakpoints"] = output.number("breakpoints", breakpoints, least=0)
    with filling(out) as partial:  # a folder that cannot be written is no surprise at the end
        with output.progress() as tell:
            told = None if tell is None else lambda done, total: tell("tuning", done, total)
            found = tuning.tune(made, family, progress=told, **asked)
        found.save(partial)
        found.plot(partial / "tuning.png")
        files = [Path(out) / path.name for path in sorted(partial.iterdir())]
    if as_json:
        output.document({**found.to_dict(), "files": [str(path) for path in files]})
        return
    print(f"{policy} in {', '.join(worlds)}")
    for title, head, rows in sections(found):
        print(title)
        if head:
            output.table(head, rows, right=len(head) - 1)
        print()
    print("written:", *files, sep="\n  ")


def searched(texts: Sequence[str]) -> dict[str, Any]:
    """Read `name=low:high`, `name=[values]`, `name=value`, or a name for its default range.

    >>> searched(["window=10:5e3", "xi", "padding=1"])
    {'window': (10, 5000.0), 'xi': None, 'padding': 1}
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, given, value = (part.strip() for part in text.partition("="))
        if not NAME.fullmatch(name) or (given and not value):
            raise InputError(
                "search must be written as name=low:high, name=[values], name=value or name, "
                f"got {text!r}"
            )
        if name in found:
            raise InputError(f"search of {name} must be given once only")
        found[name] = _read(name, value) if given else None
    return found


def _read(name: str, text: str) -> Any:
    low, colon, high = text.partition(":")
    if colon:
        return (_literal(name, low), _literal(name, high))
    return _literal(name, text)


def _literal(name: str, text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise InputError(
            f"search of {name} must be a number, low:high or a list, got {text.strip()!r}"
        ) from None
