"""`driftbandit bounds`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from driftbandit.cli import output
from driftbandit.core.errors import InputError, whole
from driftbandit.core.files import filling
from driftbandit.theory import Statement, statements
from driftbandit.theory.statements import LETTERS

Written = Mapping[str, str | None]


def run(
    policies: Sequence[str], written: Written, measure: str | None, out: str, as_json: bool
) -> None:
    """Print the bounds, and compare them with simulations if asked."""
    given = _given(written)
    found = statements(policies=policies, **given)
    files = [] if measure is None else _measured(given, output.number("measure", measure), out)
    if as_json:
        told = {"bounds": [each.to_dict() for each in found], "files": [str(p) for p in files]}
        output.document({**given, **told})
    else:
        _print(given, found)
        if files:
            print("written:", *files, sep="\n  ")


def _given(written: Written) -> dict[str, Any]:
    """Return the numbers as numbers; what they may be is for the theory to say."""
    least = {"horizon": 1, "breakpoints": 0, "arms": 2, "window": 1}
    return {
        name: output.number(name, text, least[name]) if name in least else _real(name, text)
        for name, text in written.items()
        if text is not None
    }


def _real(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{name} must be a number, got {text!r}") from None


def _measured(given: Mapping[str, Any], runs: int, out: str) -> list[Path]:
    """Play the policies at horizons up to T, and write figure and numbers."""
    from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing
    from driftbandit.studies.paper import growth  # noqa: PLC0415  # so does the engine

    if given["arms"] != 2 or given["bound"] != 1.0:
        raise InputError("measure plays two arms with rewards in [0, 1]: leave out arms and bound")
    T = whole("horizon to measure", given["horizon"], least=1000)
    changes = whole("breakpoints to measure", given["breakpoints"])
    count = max(2, round(2 * math.log10(T)) - 5)
    horizons = sorted({round(T * 10 ** (-k / 2)) for k in range(count)})
    with filling(out) as partial, output.progress() as tell:
        told = None if tell is None else lambda done, total: tell("simulating", done, total)
        found = growth(changes, given["gap"], horizons, runs, xi=given["xi"], progress=told)
        text = json.dumps(found.to_dict(), indent=2)
        (partial / "growth.json").write_text(text, encoding="utf-8")
        figures.growth(found, partial / "growth.png")
    return [Path(out) / "growth.json", Path(out) / "growth.png"]


def _print(given: Mapping[str, Any], found: Sequence[Statement]) -> None:
    print(
        f"T = {given['horizon']:,} rounds, Υ = {given['breakpoints']:,} breakpoints, "
        f"{given['arms']} arms, gap Δ = {given['gap']:g} or more, ξ = {given['xi']:g}, "
        f"rewards up to B = {given['bound']:g}"
    )
    if not found:
        print("UCB-1 has no bound where means change: its regret can be of order T.")
        return
    head = ["policy", "form", "parameter", "informative?", "plays", "regret"]
    output.table(head, [_cells(each) for each in found], right=2)
    print()
    for policy in dict.fromkeys(each.policy for each in found):
        first = next(each for each in found if each.policy == policy)
        print(f"{policy}: {first.formula}")
        if first.policy in LETTERS:
            print(f"  where {LETTERS[first.policy]}")
        print(f"  assumes: {'; '.join(first.regret.assumes)}")
    print("plays: of an arm that is not the best; regret: (K − 1) × largest gap × plays.")
    print(
        "the index misleads: a mean is off by its padding, as the deviation inequality bounds it."
    )
    print("as printed: the paper's statement; see docs/explanation/errata.md for what is wrong.")
    if given["breakpoints"] > 0:
        print("UCB-1 has no such bound where means change: its regret can be of order T.")


def _cells(each: Statement) -> list[str]:
    bound, sign = each.regret, "≥" if each.regret.lower else "≤"
    trivial = f"{bound.trivial:,.0f}" if bound.trivial >= 10.0 else f"{bound.trivial:.3g}"
    use = f"vacuous: never above {trivial}" if bound.vacuous else "yes"
    if not bound.holds:
        use = "not shown for finite T"
    plays = "" if each.plays is None else f"{sign} {each.plays.value:,.0f}"
    return [each.policy, each.form, each.parameter, use, plays, f"{sign} {bound.value:,.1f}"]
