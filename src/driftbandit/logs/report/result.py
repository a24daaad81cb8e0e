"""The report of a log, and the files it can be written to."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

from driftbandit.core.errors import InputError, shown
from driftbandit.core.files import path_of, reachable, replacing
from driftbandit.core.frames import strict
from driftbandit.core.table import literal, markdown
from driftbandit.logs.check import Check
from driftbandit.logs.report.advice import Advice, Findings
from driftbandit.logs.report.units import Units
from driftbandit.logs.result import Answer, Section

ENDINGS = (".html", ".md", ".json")


@dataclasses.dataclass(frozen=True, repr=False)
class Headlines(Answer):
    """What to do, why, and what to mind."""

    advice: Advice

    def sections(self) -> list[Section]:
        """Return nothing: it is said in words."""
        return []

    def remarks(self) -> list[str]:
        """Return what is to be done, why, and what to mind."""
        return [self.advice.action, *self.advice.reasons, *self.advice.warnings]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return self.advice._asdict()


@dataclasses.dataclass(frozen=True, repr=False)
class Report(Answer):
    """All that a log can tell: what to do and why, then every answer in full."""

    title: str
    check: Check
    findings: Findings
    advice: Advice
    units: Units
    ends: list[float]
    """When the stretches of time end that `shares` are of."""
    shares: list[list[float]]
    """Per arm and stretch, the share of the decisions."""

    def answers(self) -> dict[str, Answer]:
        """Return the answers by name, in the order in which they are read."""
        answers = {"check": self.check, **self.findings._asdict()}
        return {name: answer for name, answer in answers.items() if answer is not None}

    def sections(self) -> list[Section]:
        """Return the tables of all answers."""
        return [section for answer in self.answers().values() for section in answer.sections()]

    @property
    def headlines(self) -> Headlines:
        """What to do, without the tables."""
        return Headlines(self.advice)

    def remarks(self) -> list[str]:
        """Return what is to be done, why, and what to mind."""
        return self.headlines.remarks()

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        answers = {name: answer.to_dict() for name, answer in self.answers().items()}
        shares = {"ends": self.ends, "shares": self.shares}
        return {"title": self.title, "advice": self.advice._asdict(), **answers, "plays": shares}

    def to_json(self) -> str:
        """Return all of it as JSON; a number that JSON does not have becomes null."""
        return json.dumps(strict(self.to_dict()), indent=2, allow_nan=False) + "\n"

    def to_markdown(self) -> str:
        """Return what to do and every table as Markdown."""
        lines = [f"# {literal(self.title)}", "", f"**{literal(self.advice.action)}**", ""]
        lines += [f"- {literal(reason)}" for reason in self.advice.reasons]
        lines += [f"- Mind: {literal(warning)}" for warning in self.advice.warnings]
        for name, answer in self.answers().items():
            lines += ["", f"## {TITLES[name]}"]
            for section in answer.tables():
                table = markdown(section.head, section.rows, section.right)
                lines += ["", f"{literal(section.title)}:", "", *table]
            notes = [f"- {literal(note)}" for note in answer.remarks()]
            lines += ["", *notes] if notes else []
        return "\n".join(lines) + "\n"

    def to_html(self) -> str:
        """Return a page that needs nothing else, neither files nor a network."""
        from driftbandit.logs.report.page import page_of  # noqa: PLC0415  # it draws a report

        return page_of(self)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a page (.html), Markdown (.md) or JSON (.json), by the ending of the file."""
        target = ending_checked(path)
        writers = dict(zip(ENDINGS, (self.to_html, self.to_markdown, self.to_json), strict=True))
        with replacing(target) as partial:
            partial.write_text(writers[target.suffix.lower()](), "utf-8")
        return target


TITLES = {
    "check": "The log",
    "overlap": "How much the log can tell",
    "drift": "How options moved",
    "values": "What policies would have earned",
    "now": "What options are worth at the end of the log",
    "tuning": "Which policy, and which memory",
}


def ending_checked(path: str | os.PathLike[str]) -> Path:
    """Return the path of a report, or raise: no format, or no place for it."""
    target = path_of("path", path, "name a file")
    if target.suffix.lower() not in ENDINGS:
        raise InputError(f"path must end in one of {', '.join(ENDINGS)}, got {shown(str(path))}")
    return reachable("path", target)
