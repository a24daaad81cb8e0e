"""What people watch of an experiment: folded like the rest, and nothing is decided by it."""

from __future__ import annotations

from typing import Any

import msgspec

from driftbandit.live.agent import Agent
from driftbandit.service.contrast import Contrast
from driftbandit.service.ledger import Pending
from driftbandit.service.series import Series

FEW = 20
"""Decisions without any reward that are not silence yet."""
STARVING = 1_000
"""Decisions that pass by an arm before it starves, for each arm in play."""
MOST_FOUND = 100


class Found(msgspec.Struct, frozen=True):
    """A change that the policy found, at the reward of an arm."""

    position: int
    at: float
    arm: str


class Watch:
    """Series, the worth of acting, changes found, and who waits for what."""

    def __init__(self, arms: list[str]) -> None:
        self.series, self.contrast = Series(), Contrast()
        self.found: list[Found] = []
        self.decisions, self.unanswered, self.silent_since = 0, 0, 0.0
        self.served = dict.fromkeys(arms, 0)

    def decided(self, at: float, arm: str, agent: Agent[str]) -> None:
        """Count a decision that is shown."""
        self.decisions += 1
        self.served[arm] = self.decisions
        if not self.unanswered:
            self.silent_since = at
        self.unanswered += 1
        self.series.decided(at, arm, lambda: agent.remembered)

    def settled(self, id: str, pending: Pending, reward: float | None) -> None:
        """Count what a decision got in the end, if it was shown."""
        if pending.shown:
            self.series.ended(pending.counted, pending.arm, reward)
        self.contrast.end(id, reward if pending.shown else None)

    def changed(self, position: int, at: float, arm: str) -> None:
        """Note that the policy found a change."""
        self.found.append(Found(position, at, arm))
        del self.found[:-MOST_FOUND]

    def rewarded(self) -> None:
        """Note that rewards come."""
        self.unanswered = 0

    def added(self, arm: str) -> None:
        """Give an arm time to be served."""
        self.served[arm] = self.decisions

    def silence(self, at: float) -> float:
        """Return for how many seconds decisions have been made and none was rewarded."""
        return at - self.silent_since if self.unanswered >= FEW else 0.0

    def starving(self, arms: list[str]) -> list[str]:
        """Return the arms in play that no decision has fallen on for long."""
        most = STARVING * len(arms)
        return [arm for arm in arms if self.decisions - self.served[arm] >= most]

    def state(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "series": self.series.dump(),
            "contrast": self.contrast.dump(),
            "found": msgspec.to_builtins(self.found),
            "decisions": self.decisions,
            "unanswered": self.unanswered,
            "silent_since": self.silent_since,
            "served": self.served,
        }

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Watch:
        """Return the watch whose `state` this is."""
        self = cls([])
        self.series = Series.load(state["series"])
        self.contrast = Contrast.load(state["contrast"])
        self.found = msgspec.convert(state["found"], list[Found])
        self.decisions, self.unanswered = state["decisions"], state["unanswered"]
        self.silent_since, self.served = state["silent_since"], dict(state["served"])
        return self
