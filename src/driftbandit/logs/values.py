"""The answer to "what is it worth": estimates with intervals, differences, and what was assumed."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

from driftbandit.core.table import form_of, number
from driftbandit.core.text import percent
from driftbandit.logs.intervals.course import Course
from driftbandit.logs.result import Answer, Section, rows_of

PERIOD = "the log's period"
REPLAYED = "the log's period, learning at the replay's traffic"
FULL = "the log's period, learning at full traffic"
NOW = "the end of the log"


class Value(NamedTuple):
    """What a policy is worth by one method; NaN where nothing can be told, and why."""

    policy: str
    method: str
    of: str
    """Which quantity is estimated."""
    value: float
    low: float
    high: float
    effective: float
    """The effective sample size."""
    accepted: float
    """The share of the rows that replay accepts."""
    why: str
    """Why nothing can be told; empty where something can."""


class Difference(NamedTuple):
    """How much more a policy is worth than another, by one method; all intervals hold at once."""

    policy: str
    against: str
    method: str
    difference: float
    low: float
    high: float

    @property
    def tie(self) -> bool:
        """Whether the two cannot be told apart."""
        return not (self.low > 0.0 or self.high < 0.0)


@dataclasses.dataclass(frozen=True, repr=False)
class Values(Answer, Sequence[Value]):
    """What policies are worth: a sequence of `Value`, best first, by method.

    `differences` are paired, all pairs by the first method, and their intervals hold together with
    probability `level`. `notes` say what was assumed and what stands in the way.
    """

    rows: list[Value]
    differences: list[Difference]
    notes: list[str]
    level: float
    interval: str
    propensities: str
    course: list[Course] = dataclasses.field(default_factory=list)
    """The values over time, of the first method; for the log's period alone."""

    def __getitem__(self, key: Any) -> Any:
        """Return a value by its place, or the first of a policy by its label."""
        if isinstance(key, str):
            try:
                return next(row for row in self.rows if row.policy == key)
            except StopIteration:
                raise KeyError(key) from None
        return self.rows[key]

    def __len__(self) -> int:
        """Return how many values there are."""
        return len(self.rows)

    def sections(self) -> list[Section]:
        """Return the values, and the differences from the best."""
        form = form_of(each for row in self.rows for each in (row.value, row.low, row.high))
        title = f"mean reward, {percent(self.level)} intervals ({self.interval})"
        head = ["policy", "method", "of", "value", "low", "high", "effective"]
        values = [
            [row.policy, row.method, row.why or row.of,
             *(number(each, form) for each in (row.value, row.low, row.high)),
             f"{row.effective:,.0f}"]
            for row in self.rows
        ]  # fmt: skip
        best = self.differences[0].against if self.differences else ""
        apart = [
            [row.policy, "tie" if row.tie else "",
             *(format(each, f"+{form}") for each in (row.difference, row.low, row.high))]
            for row in self.differences
            if row.against == best
        ]  # fmt: skip
        return [
            Section(title, head, values, 4),
            Section(
                f"difference from {best}, intervals that hold together",
                ["policy", "", "difference", "low", "high"], apart, 3,
            ),
        ]  # fmt: skip

    def remarks(self) -> list[str]:
        """Return what was assumed, and what stands in the way."""
        return self.notes

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        return {
            "values": rows_of(self.rows),
            "course": rows_of(self.course),
            "differences": [{**row, "tie": each.tie} for row, each in
                            zip(rows_of(self.differences), self.differences, strict=True)],
            "level": self.level,
            "interval": self.interval,
            "propensities": self.propensities,
            "notes": self.notes,
        }  # fmt: skip
