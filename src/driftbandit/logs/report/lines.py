"""What the charts of a report are drawn from: plain data for the script of the page."""

from __future__ import annotations

from typing import Any

from driftbandit.logs.intervals.course import Course
from driftbandit.logs.players import LOGGED
from driftbandit.logs.report.result import Report
from driftbandit.logs.result import moment
from driftbandit.logs.values import Values

MOST_CHARTED = 100
"""Options that the charts know: those with the most decisions."""

MOST_LINES = 8
"""Options whose lines are shown at first: there are so many colours."""

FIRST_LINES = 4
"""Policies whose lines are shown at first."""


def data_of(report: Report) -> dict[str, Any]:
    """Return what the charts are drawn from."""
    drift, values = report.findings.drift, report.findings.values
    charted = _charted(report)
    courses = [
        {"name": each.policy, "values": each.values, "low": each.low, "high": each.high,
         "shown": place < FIRST_LINES}
        for place, each in enumerate(_ranked(values))
    ]  # fmt: skip
    return {
        "percent": report.units.percent,
        "most": drift.bound,
        "from": report.check.start,
        "to": report.check.end,
        "rates": rates_of(report),
        "marks": [
            {"at": change.at, "text": f"{change.arm}: {report.units.more(change.size)}, "
             f"{moment(change.at)} (between {moment(change.earliest)} and "
             f"{moment(change.latest)})"}
            for change in drift.changes
            if change.arm in charted
        ],
        "courses": {"ends": values.course[0].ends if values.course else [], "lines": courses},
        "plays": {
            "ends": report.ends,
            "lines": [
                {"name": str(arm), "values": shares}
                for arm, shares in zip(report.check.arms, report.shares, strict=True)
                if arm in charted
            ],
        },
    }  # fmt: skip


def _ranked(values: Values) -> list[Course]:
    """Return the courses in the order of the values, what wrote the log first."""
    order = {row.policy: place for place, row in enumerate(values)}
    return sorted(values.course, key=lambda each: (each.policy != LOGGED, order[each.policy]))


def _charted(report: Report) -> set[Any]:
    """Return the options that the charts know."""
    arms = sorted(report.findings.drift.arms, key=lambda arm: -arm.rows)
    return {arm.arm for arm in arms[:MOST_CHARTED]}


def rates_of(report: Report) -> dict[str, Any]:
    """Return the rates of the arms, each in windows of its own, on one axis of time."""
    charted = _charted(report)
    arms = [arm for arm in report.findings.drift.arms if arm.windows and arm.arm in charted]
    ends = sorted({window.end for arm in arms for window in arm.windows})
    lines = []
    for place, arm in enumerate(arms):
        cells = []
        for end in ends:
            inside = (each for each in arm.windows if each.start < end <= each.end)
            cells.append(next(inside, None))
        columns = {
            key: [None if cell is None else getattr(cell, field) for cell in cells]
            for key, field in (("values", "rate"), ("low", "low"), ("high", "high"))
        }
        lines.append({"name": str(arm.arm), **columns, "shown": place < MOST_LINES})
    return {"ends": ends, "lines": lines}
