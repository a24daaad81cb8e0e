"""What happens, as it stands in the log: one tagged union, with a version.

Everything that a fold reads is here, or in the position and time that a store gives an event.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

VERSION = 4
"""The version of the fold: raised whenever the same events make another state."""

Combine = Literal["first", "last", "sum"]
Status = Literal["running", "paused", "archived"]
Mode = Literal["live", "shadow", "killed"]
By = Literal["policy", "shares", "holdout", "shadow", "kill switch"]
Scope = Literal["decide", "reward", "read", "admin"]


class Bounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most that an arm gets of the decisions for which it is eligible."""

    least: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0
    most: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0


class Config(msgspec.Struct, frozen=True):
    """How an experiment decides, and what counts as a reward.

    `holdout` is the share of decisions that stays uniform. In the mode `shadow` all others fall on
    the default arm, and in the mode `killed` every decision does. After `pause_without_rewards`
    seconds without any reward, the experiment pauses.
    """

    policy: dict[str, Any]
    floor: float = 0.0
    reward_within: float = 86_400.0
    default_reward: float | None = None
    combine: Combine = "first"
    shares: dict[str, Bounds] = {}  # msgspec copies it
    holdout: float = 0.0
    mode: Mode = "live"
    default_arm: str | None = None
    pause_without_rewards: float | None = None


class Event(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Base of all events; `kind` in JSON is the name of the class."""


class Began(Event, frozen=True):
    """A fold begins here: with nothing, or with the state that the events before make."""

    version: int
    state: dict[str, Any] | None = None


class KeyAdded(Event, frozen=True):
    """Somebody may use the service; `digest` is the hash of the key, `rate` items a second."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    digest: str
    rate: float | None = None


class KeyRevoked(Event, frozen=True):
    """A key opens nothing any more."""

    id: str


class Created(Event, frozen=True):
    """An experiment begins; uniform numbers are keyed hashes under its secret."""

    config: Config
    arms: tuple[str, ...]
    secret: str


class Changed(Event, frozen=True):
    """An experiment has another configuration from here on."""

    config: Config


class Turned(Event, frozen=True):
    """An experiment runs, pauses, or ends for good; `reason`: why, if nobody asked for it."""

    status: Status
    reason: str = ""


class ArmAdded(Event, frozen=True):
    """An arm comes into play, or comes back; `fresh`: nothing is known of it."""

    arm: str
    fresh: bool = False


class ArmRetired(Event, frozen=True):
    """An arm leaves; rewards that it awaits still count."""

    arm: str


class Decided(Event, frozen=True):
    """An arm was drawn with this probability from the state at the position `drawn_at`.

    `eligible` is what it was drawn from, in the order of arms; `by` is who chose. A deferred
    decision counts only once it is activated. `law` has the probabilities of all eligible arms
    where they were asked for, and `features` what came with the request; the fold reads neither.
    """

    id: str
    arm: str
    probability: float
    drawn_at: int
    eligible: tuple[str, ...]
    deferred: bool = False
    by: By = "policy"
    law: tuple[float, ...] = ()
    features: Any = None


class Activated(Event, frozen=True):
    """A deferred decision was shown."""

    id: str


class Rewarded(Event, frozen=True):
    """A reward that counts."""

    id: str
    reward: float


class Late(Event, frozen=True):
    """A reward that came after its decision was closed: on record, and never learned."""

    id: str
    reward: float


class Closed(Event, frozen=True):
    """The time for rewards is over: what was gathered is learned, or the default."""

    id: str


AnyEvent = (
    Began | KeyAdded | KeyRevoked | Created | Changed | Turned | ArmAdded | ArmRetired | Decided
    | Activated | Rewarded | Late | Closed
)  # fmt: skip

BARRIERS = (Began, Created, Changed, Turned, ArmAdded, ArmRetired)
"""After one of these, what was drawn before it is drawn anew."""

encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def decode(payload: bytes) -> AnyEvent:
    """Read an event from the JSON of the log.

    >>> decode(encode(Rewarded("a", 1.0)))
    Rewarded(id='a', reward=1.0)
    """
    return _decoder.decode(payload)


class Row(NamedTuple):
    """An event in its place; times never decrease with the position."""

    position: int
    at: float
    experiment: str
    event: AnyEvent
