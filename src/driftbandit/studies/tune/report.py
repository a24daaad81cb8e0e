"""The result of a tuning as titled tables, and as plain text."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from driftbandit.core.statistics import few_runs
from driftbandit.core.table import aligned, html_table, number

if TYPE_CHECKING:
    from driftbandit.studies.tune.result import Tuned


class Section(NamedTuple):
    """A table under a title, or a title alone; all columns but the first are right-aligned."""

    title: str
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def sections(tuned: Tuned) -> list[Section]:
    """Return the report section by section."""
    report = [_choices(tuned), Section(_plateau(tuned))]
    if note := few_runs(tuned.runs):
        report.append(Section(note))
    if tuned.edges:
        report.append(Section(_edges(tuned)))
    return [*report, _wrong(tuned)] if tuned.rows.wrong else report


def text(tuned: Tuned) -> str:
    """Return the report as plain text."""
    return "\n\n".join("\n".join([one.title, *_lines(one)]) for one in sections(tuned))


def html_report(tuned: Tuned) -> str:
    """Return the report in HTML."""
    parts = []
    for title, head, rows in sections(tuned):
        if head:
            parts += html_table(title, head, rows, right=len(head) - 1)
        else:
            parts.append(f"<p>{html.escape(title)}</p>")
    return "\n".join(parts)


def few_digits(value: Any) -> str:
    """Write a parameter in few digits.

    >>> few_digits(1213), few_digits(0.99750000001), few_digits(1e-4)
    ('1213', '0.9975', '0.0001')
    """
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _choices(tuned: Tuned) -> Section:
    worlds = len(tuned.worlds)
    where = f", mean of {worlds} worlds" if worlds > 1 else ""
    title = f"regret at round {tuned.horizon:,}{where}: {tuned.runs:,} runs, 95 % intervals"
    names = list(tuned.parameters)
    rows = [_row("best", names, tuned.parameters, tuned.regret)]
    if tuned.rule_regret is not None and tuned.gain is not None:
        label = tuned.basis if tuned.basis != "rule" else f"rule, Υ = {tuned.breakpoints}"
        rows.append(_row(label, names, tuned.rule_parameters or {}, tuned.rule_regret))
        rows.append(_row(f"{tuned.basis} − best", names, {}, tuned.gain))
    return Section(title, ["choice", *names, "mean", "low", "high"], rows)


def _row(
    label: str, names: Sequence[str], parameters: dict[str, Any], regret: dict[str, float]
) -> list[str]:
    values = [few_digits(parameters[name]) if name in parameters else "" for name in names]
    return [label, *values, *(number(regret[key], ".1f") for key in ("mean", "low", "high"))]


def _plateau(tuned: Tuned) -> str:
    low, high = (few_digits(end) for end in tuned.plateau)
    near = "within 5 % of the best, or not distinguishable from it"
    return f"{near}: {tuned.along} from {low} to {high}"


def _edges(tuned: Tuned) -> str:
    names = " and ".join(tuned.edges)
    return f"at the edge of the range (a wider one may hold better values): {names}"


def _wrong(tuned: Tuned) -> Section:
    names = [
        name
        for name in tuned.parameters
        if any(row[name] != tuned.parameters[name] for row in tuned.rows.wrong)
    ]
    rows = [
        [
            {"breakpoints": "Υ", "horizon": "T"}[row["about"]] + f" × {_factor(row['factor'])}",
            *(few_digits(row[name]) for name in names),
            *(number(row[key], ".1f") for key in ("regret", "loss", "loss_low", "loss_high")),
            f"{row['percent']:+.1f} %",
        ]
        for row in tuned.rows.wrong
    ]
    head = ["assumed", *names, "regret", "loss", "low", "high", "loss in %"]
    return Section("cost of a wrong Υ or T (the best parameters, rescaled by the rule)", head, rows)


def _factor(factor: float) -> str:
    return {0.25: "1/4", 0.5: "1/2"}.get(factor, f"{factor:g}")


def _lines(section: Section) -> list[str]:
    if not section.head:
        return []
    return aligned(section.head, section.rows, right=len(section.head) - 1)
