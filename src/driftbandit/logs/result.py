"""What questions to a log answer with: tables, for people, notebooks and machines."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from driftbandit.core.frames import plain
from driftbandit.core.table import aligned, html_table


@dataclasses.dataclass(frozen=True)
class Section:
    """A table with a title; the last `right` columns are numbers."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: int


MOST_ROWS = 200
"""Rows of a table that people are shown; `to_dict` has them all."""


class Answer:
    """Base of the answers: `sections` and `notes` are what is shown, `to_dict` is for machines."""

    def sections(self) -> list[Section]:
        """Return the tables."""
        raise NotImplementedError

    def tables(self) -> list[Section]:
        """Return the tables that are not empty, very long ones cut."""
        return [_cut(section) for section in self.sections() if section.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        raise NotImplementedError

    def remarks(self) -> list[str]:
        """Return what must be said beside the tables, a sentence each."""
        return []

    def __repr__(self) -> str:
        """Return the tables as text."""
        blocks = [
            "\n".join([section.title, *aligned(section.head, section.rows, section.right)])
            for section in self.tables()
        ]
        blocks += ["\n".join(self.remarks())] if self.remarks() else []
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        """Return the tables for a notebook."""
        lines = [
            line
            for section in self.tables()
            for line in html_table(section.title, section.head, section.rows, section.right)
        ]
        return "\n".join(lines + [f"<p>{html.escape(note)}</p>" for note in self.remarks()])


def _cut(section: Section) -> Section:
    """Return a table of a length that can be read, and say in its title that it is cut."""
    if len(section.rows) <= MOST_ROWS:
        return section
    title = f"{section.title}; the first {MOST_ROWS} of {len(section.rows):,}"
    return dataclasses.replace(section, title=title, rows=section.rows[:MOST_ROWS])


def moment(seconds: float) -> str:
    """Return a time as people read it, in UTC.

    >>> moment(86_400.0)
    '1970-01-02 00:00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def duration(seconds: float) -> str:
    """Return a stretch of time as people read it.

    >>> duration(90.0), duration(10_800.0), duration(1_209_600.0)
    ('90 s', '3 h', '14 d')
    """
    for unit, size in (("d", 86_400.0), ("h", 3_600.0), ("min", 60.0)):
        if seconds >= 2.0 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def rows_of(items: Sequence[Any]) -> list[dict[str, Any]]:
    """Return dataclasses or named tuples as plain rows for JSON."""
    return plain(
        [item._asdict() if hasattr(item, "_asdict") else dataclasses.asdict(item) for item in items]
    )
