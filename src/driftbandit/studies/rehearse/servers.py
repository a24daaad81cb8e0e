"""Servers that hold an agent each and fold the same log of events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from driftbandit.live.agent import Agent
from driftbandit.live.decision import Decision

Event = Callable[[Agent[int]], object]
"""What is done to an agent: a decision, a reward, an arm that comes or goes."""


class Servers:
    """Agents that take turns; each has seen all events but the last few, in the same order."""

    def __init__(self, agents: list[Agent[int]], behind: int) -> None:
        self.agents, self.behind = agents, behind
        self.unseen: list[deque[Event]] = [deque() for _ in agents]
        self.turn = 0

    def tell(self, event: Event) -> None:
        """Append an event to the log."""
        for unseen in self.unseen:
            unseen.append(event)

    def decide(self, at: float, u: float) -> Decision[Any]:
        """Let the server whose turn it is make a decision, and append it to the log."""
        agent, unseen = self.agents[self.turn], self.unseen[self.turn]
        self.turn = (self.turn + 1) % len(self.agents)
        while len(unseen) > self.behind:
            unseen.popleft()(agent)
        decision = agent.propose(at=at, u=u)
        self.tell(lambda each: each.apply(decision, trusted=True))
        return decision
