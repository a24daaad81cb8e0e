"""The answer to "which policy, which memory": a ranking, three best memories, and advice."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from driftbandit.core.table import form_of, number
from driftbandit.core.text import percent
from driftbandit.logs.result import Answer, Section, duration, rows_of
from driftbandit.policies.strategy import Strategy


class Worth(NamedTuple):
    """A value and its interval; NaN where nothing can be told."""

    value: float
    low: float
    high: float


class Contender(NamedTuple):
    """A policy with a memory, and what it is worth."""

    policy: Strategy
    label: str
    family: str
    """The label of the policy that the memory was given to."""
    span: float
    """The window or half-life in seconds; NaN for a policy whose memory is its own."""
    live: Worth
    """Corrected: the mean reward in the fitted world, at full traffic."""
    in_time: Worth
    """The mean reward in replay, the memory being as long in time as live."""
    in_rounds: Worth
    """The mean reward in replay, the memory being as long in rounds as live."""
    behind: Worth
    """How much less it earns live than the best; all intervals hold at once."""
    tie: bool
    """Whether it cannot be told apart from the best."""


class Memories(NamedTuple):
    """The best window or half-life of a family in seconds, by four ways of looking."""

    family: str
    in_time: float
    in_rounds: float
    rule: float
    """That of replay in time, divided by √K: K is how many rows replay needs for one."""
    live: float
    """That in the fitted world, at full traffic."""


@dataclasses.dataclass(frozen=True, repr=False)
class Tuning(Answer, Sequence[Contender]):
    """Policies with memories, best first by what they earn live in the fitted world.

    `policy` is the recommended one, ready for `agent`; `advice` says it in a sentence.
    """

    rows: list[Contender]
    memories: list[Memories]
    policy: Strategy | None
    advice: str
    notes: list[str]
    level: float
    per_row: float
    """K: how many rows of the log replay needs for one that it accepts."""

    def __getitem__(self, key: Any) -> Any:
        """Return a contender by its place, or by its label."""
        if isinstance(key, str):
            try:
                return next(row for row in self.rows if row.label == key)
            except StopIteration:
                raise KeyError(key) from None
        return self.rows[key]

    def __len__(self) -> int:
        """Return how many contenders there are."""
        return len(self.rows)

    @property
    def ties(self) -> list[Contender]:
        """Those that cannot be told apart from the best, the best among them."""
        return [row for row in self.rows if row.tie]

    def sections(self) -> list[Section]:
        """Return the ranking, and the best memories."""
        numbers = [
            (*row.live, row.behind.value, row.behind.high, row.in_time.value, row.in_rounds.value)
            for row in self.rows
        ]
        form = form_of(each for row in numbers for each in row)
        rows = [
            [row.label, "tie" if row.tie else "", *(number(each, form) for each in cells)]
            for row, cells in zip(self.rows, numbers, strict=True)
        ]
        head = ["policy", "", "live", "low", "high", "behind", "at most", "in time", "in rounds"]
        memories = [[each.family, *(_span(span) for span in each[1:])] for each in self.memories]
        names = ["policy", "replay in time", "replay in rounds", "√K rule", "live"]
        return [
            Section(f"mean reward, {percent(self.level)} intervals", head, rows, 7),
            Section("the best memory, by four ways of looking", names, memories, 4),
        ]

    def remarks(self) -> list[str]:
        """Return what was assumed, and the advice last."""
        return [*self.notes, self.advice]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON; `policy` is ready for an agent."""
        return {
            "policies": [_plain(row) for row in self.rows],
            "memories": rows_of(self.memories),
            "advice": self.advice,
            "policy": None if self.policy is None else json.loads(self.policy.to_json()),
            "notes": self.notes,
            "level": self.level,
            "rows_per_accepted": self.per_row,
        }


def _plain(row: Contender) -> dict[str, Any]:
    estimates = {
        name: rows_of([getattr(row, name)])[0]
        for name in ("live", "in_time", "in_rounds", "behind")
    }
    return {**rows_of([row])[0], "policy": json.loads(row.policy.to_json()), **estimates}


def _span(seconds: float) -> str:
    return "–" if math.isnan(seconds) else duration(seconds)


def on_others(ties: int, others: int) -> str:
    """Say how many of the other policies cannot be told apart from the best.

    >>> on_others(ties=0, others=1), on_others(ties=2, others=7)
    ('the other earns less', '2 of the 7 others cannot be told apart from it')
    """
    if others == 0:
        return "nothing else was tried"
    if others == 1:
        return "the other cannot be told apart from it" if ties else "the other earns less"
    some = f"{ties} of the {others} others cannot be told apart from it"
    return some if ties else f"all {others} others earn less"
