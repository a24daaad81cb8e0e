"""What tuning found, in words and tables of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from driftbandit.core.table import aligned

if TYPE_CHECKING:
    from driftbandit.studies.tune.tuned import Tuned


class Part(NamedTuple):
    """A table under a title, or a title alone; all columns but the first stand to the right."""

    title: str
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def parts(tuned: Tuned) -> list[Part]:
    """Return what is told of a tuning, part by part."""
    found = [_choices(tuned), Part(_plateau(tuned))]
    if tuned.edges:
        found.append(Part(_edges(tuned)))
    return [*found, _wrong(tuned)] if tuned.rows.wrong else found


def text(tuned: Tuned) -> str:
    """Return all parts as plain text."""
    return "\n\n".join("\n".join([part.title, *_lines(part)]) for part in parts(tuned))


def shown(value: Any) -> str:
    """Write a parameter in few digits.

    >>> shown(1213), shown(0.99750000001), shown(1e-4)
    ('1213', '0.9975', '0.0001')
    """
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _choices(tuned: Tuned) -> Part:
    worlds = len(tuned.worlds)
    where = f", mean of {worlds} worlds" if worlds > 1 else ""
    title = f"regret at round {tuned.horizon:,}{where}: {tuned.runs:,} runs, 95 % intervals"
    names = list(tuned.parameters)
    rows = [_row("best", names, tuned.parameters, tuned.regret)]
    if tuned.rule_regret is not None and tuned.gain is not None:
        label = tuned.basis if tuned.basis != "rule" else f"rule, Υ = {tuned.breakpoints}"
        rows.append(_row(label, names, tuned.rule_parameters or {}, tuned.rule_regret))
        rows.append(_row(f"{tuned.basis} − best", names, {}, tuned.gain))
    return Part(title, ["choice", *names, "mean", "low", "high"], rows)


def _row(
    label: str, names: Sequence[str], parameters: dict[str, Any], regret: dict[str, float]
) -> list[str]:
    values = [shown(parameters[name]) if name in parameters else "" for name in names]
    return [label, *values, *(f"{regret[key]:.1f}" for key in ("mean", "low", "high"))]


def _plateau(tuned: Tuned) -> str:
    low, high = (shown(end) for end in tuned.plateau)
    return f"less than 5 % worse, or not told apart: {tuned.along} from {low} to {high}"


def _edges(tuned: Tuned) -> str:
    names = " and ".join(tuned.edges)
    return f"at the edge of the range, a wider one may have better values: {names}"


def _wrong(tuned: Tuned) -> Part:
    names = [
        name
        for name in tuned.parameters
        if any(row[name] != tuned.parameters[name] for row in tuned.rows.wrong)
    ]
    rows = [
        [
            {"breakpoints": "Υ", "horizon": "T"}[row["about"]] + f" × {_factor(row['factor'])}",
            *(shown(row[name]) for name in names),
            *(f"{row[key]:.1f}" for key in ("regret", "loss", "loss_low", "loss_high")),
            f"{row['percent']:+.1f} %",
        ]
        for row in tuned.rows.wrong
    ]
    head = ["taken for", *names, "regret", "loss", "low", "high", "loss in %"]
    return Part("the best one set by who is wrong about Υ or T", head, rows)


def _factor(factor: float) -> str:
    return {0.25: "1/4", 0.5: "1/2"}.get(factor, f"{factor:g}")


def _lines(part: Part) -> list[str]:
    return aligned(part.head, part.rows, right=len(part.head) - 1) if part.head else []
