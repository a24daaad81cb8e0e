"""`driftbandit arena`: rank policies on published problems or wild worlds."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

import collections
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from driftbandit.cli import output
from driftbandit.cli.options import Json, Seed, SeveralRuns, Workers, folder, whole
from driftbandit.core.errors import InputError
from driftbandit.core.files import filling
from driftbandit.core.table import number

if TYPE_CHECKING:
    from driftbandit.environments import World
    from driftbandit.studies.arena import Arena, Entry


def arena(
    problem: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORLD",
            help='A published problem or another world that ends, such as "besson-1"; '
            "may be repeated. Default: all published problems but f-dsw-2 and f-dsw-3.",
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help='One of the line-up, such as "sw-ucb", tuned for each problem, or a call, '
            'such as "sw-ucb(window=500)"; may be repeated. Default: the whole line-up.',
        ),
    ] = None,
    wild: Annotated[
        int | None,
        whole(
            "wild",
            "Play this many worlds drawn from seeds, beside those of --problem.",
            most=100_000,
        ),
    ] = None,
    wild_seed: Annotated[
        int, whole("wild-seed", "The first of these seeds.", least=0, most=None)
    ] = 0,
    runs: SeveralRuns = 1000,
    seed: Seed = 0,
    repeats: Annotated[
        int,
        whole("repeats", "How often each policy is timed on each problem; 0: never.", least=0),
    ] = 3,
    out: Annotated[str, folder("Where tables and figure go.")] = "results/arena",
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Rank policies on the published problems, or on worlds drawn at random.

    Prints regrets and a leaderboard, and writes both and a heat map to a folder.
    """
    from driftbandit import environments
    from driftbandit.studies.arena import arena as play

    entries = make_entries(policy) if policy else None
    worlds = make_problems(problem or [])
    if wild is not None:
        worlds |= environments.wilds(wild, wild_seed)
    with filling(out) as partial:  # fails before the work if the folder cannot be written
        with output.progress() as progress:
            result = play(
                entries, worlds or None, runs, seed,
                repeats=repeats, workers=workers, progress=progress,
            )  # fmt: skip
        files = [Path(out) / path.name for path in result.save(partial)]
    output.report(json, result.to_dict, lambda: _show(result), files)


def make_entries(texts: Sequence[str]) -> dict[str, Entry]:
    """Return the entries by label: a name of the line-up is its tuned policy, a call makes one.

    >>> list(make_entries(["sw-ucb", "SW-UCB(500)", "ucb-1(xi=2)"]))
    ['SW-UCB', 'sw-ucb(500)', 'ucb-1(xi=2)']
    """
    entries = [_entry(text) for text in texts]
    _check_distinct("policy", [label for label, _ in entries])
    return dict(entries)


def _entry(text: str) -> tuple[str, Entry]:
    """Return label and entry; what a policy needs and is not given, it gets from each problem."""
    from driftbandit import linear, policies
    from driftbandit.cli.values import needed, parse_policy
    from driftbandit.policies.presets.preset import other_names
    from driftbandit.studies.arena import LINEUP

    labels = {label.lower(): label for label in LINEUP}
    if label := labels.get(text.strip().lower()):
        return label, LINEUP[label]
    call = parse_policy(text)
    others = {shell: label for label, shell in other_names().items() if label in LINEUP}
    if label := others.get(call.text):
        return label, LINEUP[label]
    entry = policies.CATALOGUE[call.name.removesuffix(".tuned")]
    if issubclass(entry.cell.kind, linear.LinearPolicy):
        raise InputError(
            f"policy {call.name} is for actions with features, and plays in simulate only"
        )
    if needed(call, {"horizon": 0, "arms": 0}):
        return call.text, lambda world, T: call.make(
            **needed(call, {"horizon": T, "arms": world.arms})
        )
    return call.text, call.make()


def make_problems(texts: Sequence[str]) -> dict[str, World]:
    """Return the worlds by their texts; every world with a last round is a problem.

    >>> list(make_problems(["besson-1", "Two-Swaps(horizon=500)"]))
    ['besson-1', 'two-swaps(horizon=500)']
    """
    from driftbandit.cli.syntax import parse
    from driftbandit.environments import CATALOGUE

    calls = [parse("problem", text, CATALOGUE) for text in texts]
    _check_distinct("problem", [call.text for call in calls])
    return {call.text: call.make() for call in calls}


def _check_distinct(name: str, texts: Sequence[str]) -> None:
    for text, times in collections.Counter(texts).items():
        if times > 1:
            raise InputError(f"{name} must be given once only, got {text!r} {times} times")


def _show(result: Arena) -> None:
    from driftbandit.studies.arena.report import standings

    print(f"regret at the last round: {result.runs:,} runs, 95 % intervals, paired differences")
    head = ["problem", "T", "policy", "mean", "low", "high", "ratio", "difference", "p"]
    rows = result.scores.sort("problem", "rank", maintain_order=True).to_dicts()
    cells = [
        [row["problem"], f"{world.horizon:,}", *_score(row)]
        for name, world in result.problems.items()
        for row in rows
        if row["problem"] == name
    ]
    output.table(head, cells, right=6)
    output.note_few_runs(result.runs)
    print()
    output.table(*standings(result), right=6)


def _score(row: dict[str, Any]) -> list[str]:
    p = f"{row['p']:.3f}" if row["p"] >= 0.001 else "< 0.001"
    return [
        row["policy"],
        *(number(row[key], ".1f") for key in ("mean", "low", "high")),
        f"{row['ratio']:.2f}",
        f"{row['difference']:+.1f}",
        "best" if row["rank"] == 1.0 else p,
    ]
