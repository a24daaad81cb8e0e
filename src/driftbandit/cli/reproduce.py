"""`driftbandit reproduce`: run the paper's experiments and judge its claims."""

# ruff: noqa: PLC0415  # what a command needs loads when it runs

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from driftbandit.cli import output
from driftbandit.cli.options import Json, Seed, SeveralRuns, Workers, folder

if TYPE_CHECKING:
    from driftbandit.studies.paper import Reproduction


def reproduce(
    out: Annotated[str, folder("Where figure and report go.")] = "results",
    runs: SeveralRuns = 2000,
    seed: Seed = 0,
    workers: Workers = None,
    json: Json = False,
) -> None:
    """Run the paper's experiments and judge its claims.

    Writes the figure, a report and all numbers to a folder, whole or not at all.
    """
    from driftbandit.studies import paper

    with output.progress() as progress:
        reproduction = paper.reproduce(out, runs, seed, workers=workers, progress=progress)
    output.report(
        json, lambda: _content(reproduction), lambda: _show(reproduction), reproduction.files
    )


def _content(reproduction: Reproduction) -> dict[str, Any]:
    from driftbandit.studies.paper.tables import row

    return {
        "experiments": {title: result.to_dict() for title, result in reproduction.results.items()},
        "claims": [row(finding) for finding in reproduction.findings],
    }


def _show(reproduction: Reproduction) -> None:
    for title, result in reproduction.results.items():
        print(f"regret at round {result.horizon:,}, {title}: {result.runs:,} runs, 95 % intervals")
        output.regrets(result)
        print()
    rows = [[finding.claim.text, finding.verdict.value] for finding in reproduction.findings]
    output.table(["the paper's claim", "verdict"], rows)
