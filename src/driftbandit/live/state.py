"""An agent as plain data, and back."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import InputError, require, shown
from driftbandit.core.plain import like, plain
from driftbandit.live.ledger import Terms
from driftbandit.policies.strategy import Strategy

if TYPE_CHECKING:
    from driftbandit.live.agent import Agent

FORMAT, VERSION = "driftbandit agent", 1
"""What a state says of itself; the version changes whenever its fields or their meaning do."""

FIELDS = (
    "format", "version", "policy", "arms", "active", "floor", "terms", "now", "generator",
    "pending", "learner",
)  # fmt: skip  # in the order in which they are written


def dump(agent: Agent[Any]) -> dict[str, Any]:
    """Return the state of an agent."""
    for name in agent._arms:
        fits = isinstance(name, str | int) or (isinstance(name, float) and math.isfinite(name))
        require(fits, "arms", agent.arms, "be texts or numbers, so that JSON can hold them")
    return {
        "format": FORMAT,
        "version": VERSION,
        "policy": json.loads(agent.policy.to_json()),
        "arms": list(agent._arms),
        "active": list(agent._active),
        "floor": agent._floor,
        "terms": dataclasses.asdict(agent._ledger.terms),
        "now": plain(agent._now),
        "generator": plain(agent._rng),
        "pending": agent._ledger.dump(),
        "learner": agent._learner.dump(),
    }


def load(kind: type[Agent[Any]], state: Any) -> Agent[Any]:
    """Return the agent of a state, or raise if it is damaged or of a newer version."""
    fits = isinstance(state, dict) and state.get("format") == FORMAT
    require(fits, "state", state, f"be what Agent.state() returned, with the format {FORMAT!r}")
    version = state.get("version")
    require(version == VERSION, "version of the state", version, f"be {VERSION}")
    if set(state) != set(FIELDS):
        raise InputError(f"state must have {sorted(FIELDS)}, got {sorted(map(str, state))}")
    try:
        return _agent(kind, state)
    except InputError:
        raise
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise InputError(f"state is damaged: {shown(error)}") from None


def _agent(kind: type[Agent[Any]], state: dict[str, Any]) -> Agent[Any]:
    policy = Strategy.from_json(json.dumps(state["policy"]))
    terms = Terms(**state["terms"])
    agent = kind(policy, state["arms"], floor=state["floor"], **dataclasses.asdict(terms))
    places = state["active"]
    fits = sorted(set(places) & set(range(len(agent._arms)))) == places and places
    require(fits, "active of the state", places, "be places of arms")
    agent._active = places
    agent._now = like(0.0, state["now"], "now")
    agent._rng = like(agent._rng, state["generator"], "generator")
    agent._learner.load(state["learner"])
    agent._ledger.load(state["pending"])
    return agent
