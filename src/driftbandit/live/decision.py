"""What happens to an agent: decisions, and the rewards that come for them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from driftbandit.core.errors import InputError, require, shown

Arm = TypeVar("Arm", bound=Hashable)


@dataclasses.dataclass(frozen=True, slots=True)
class Decision(Generic[Arm]):
    """A choice: which arm, with which probability it was drawn, in which round, and when.

    `probability` is exact, given everything before: log it, and the log can be evaluated later.
    `at` is seconds since 1970. `eligible` are the arms it was drawn from, and `u` is the uniform
    number that drew it. `features` are those of the chosen action, for a linear policy.

    >>> import driftbandit as db
    >>> agent = db.UCB1().agent(arms=["red", "blue"], floor=0.1)
    >>> decision = agent.decide(at=0.0)
    >>> decision.arm, round(decision.probability, 3), decision.round
    ('red', 0.95, 1)
    """

    id: str
    arm: Arm
    probability: float
    round: int
    at: float
    eligible: tuple[Arm, ...] = dataclasses.field(default=(), repr=False)
    u: float = dataclasses.field(default=0.0, repr=False)
    features: tuple[float, ...] = dataclasses.field(default=(), repr=False)

    def to_json(self) -> str:
        """Return the event as one line of JSON; `event_from_json` reads it back."""
        return _line("decision", self)


@dataclasses.dataclass(frozen=True, slots=True)
class Reward:
    """The reward of the decision with this id, and when it came."""

    id: str
    reward: float
    at: float

    def to_json(self) -> str:
        """Return the event as one line of JSON; `event_from_json` reads it back."""
        return _line("reward", self)


def event_from_json(text: str) -> Decision[Any] | Reward:
    """Read an event that `to_json` wrote.

    >>> event_from_json(Reward("1-a", 1.0, 7.5).to_json())
    Reward(id='1-a', reward=1.0, at=7.5)
    """
    try:
        fields = json.loads(text)
        kind = {"decision": Decision, "reward": Reward}[fields.pop("event")]
        if kind is Decision:
            for name in ("eligible", "features"):
                fields[name] = tuple(fields[name])
        event: Decision[Any] | Reward = kind(**fields)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise InputError(f"event must be a line that to_json wrote, got {shown(text)}") from None
    return event


def _line(event: str, value: Any) -> str:
    try:
        return json.dumps({"event": event, **dataclasses.asdict(value)}, allow_nan=False)
    except (TypeError, ValueError):
        raise InputError(f"{event} must have names that JSON can hold, got {value!r}") from None


def id_of(value: Any) -> str:
    """Return the id of a decision, or raise."""
    require(isinstance(value, str) and 0 < len(value) <= 200, "id", value, "be a text")
    return str(value)
