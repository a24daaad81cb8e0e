"""`driftbandit bounds`: what the theorems promise."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from driftbandit.cli import output
from driftbandit.cli.options import Json, folder, real, whole
from driftbandit.core import errors
from driftbandit.core.files import filling

if TYPE_CHECKING:
    from driftbandit.theory import Statement


def bounds(
    horizon: Annotated[int, whole("horizon", "Rounds T.")],
    breakpoints: Annotated[int, whole("breakpoints", "Changes Υ up to T.", least=0)],
    gap: Annotated[
        float, real("gap", "How far an arm that is not the best lies below it, at least.")
    ],
    largest_gap: Annotated[
        float | None, real("largest-gap", "And at most; default: the same everywhere.")
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="ucb-1, d-ucb, sw-ucb or exp3.s; may be repeated. Default: all."
        ),
    ] = None,
    arms: Annotated[int, whole("arms", "Arms K.", least=2)] = 2,
    xi: Annotated[float, real("xi", "Exploration ξ, more than 1/2.")] = 0.6,
    bound: Annotated[float, real("bound", "The largest reward B.")] = 1,
    window: Annotated[int | None, whole("window", "A window τ of your own.")] = None,
    discount: Annotated[float | None, real("discount", "A discount γ of your own.")] = None,
    measure: Annotated[
        int | None,
        whole(
            "measure",
            "Also play the paper's policies, tuned by its rules, this many runs at horizons up "
            "to T, and draw bounds and growth.",
            metavar="RUNS",
        ),
    ] = None,
    out: Annotated[
        str | None,
        folder("With --measure: where figure and numbers go; default: results/bounds."),
    ] = None,
    json: Json = False,
) -> None:
    """Print how bad it can get: what the theorems promise.

    Prints each bound, its assumptions and whether it is informative.
    """
    from driftbandit.theory import statements

    if out is not None and measure is None:
        raise errors.InputError("--out must come with --measure: bounds alone write nothing")
    problem: dict[str, Any] = {
        "horizon": horizon,
        "breakpoints": breakpoints,
        "gap": gap,
        "arms": arms,
        "xi": xi,
        "bound": bound,
    }
    own = {"largest_gap": largest_gap, "window": window, "discount": discount}
    problem |= {name: value for name, value in own.items() if value is not None}
    rows = statements(policies=policy or [], **problem)
    files = (
        []
        if measure is None
        else _measure(problem, measure, "results/bounds" if out is None else out)
    )
    output.report(
        json,
        lambda: {**problem, "bounds": [row.to_dict() for row in rows]},
        lambda: _show(problem, rows),
        files,
    )


def _measure(problem: Mapping[str, Any], runs: int, out: str) -> list[Path]:
    """Play the policies at horizons up to T, and write figure and numbers."""
    import json

    from driftbandit import figures
    from driftbandit.core.rounds import LONGEST
    from driftbandit.studies.paper import growth

    if problem["arms"] != 2 or problem["bound"] != 1.0:
        raise errors.InputError(
            "measure plays two arms with rewards in [0, 1]: leave out arms and bound"
        )
    T = errors.whole("horizon to measure", problem["horizon"], 1000, LONGEST)
    changes = errors.whole("breakpoints to measure", problem["breakpoints"])
    count = max(2, round(2 * math.log10(T)) - 5)
    horizons = sorted({round(T * 10 ** (-k / 2)) for k in range(count)})
    with filling(out) as partial, output.progress_of("simulating") as progress:
        result = growth(
            changes, problem["gap"], horizons, runs, xi=problem["xi"], progress=progress
        )
        text = json.dumps(result.to_dict(), indent=2)
        (partial / "growth.json").write_text(text, encoding="utf-8")
        figures.growth(result, partial / "growth.png")
    return [Path(out) / "growth.json", Path(out) / "growth.png"]


def _show(problem: Mapping[str, Any], rows: Sequence[Statement]) -> None:
    from driftbandit.theory.statements import LETTERS

    print(
        f"T = {problem['horizon']:,} rounds, Υ = {problem['breakpoints']:,} "
        f"breakpoint{'' if problem['breakpoints'] == 1 else 's'}, "
        f"{problem['arms']} arms, gap Δ = {problem['gap']:g} or more, ξ = {problem['xi']:g}, "
        f"rewards up to B = {problem['bound']:g}"
    )
    if not rows:
        print("UCB-1 has no bound where means change: its regret can be of order T.")
        return
    head = ["policy", "form", "parameter", "informative?", "plays", "regret"]
    output.table(head, [_cells(row) for row in rows], right=2)
    print()
    for policy in dict.fromkeys(row.policy for row in rows):
        first = next(row for row in rows if row.policy == policy)
        print(f"{policy}: {first.formula}")
        if policy in LETTERS:
            print(f"  where {LETTERS[policy]}")
        print(f"  assumes: {'; '.join(first.regret.assumes)}")
    print("plays: of an arm that is not the best; regret: (K − 1) × largest gap × plays.")
    print(
        "the index misleads: a mean is off by its padding, as the deviation inequality bounds it."
    )
    print("as printed: the paper's statement; docs/explanation/errata.md says what is wrong in it.")
    if problem["breakpoints"] > 0:
        print("UCB-1 has no such bound where means change: its regret can be of order T.")


def _cells(row: Statement) -> list[str]:
    bound, sign = row.regret, "≥" if row.regret.lower else "≤"
    trivial = f"{bound.trivial:,.0f}" if bound.trivial >= 10.0 else f"{bound.trivial:.3g}"
    informative = f"vacuous: never above {trivial}" if bound.vacuous else "yes"
    if not bound.holds:
        informative = "not shown for finite T"
    plays = "" if row.plays is None else f"{sign} {row.plays.value:,.0f}"
    cells = [row.policy, row.form, row.parameter, informative]
    return [*cells, plays, f"{sign} {bound.value:,.1f}"]
