"""The check of a log: what it holds, and which of its rows are bad."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from driftbandit.core.errors import InputError
from driftbandit.logs.oddities import oddities
from driftbandit.logs.result import Answer, Section, duration, moment, rows_of
from driftbandit.logs.survey import BadRow, Survey

SHOWN = 20
"""Bad rows that a table shows."""

NUMBERS = (
    "a reward is a number such as 0.5, or true or false; text such as NULL, yes or 45% is none"
)

REMEDIES = {
    "reward is missing or no number": "default_reward=0 (--default-reward 0) says that no reward "
    f"means nothing happened; {NUMBERS}",
    "reward is no number": f"{NUMBERS}; a missing one is an empty field",
    "reward is outside of": "bound (--bound) is the largest that a reward may be, and 0 the least",
    "propensity is outside of (0, 1]": "it is how likely the arm was that was played: 0.25, not 25",
    "time is missing or cannot be read": "text must begin with the year, as in 2024-01-31 "
    "12:00; an hour that clocks skip in spring does not exist in that zone",
    "eligible arms are missing or cannot be read": "they are a list, or a text such as a|b or "
    '["a", "b"]',
    "arm is not eligible": "in a text, | stands between the eligible arms, as in a|b",
    "time goes backwards": "sort=True (--sort) sorts the rows by time, except texts in a database",
}
"""What helps against a fault, other than leaving rows out, by how its reason begins."""

LEAVING_OUT = "bad='set aside' (--set-aside) leaves them out"


@dataclasses.dataclass(frozen=True, repr=False)
class Check(Answer):
    """What a log holds, and its bad rows by number and reason.

    `rows` are all rows and `good` those without a fault; `reasons` says how often each fault
    occurs, and `bad` lists the first of them, up to 1,000. A row may have several faults. Numbers
    count rows from 1, without the header, over all files; `numbered` is False where the source has
    no order: then a row is known by its id. `set_aside` says that bad rows are left out.
    """

    rows: int
    good: int
    start: float
    end: float
    arms: list[Any]
    reasons: dict[str, int]
    bad: list[BadRow]
    numbered: bool
    set_aside: bool
    oddities: list[str] = dataclasses.field(default_factory=list)
    """What is odd though no row is bad: names of arms that look alike, times far apart."""

    def sections(self) -> list[Section]:
        """Return what the log holds, the faults, and the first bad rows."""
        held = [["rows", f"{self.rows:,}"], ["good rows", f"{self.good:,}"]]
        held.append(["arms", f"{len(self.arms):,}"])
        if self.good:
            held += [["from (UTC)", moment(self.start)], ["to (UTC)", moment(self.end)]]
            held.append(["span", duration(self.end - self.start)])
        faults = [[reason, f"{count:,}"] for reason, count in self.reasons.items()]
        place = "row" if self.numbered else "id"
        rows = [[row.reason, self._name(row)] for row in self.bad[:SHOWN]]
        return [
            Section("the log", ["what", "value"], held, 1),
            Section("bad rows", ["reason", "rows"], faults, 1),
            Section("the first of them", ["reason", place], rows, 1),
        ]

    def remarks(self) -> list[str]:
        """Say what becomes of bad rows, and what no number can be had from."""
        notes = []
        if self.reasons:
            bad = f"{self.rows - self.good:,} of {self.rows:,} rows are bad"
            refused = f"{bad}: estimates refuse them; {LEAVING_OUT}."
            notes.append(f"{bad} and set aside." if self.set_aside else refused)
        notes += [f"{reason}: {text}." for reason in self.reasons if (text := _remedy(reason))]
        notes += self.oddities
        if len(self.arms) == 1:
            notes.append("There is one arm: nothing was chosen.")
        return notes

    def _name(self, row: BadRow) -> str:
        if self.numbered:
            return f"{row.number:,}"
        return row.id or "?"

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        content = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {**content, "bad": rows_of(self.bad), "remarks": self.remarks()}


def check_of(survey: Survey, arms: list[Any], numbered: bool, set_aside: bool) -> Check:
    """Return the check that a survey makes."""
    reasons = dict(Counter(survey.reasons).most_common())
    start, end = (survey.start, survey.end) if survey.good else (0.0, 0.0)
    listed = sorted(survey.listed)
    odd = oddities(survey, arms)
    return Check(
        survey.rows, survey.good, start, end, arms, reasons, listed, numbered, set_aside, odd
    )


def _remedy(reason: str) -> str:
    """Return what helps against a fault; an empty text where nothing is known."""
    return next((text for begins, text in REMEDIES.items() if reason.startswith(begins)), "")


def refuse(check: Check, set_aside: bool) -> None:
    """Raise where a log cannot be used: no rows, no good ones, or bad ones that count."""
    if check.rows == 0:
        raise InputError("log must have rows, got none")
    bad = check.rows - check.good
    if not bad or (set_aside and check.good):
        return
    reason, count = next(iter(check.reasons.items()))
    first = next(row for row in check.bad if row.reason == reason)
    by_id = f" (id {first.id} first)" if first.id else ""
    where = f" (row {first.number} first)" if check.numbered else by_id
    remedy = f"; {text}" if (text := _remedy(reason)) else ""
    if not check.good:
        raise InputError(f"log must have good rows, got {bad:,} bad ones: {reason}{where}{remedy}")
    raise InputError(
        f"log must have good rows only, got {bad:,} bad ones of {check.rows:,}: {reason} in "
        f"{count:,}{where}; check() lists them, {LEAVING_OUT}{remedy}"
    )
