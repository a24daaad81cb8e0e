"""The report: the figure, every claim with its measurement, the regrets, how it was run."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import driftbandit
from driftbandit.core.table import markdown
from driftbandit.studies.paper.claims import DELAY, Finding
from driftbandit.studies.paper.claims.measures import ALMOST
from driftbandit.studies.paper.estimate import Estimate
from driftbandit.studies.paper.experiments import DISCOUNT, FACTORS, HORIZON, WINDOW
from driftbandit.studies.paper.tables import row

if TYPE_CHECKING:
    from driftbandit.engine import Result


def report(results: Mapping[str, Result], findings: Sequence[Finding], sweep_runs: int) -> str:
    """Return the report as Markdown; the same runs give the same text."""
    first = next(iter(results.values()))
    parts = [
        "# Garivier & Moulines (2008): both experiments reproduced",
        f"Each policy played {first.runs:,} runs of {HORIZON:,} rounds, and all policies met the "
        "same luck. Brackets hold 95 % intervals of means. Differences are paired, run by run. "
        "Arms are numbered from 1, as in the paper.",
        "![Means of the arms, share of plays of arm 1, and cumulative regret, in both experiments]"
        "(figure.svg)",
        "*Left: the first experiment. Right: the second. Shaded: arm 1 is best. "
        "Bands: 95 % intervals.*",
        "## The paper's claims, and the measurements",
        _findings(findings),
        _notes(),
        "## Regret at the horizon",
        *(part for title, result in results.items() for part in _regrets(title, result)),
        "## How it was run",
        _provenance(first, sweep_runs),
    ]
    return "\n\n".join(parts) + "\n"


def _findings(findings: Sequence[Finding]) -> str:
    rows = [list(row(finding).values()) for finding in findings]
    for cells in rows:
        cells[-1] = f"**{cells[-1]}**"
    return _table(["the paper's claim", "holds if", "measured", "verdict"], rows)


def _notes() -> str:
    return "\n".join(
        [
            "A verdict needs the whole 95 % interval on one side of the criterion. Claims about "
            "D-UCB are judged twice: with the padding 2B as the paper prints it, and with B.",
            "",
            f"- *{DELAY[0].upper()}{DELAY[1:]}.*",
            f"- *Almost* and *roughly* mean {100 * ALMOST:.0f} %. The paper gives no number and "
            "the verdict depends on it, so a looser reading, added after the first measurements, "
            "stands beside it.",
        ]
    )


def _regrets(title: str, result: Result) -> list[str]:
    summary = result.summary()
    means = [
        [
            line["policy"],
            _interval(line),
            f"{line['q05']:.0f}",
            f"{line['median']:.0f}",
            f"{line['q95']:.0f}",
        ]
        for line in summary.policies.to_dicts()
    ]
    gaps = [
        [f"{line['policy']} − {line['against']}", _interval(line, "+.1f")]
        for line in summary.differences.to_dicts()
    ]
    return [
        f"### {title.capitalize()}",
        _table(["policy", "mean regret", "5 %", "median", "95 %"], means),
        _table(["paired difference", "mean"], gaps),
    ]


def _interval(line: Mapping[str, float], form: str = ".1f") -> str:
    return format(Estimate(line["mean"], line["low"], line["high"]), form)


def _provenance(result: Result, sweep_runs: int) -> str:
    packages = ("numpy", "numba", "matplotlib", "polars")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    factors = ", ".join(f"{factor:g}" for factor in FACTORS)
    return "\n".join(
        [
            f"- `driftbandit reproduce --runs {result.runs} --seed {result.seed}`",
            f"- driftbandit {driftbandit.__version__}, Python {platform.python_version()}, "
            f"{versions}",
            f"- ξ = 1/2, γ = 1 − 1/(4√T) = {DISCOUNT}, τ = 4√(T log T) = {WINDOW}, EXP3.S tuned "
            "for two breakpoints; three cycles in the second experiment",
            f"- tuning parameters also at {factors} times these values, {sweep_runs:,} runs each",
            "- the same numbers as tables: regret.csv, differences.csv, curves.csv, claims.csv",
        ]
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(markdown(head, rows))
