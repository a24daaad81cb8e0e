"""`reproduce`: run both experiments, and write figure, report and tables."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

from driftbandit import figures
from driftbandit.core.callbacks import require_function
from driftbandit.core.errors import whole
from driftbandit.core.files import filling
from driftbandit.engine import Result
from driftbandit.engine.simulate import simulate
from driftbandit.studies.paper import experiments
from driftbandit.studies.paper.claims import Evidence, Finding, judge
from driftbandit.studies.paper.report import report
from driftbandit.studies.paper.tables import tables
from driftbandit.studies.progress import TitledProgress, part


@dataclasses.dataclass(frozen=True)
class Reproduction:
    """The results by experiment, the findings on every claim, and the files."""

    results: dict[str, Result]
    findings: list[Finding]
    files: list[Path]


def reproduce(
    folder: str | os.PathLike[str] = "results",
    runs: int = 2_000,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: TitledProgress | None = None,
) -> Reproduction:
    """Run the paper's experiments and write figure, report and tables, all or none.

    A sweep of the tuning parameters has four times as many policies and a quarter of the runs.
    """
    number = whole("runs", runs, least=2)
    require_function("progress", progress, "title, done, total")
    first, second = experiments.abrupt(), experiments.continuous()
    runs_of = [(first, number), (second, number), (experiments.sweep(), max(2, number // 4))]
    with filling(folder) as partial:  # a folder that cannot be written is an error at the start
        evidence = Evidence(*_simulate_all(runs_of, seed, workers, progress))
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


def _simulate_all(
    runs_of: list[tuple[experiments.Experiment, int]],
    seed: int,
    workers: int | None,
    progress: TitledProgress | None,
) -> list[Result]:
    """Simulate one experiment after the other, with one count of rounds over all."""
    sizes = [len(experiment.policies) * runs * experiment.horizon for experiment, runs in runs_of]
    return [
        simulate(
            experiment.policies,
            experiment.world,
            horizon=experiment.horizon,
            runs=runs,
            seed=seed,
            workers=workers,
            checkpoints=experiment.checkpoints,
            progress=part(progress, experiment.title, sum(sizes[:place]), sum(sizes)),
        )
        for place, (experiment, runs) in enumerate(runs_of)
    ]
