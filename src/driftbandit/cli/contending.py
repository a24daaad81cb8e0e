"""`driftbandit arena`."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from pathlib import Path

from driftbandit import environments, linear, policies
from driftbandit.cli import output
from driftbandit.cli.calls import make, needed, split
from driftbandit.core.errors import InputError, whole
from driftbandit.core.files import filling
from driftbandit.environments import World
from driftbandit.studies.arena import LINEUP, Arena, Entry, arena


def run(
    problem: Sequence[str],
    policy: Sequence[str],
    wild: str | None,
    numbers: dict[str, str],
    workers: str | None,
    out: str,
    as_json: bool,
) -> None:
    """Hold the contest, write every file or none, and print the tables."""
    runs = output.number("runs", numbers["runs"], least=2)
    seed = output.number("seed", numbers["seed"], least=0)
    repeats = output.number("repeats", numbers["repeats"], least=0)
    threads = output.optional("workers", workers)
    entries = entered(policy) if policy else None
    worlds = made_problems(problem)
    if wild:
        first = output.number("wild-seed", numbers["wild-seed"], least=0)
        worlds |= environments.wilds(output.number("wild", wild), first)
    with filling(out) as partial:  # a folder that cannot be written is no surprise at the end
        with output.progress() as tell:
            found = arena(
                entries, worlds or None, runs, seed, repeats=repeats, workers=threads, progress=tell
            )
        files = [Path(out) / path.name for path in found.save(partial)]
    if as_json:
        output.document({**found.to_dict(), "files": [str(path) for path in files]})
    else:
        _print(found)
        print()
        print("written:", *files, sep="\n  ")


def entered(texts: Sequence[str]) -> dict[str, Entry]:
    """Return the entries: a bare name of the line-up is its tuned policy, else a call makes one.

    What needs a horizon and is told none is made for that of each problem.

    >>> list(entered(["sw-ucb", "sw-ucb(500)", "ucb-1(xi=2)"]))
    ['SW-UCB', 'sw-ucb(500)', 'ucb-1(xi=2)']
    """
    known = {label.lower(): label for label in LINEUP}
    found: list[tuple[str, Entry]] = []
    for text in texts:
        label = known.get(text.strip().lower())
        if label is not None:
            found.append((label, LINEUP[label]))
        else:
            found.append((text, _made(text)))
    _once("policy", [label for label, _ in found])
    return dict(found)


def _made(text: str) -> Entry:
    """Return a policy; one that needs a horizon and is told none gets that of each problem."""
    name, _ = split("policy", text)
    entry = policies.CATALOGUE.get(name.lower().partition(".")[0])
    if entry is not None and issubclass(entry.cell.kind, linear.LinearPolicy):
        raise InputError(f"policy {name} is for actions with features, and plays in simulate only")
    if "horizon" in needed("policy", text, policies.CATALOGUE):
        return lambda _, T: make("policy", text, policies.CATALOGUE, horizon=T)
    return make("policy", text, policies.CATALOGUE)  # type: ignore[no-any-return]  # of a policy


def made_problems(texts: Sequence[str]) -> dict[str, World]:
    """Return the worlds by what was written; any that has a last round will do.

    >>> list(made_problems(["besson-1", "two-swaps(horizon=500)"]))
    ['besson-1', 'two-swaps(horizon=500)']
    """
    _once("problem", texts)
    return {text: make("problem", text, environments.CATALOGUE) for text in texts}


def _once(name: str, texts: Sequence[str]) -> None:
    for text, often in collections.Counter(texts).items():
        if often > 1:
            raise InputError(f"{name} must be given once only, got {text!r} {often} times")


def _print(found: Arena) -> None:
    print(f"regret at the last round: {found.runs:,} runs, 95 % intervals, paired differences")
    head = ["problem", "T", "policy", "mean", "low", "high", "ratio", "difference", "p"]
    rows = found.scores.sort("problem", "rank", maintain_order=True).to_dicts()
    by_problem = [row for name in found.problems for row in rows if row["problem"] == name]
    cells = [
        [
            row["problem"],
            f"{whole('horizon', found.problems[row['problem']].horizon):,}",
            row["policy"],
            *(f"{row[key]:.1f}" for key in ("mean", "low", "high")),
            f"{row['ratio']:.2f}",
            f"{row['difference']:+.1f}",
            _probability(row),
        ]
        for row in by_problem
    ]
    output.table(head, cells, right=6)
    print()
    head = ["policy", "average rank", "mean ratio", "worst ratio", "on", "unbeaten", "ns a round"]
    standings = [
        [
            row["policy"],
            f"{row['average_rank']:.2f}",
            f"{row['mean_ratio']:.2f}",
            f"{row['worst_ratio']:.2f}",
            row["worst_problem"],
            f"{row['unbeaten']} of {len(found.problems)}",
            "" if row["ns"] is None else f"{row['ns']:.1f}",
        ]
        for row in found.leaderboard.to_dicts()
    ]
    output.table(head, standings, right=6)


def _probability(row: dict[str, float]) -> str:
    if row["rank"] == 1.0:
        return "best"
    return f"{row['p']:.3f}" if row["p"] >= 0.001 else "< 0.001"
