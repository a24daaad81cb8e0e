"""Both experiments from one call."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

from driftbandit import figures
from driftbandit.core.errors import whole
from driftbandit.core.files import filling
from driftbandit.engine import Result
from driftbandit.engine.simulate import simulate
from driftbandit.studies.paper import paper
from driftbandit.studies.paper.claims import Evidence, Finding, judge
from driftbandit.studies.paper.numbers import tables
from driftbandit.studies.paper.report import report

Progress = Callable[[str, int, int], None]
"""Called with what is being done, and the number of rounds done and to do altogether."""


@dataclasses.dataclass(frozen=True)
class Reproduction:
    """What came out: results by experiment, the findings, and the files that were written."""

    results: dict[str, Result]
    findings: list[Finding]
    files: list[Path]


def reproduce(
    folder: str | os.PathLike[str] = "results",
    runs: int = 2_000,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """Run the paper's experiments and write figure, report and numbers, all or nothing.

    The sweep of tuning parameters has four times as many policies and a quarter of the runs.
    """
    number = whole("runs", runs, least=2)
    first, second, tuning = paper.abrupt(), paper.continuous(), paper.sweep()
    plan = [(first, number), (second, number), (tuning, max(2, number // 4))]
    with filling(folder) as partial:  # a folder that cannot be written is no surprise at the end
        evidence = Evidence(*_run(plan, seed, workers, progress))
        results = {first.title: evidence.abrupt, second.title: evidence.continuous}
        findings = judge(evidence)
        _write(partial, results, findings, evidence.sweep.runs)
        names = sorted(path.name for path in partial.iterdir())
    return Reproduction(results, findings, [Path(folder) / name for name in names])


def _write(
    folder: Path, results: dict[str, Result], findings: list[Finding], sweep_runs: int
) -> None:
    figures.two_panels(list(results.values()), folder / "figure.png")
    for name, table in tables(results, findings).items():
        table.write_csv(folder / f"{name}.csv")
    text = report(results, findings, sweep_runs)
    (folder / "report.md").write_text(text, encoding="utf-8")


def _run(
    plan: list[tuple[paper.Experiment, int]],
    seed: int,
    workers: int | None,
    progress: Progress | None,
) -> list[Result]:
    """Simulate one experiment after the other, with one count of rounds over all."""
    sizes = [len(part.policies) * runs * part.horizon for part, runs in plan]
    results = []
    for place, (part, runs) in enumerate(plan):

        def tell(done: int, _: int, before: int = sum(sizes[:place]), at: str = part.title) -> None:
            if progress is not None:
                progress(at, before + done, sum(sizes))

        tell(0, sizes[place])
        results.append(
            simulate(
                part.policies,
                part.world,
                horizon=part.horizon,
                runs=runs,
                seed=seed,
                workers=workers,
                checkpoints=part.checkpoints,
                progress=tell,
            )
        )
    return results
