"""An agent as plain data, and back."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import InputError, require, shown
from driftbandit.core.plain import like, plain
from driftbandit.live.ledger import Terms
from driftbandit.policies.strategy import Strategy

if TYPE_CHECKING:
    from driftbandit.live.deciding import DecidingAgent

FORMAT, VERSION = "driftbandit agent", 1
"""What a state says of itself; the version changes whenever its fields or their meaning do."""

FIELDS = ("format", "version", "policy", "floor", "terms", "now", "generator", "pending", "learner")
"""What the state of every agent has; an agent for arms adds these, one with features how many."""


def dump(agent: DecidingAgent[Any]) -> dict[str, Any]:
    """Return the state of an agent."""
    own = agent._own_state()
    for name in own.get("arms", ()):
        fits = isinstance(name, str | int) or (isinstance(name, float) and math.isfinite(name))
        require(fits, "arms", own["arms"], "be texts or numbers, so that JSON can hold them")
    return {
        "format": FORMAT,
        "version": VERSION,
        "policy": json.loads(agent.policy.to_json()),
        **own,
        "floor": agent._floor,
        "terms": dataclasses.asdict(agent._ledger.terms),
        "now": plain(agent._now),
        "generator": plain(agent._rng),
        "pending": agent._ledger.dump(),
        "learner": agent._learner.dump(),
    }


def load(state: Any) -> DecidingAgent[Any]:
    """Return the agent of a state, or raise if it is damaged or of a newer version."""
    fits = isinstance(state, dict) and state.get("format") == FORMAT
    require(fits, "state", state, f"be what Agent.state() returned, with the format {FORMAT!r}")
    version = state.get("version")
    require(version == VERSION, "version of the state", version, f"be {VERSION}")
    try:
        return _agent(state)
    except InputError:
        raise
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise InputError(f"state is damaged: {shown(error)}") from None


def _agent(state: dict[str, Any]) -> DecidingAgent[Any]:
    policy = Strategy.from_json(json.dumps(state["policy"]))
    made_with = "dimension" if policy.features else "arms"
    terms = Terms(**state["terms"])
    make: Callable[..., DecidingAgent[Any]] = policy.agent
    agent = make(state[made_with], floor=state["floor"], **dataclasses.asdict(terms))
    names = {*FIELDS, *agent._own_state()}
    if set(state) != names:
        raise InputError(f"state must have {sorted(names)}, got {sorted(map(str, state))}")
    agent._load_own(state)
    agent._now = like(0.0, state["now"], "now")
    agent._rng = like(agent._rng, state["generator"], "generator")
    agent._learner.load(state["learner"])
    agent._ledger.load(state["pending"])
    return agent
