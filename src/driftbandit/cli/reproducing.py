"""`driftbandit reproduce`."""

from __future__ import annotations

from driftbandit.cli import output
from driftbandit.engine import Result
from driftbandit.studies import paper as experiments
from driftbandit.studies.paper.tables import row


def run(out: str, runs: str, seed: str, workers: str | None, as_json: bool) -> None:
    """Run both experiments and print the regrets, the verdicts and the files."""
    number = output.number("runs", runs, least=2)
    first, threads = output.number("seed", seed, least=0), output.optional("workers", workers)
    with output.progress() as tell:
        made = experiments.reproduce(out, number, first, workers=threads, progress=tell)
    if as_json:
        output.document(_plain(made))
        return
    for title, result in made.results.items():
        print(f"regret at round {result.horizon:,}, {title}: {result.runs:,} runs, 95 % intervals")
        regrets(result)
        print()
    rows = [[finding.claim.text, finding.verdict.value] for finding in made.findings]
    output.table(["the paper's claim", "verdict"], rows)
    print()
    print("written:", *made.files, sep="\n  ")


def regrets(result: Result) -> None:
    """Print the mean regret of each policy with its interval, and quantiles."""
    head = ["policy", "mean", "low", "high", "5 %", "median", "95 %"]
    keys = ("mean", "low", "high", "q05", "median", "q95")
    rows = [
        [line["policy"], *(f"{line[key]:.1f}" for key in keys)]
        for line in result.summary().policies.to_dicts()
    ]
    output.table(head, rows, right=len(keys))


def _plain(made: experiments.Reproduction) -> dict[str, object]:
    return {
        "experiments": {title: result.to_dict() for title, result in made.results.items()},
        "claims": [row(finding) for finding in made.findings],
        "files": [str(path) for path in made.files],
    }
