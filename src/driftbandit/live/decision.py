"""What happens to an agent: decisions, and the rewards that come for them."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Hashable
from typing import Any, Generic, Self, TypeVar

from driftbandit.core.arrays import listed
from driftbandit.core.domain import Real
from driftbandit.core.duration import moment_of
from driftbandit.core.errors import InputError, is_number, require, reward_as_float, shown, whole
from driftbandit.live.arms import is_json, is_name, names_of

Arm = TypeVar("Arm", bound=Hashable)

CHANCE, UNIT = Real("(0, 1]"), Real("[0, 1)")


@dataclasses.dataclass(frozen=True, slots=True)
class Decision(Generic[Arm]):
    """A choice: which arm, with which probability it was drawn, in which round, and when.

    `probability` is exact, given everything before: log it, and the log can be evaluated later.
    `at` is seconds since 1970. `eligible` are the arms it was drawn from, and `u` is the uniform
    number that drew it. `features` are those of the chosen action, for a linear policy. An id is
    unique among those of its agent; another agent with the same seed makes the same ones.

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
        decision = self.checked()
        for name in {decision.arm, *decision.eligible}:
            require(is_json(name), "arm", name, "be a text or a number, so that JSON can hold it")
        return _line("decision", decision)

    def checked(self) -> Self:
        """Return the decision with plain numbers, or raise if a field is not what it says."""
        require(is_name(self.arm), "arm", self.arm, "be a name that can be looked up")
        require(isinstance(self.eligible, tuple), "eligible", self.eligible, "be a tuple of arms")
        plain = isinstance(self.features, tuple) and all(map(is_number, self.features))
        require(plain, "features", self.features, "be a tuple of numbers")
        if self.eligible:
            names = names_of("eligible", self.eligible, "be a tuple of arms")
            if self.arm not in names:
                raise InputError(
                    f"eligible must hold {shown(self.arm)}, got {shown(self.eligible)}"
                )
        return type(self)(  # in a third of the time of dataclasses.replace
            id=id_of(self.id),
            arm=self.arm,
            probability=CHANCE("probability", self.probability),
            round=whole("round", self.round),
            at=_time_of(self.at),
            eligible=self.eligible,
            u=UNIT("u", self.u),
            features=self.features,
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Reward:
    """The reward of the decision with this id, and when it came."""

    id: str
    reward: float
    at: float

    def to_json(self) -> str:
        """Return the event as one line of JSON; `event_from_json` reads it back."""
        return _line("reward", self.checked())

    def checked(self) -> Self:
        """Return the reward with plain numbers, or raise if a field is not what it says."""
        reward = reward_as_float(self.reward)
        require(math.isfinite(reward), "reward", self.reward, "be a finite number")
        return dataclasses.replace(self, id=id_of(self.id), reward=reward, at=_time_of(self.at))


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
                fields[name] = tuple(listed(name, fields[name], "be a list"))
        event: Decision[Any] | Reward = kind(**fields)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        raise InputError(f"event must be a line that to_json wrote, got {shown(text)}") from None
    return event.checked()


def _line(event: str, value: Decision[Any] | Reward) -> str:
    return json.dumps({"event": event, **dataclasses.asdict(value)}, allow_nan=False)


def _time_of(at: Any) -> float:
    require(at is not None, "at", at, "be seconds since 1970 or a datetime with a time zone")
    return moment_of(at)


def id_of(value: Any) -> str:
    """Return the id of a decision, or raise."""
    fits = isinstance(value, str) and 0 < len(value) <= 200
    require(fits, "id", value, "be a text of 1 to 200 letters")
    return str(value)
