"""Decisions that await their reward: once, and in the end."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from driftbandit.core.duration import LATEST, seconds_of
from driftbandit.core.errors import (
    InputError,
    UnknownDecisionError,
    one_of,
    require,
    shown,
    whole,
)
from driftbandit.policies.learner import Learner
from driftbandit.policies.terms import AgentTerms

COMBINE, DUPLICATES = ("first", "last", "sum"), ("ignore", "refuse")


@dataclasses.dataclass(frozen=True)
class Terms:
    """What was agreed about rewards when the agent was made."""

    reward_within: float | None = None
    default_reward: float | None = None
    combine: str = "first"
    duplicates: str = "ignore"
    most_pending: int = 10_000

    @classmethod
    def checked(
        cls,
        reward_within: Any,
        default_reward: float | None,
        combine: str,
        duplicates: str,
        most_pending: int,
    ) -> Terms:
        """Return the terms, or raise where they do not go together."""
        within = None if reward_within is None else seconds_of("reward_within", reward_within)
        combine = one_of("combine", combine, COMBINE)
        one_at_once = combine == "first" or within is not None
        require(one_at_once, "combine", combine, "come with reward_within, at whose end it learns")
        most = whole("most_pending", most_pending)
        return cls(
            within, default_reward, combine, one_of("duplicates", duplicates, DUPLICATES), most
        )


TERMS = tuple(AgentTerms.__annotations__)
"""The names of what may be agreed with an agent."""


@dataclasses.dataclass(slots=True)
class Entry:
    """A decision, and the reward it has so far."""

    round: int
    at: float
    reward: float | None = None
    learned: bool = False


class Ledger:
    """The decisions that may still get a reward, oldest first, and the learner that gets it.

    With `reward_within`, those younger than that, rewarded or not, so that duplicates are known.
    Without, those not rewarded yet, at most `most_pending`.
    """

    def __init__(self, terms: Terms, learner: Learner, checked: Callable[[float], float]) -> None:
        self.terms, self.learner, self.checked = terms, learner, checked
        self.entries: dict[str, Entry] = {}

    def add(self, id: str, entry: Entry) -> None:
        """Await the reward of a decision."""
        if self.terms.reward_within is None and len(self.entries) >= self.terms.most_pending:
            self._close(next(iter(self.entries)))
        self.entries[id] = entry

    def reward(self, id: str, reward: float, at: float) -> bool:
        """Take a reward; return whether it changed anything. A bad one raises before it does."""
        entry = self._entry(id, at)
        if self.terms.combine == "first":
            if entry.learned:
                if self.terms.duplicates == "refuse":
                    raise InputError(f"id must be of a decision without a reward, got {shown(id)}")
                return False
            entry.learned = True
            self.learner.reward(entry.round, reward)
            if self.terms.reward_within is None:
                del self.entries[id]
            return True
        if self.terms.combine == "sum" and entry.reward is not None:
            entry.reward = self._sum(entry.reward, reward)
        else:
            entry.reward = reward
        return True

    def _sum(self, before: float, reward: float) -> float:
        """Return the sum of two rewards, or raise if it cannot be one."""
        try:
            return self.checked(before + reward)
        except InputError as error:
            raise InputError(f"{error}: the sum of rewards") from None

    def forsake(self, id: str) -> None:
        """End a decision without a reward; raise if it is not awaited."""
        entry = self._entry(id, -math.inf)
        del self.entries[id]
        if not entry.learned:
            self.learner.forsake(entry.round)

    def _entry(self, id: str, at: float) -> Entry:
        """Return the decision with this id, or raise."""
        entry, within = self.entries.get(id), self.terms.reward_within
        if entry is None:
            ended = "not rewarded yet" if within is None else "not expired yet"
            text = f"id must be of a decision of this agent, {ended}, got {shown(id)}"
            raise UnknownDecisionError(text)
        if within is not None and at > entry.at + within:
            late = at - entry.at
            raise UnknownDecisionError(
                f"reward must come within {within:g} s, got {late:g} s for {shown(id)}"
            )
        return entry

    def expire(self, now: float) -> None:
        """Close the decisions that are older than `reward_within`."""
        within = self.terms.reward_within
        if within is None:
            return
        while self.entries:
            id, entry = next(iter(self.entries.items()))
            if entry.at + within >= now:
                return
            self._close(id)

    def _close(self, id: str) -> None:
        """End a decision: learn what was gathered, or the default, or give up."""
        entry = self.entries.pop(id)
        if entry.learned:
            return
        reward = self.terms.default_reward if entry.reward is None else entry.reward
        if reward is None:
            self.learner.forsake(entry.round)
        else:
            self.learner.reward(entry.round, reward)

    def dump(self) -> list[Any]:
        """Return the decisions as plain data."""
        return [
            [id, entry.round, entry.at, entry.reward, entry.learned]
            for id, entry in self.entries.items()
        ]

    def load(self, rows: Any) -> None:
        """Take over decisions from plain data."""
        self.entries = {id: Entry(*fields) for id, *fields in rows}
        for entry in self.entries.values():
            require(abs(entry.at) <= LATEST, "at of the state", entry.at, "be a point of time")
