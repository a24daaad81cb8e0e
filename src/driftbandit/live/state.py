"""An agent as plain data, and back."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from driftbandit.core.duration import LATEST
from driftbandit.core.errors import InputError, as_float, require, shown
from driftbandit.core.plain import like, plain
from driftbandit.live.arms import is_json
from driftbandit.live.ledger import Terms
from driftbandit.policies.strategy import Strategy

if TYPE_CHECKING:
    from driftbandit.live.deciding import DecidingAgent

FORMAT, VERSION = "driftbandit agent", 1
"""What a state says of itself; the version changes whenever its fields or their meaning do."""

FIELDS = (
    "format", "version", "policy", "floor", "terms", "now", "generator", "pending", "learner",
    "checksum",
)  # fmt: skip  # in the order in which they are written
"""What the state of every agent has."""
OWN = "arms", "active", "dimension"
"""What agents add: those for arms the first two, those for features the last."""


def dump(agent: DecidingAgent[Any]) -> dict[str, Any]:
    """Return the state of an agent."""
    own = agent._own_state()
    for name in own.get("arms", ()):
        require(is_json(name), "arm", name, "be a text or a number, so that JSON can hold it")
    return sealed(
        {
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
    )


def sealed(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state with its checksum."""
    rest = {name: value for name, value in state.items() if name != "checksum"}
    text = json.dumps(_canonical(rest), sort_keys=True)
    return {**rest, "checksum": hashlib.sha256(text.encode()).hexdigest()}


def _canonical(value: Any) -> Any:
    """Return plain data with floats for whole numbers: a database may write 1.0 as 1, and back."""
    if isinstance(value, dict):
        return {name: _canonical(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    return as_float(value) if type(value) is int else value


def load(state: Any) -> DecidingAgent[Any]:
    """Return the agent of a state, or raise if it is damaged or of a newer version."""
    fits = isinstance(state, dict) and state.get("format") == FORMAT
    require(fits, "state", state, f"be what Agent.state() returned, with the format {FORMAT!r}")
    version = state.get("version")
    require(version == VERSION, "version of the state", version, f"be {VERSION}")
    if not set(FIELDS) <= set(state):
        raise InputError(f"state must have {sorted(FIELDS)}, got {sorted(map(str, state))}")
    unknown = set(state) - {*FIELDS, *OWN}
    if unknown:
        raise InputError(f"state must have no other fields, got {sorted(map(str, unknown))}")
    try:
        fits = sealed(state) == state
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"state must be plain data that JSON can hold: {error}") from None
    if not fits:
        raise InputError("state is damaged: its checksum is not that of its content")
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
    require(
        agent._now == -math.inf or abs(agent._now) <= LATEST, "now of the state", state["now"],
        "be a point of time",
    )  # fmt: skip
    agent._rng = like(agent._rng, state["generator"], "generator")
    agent._learner.load(state["learner"])
    agent._ledger.load(state["pending"])
    return agent
