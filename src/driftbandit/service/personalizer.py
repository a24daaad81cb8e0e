"""Rank, reward and activate as clients of Azure Personalizer v1.0 ask for them.

There is one loop: the experiment with the name `personalizer`. Actions are arms, and an action that
it does not know becomes one. Features are stored with the decision.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from driftbandit.service import events, rewarding, shapes
from driftbandit.service.admin import bring
from driftbandit.service.call import Call
from driftbandit.service.deciding import claims, drawn, running
from driftbandit.service.events import Row
from driftbandit.service.problems import Refusal
from driftbandit.service.shapes import MOST_ARMS, ArmName
from driftbandit.service.worker import Worker

EXPERIMENT = "personalizer"
HEADER = "Ocp-Apim-Subscription-Key"

EventId = Annotated[str, Meta(min_length=1, max_length=256, pattern="^[^\\x00]+$")]
"""A null character is what PostgreSQL has no place for."""
BAD = 422, 413
"""Statuses that are 400 there, as that service answered."""
NAMES = {"Idempotency-Key": "eventId", "id": "eventId", "reward": "value"}
"""Fields as these clients call them."""


class Shape(msgspec.Struct, frozen=True, rename="camel"):
    """What these clients send and get; fields that are not known are left alone."""


class RankableAction(Shape, frozen=True):
    """An action, and what is known of it."""

    id: ArmName
    features: list[dict[str, Any]] = []


class RankRequest(Shape, frozen=True):
    """Actions to choose from, except those that are excluded."""

    actions: Annotated[list[RankableAction], Meta(min_length=1, max_length=MOST_ARMS)]
    context_features: list[dict[str, Any]] | None = None
    excluded_actions: Annotated[list[str], Meta(max_length=MOST_ARMS)] | None = None
    event_id: EventId | None = None
    defer_activation: bool = False


class RankedAction(Shape, frozen=True):
    """An action with the probability that it had."""

    id: str
    probability: float


class RankResponse(Shape, frozen=True):
    """The action that was chosen, and the probabilities of all."""

    ranking: list[RankedAction]
    event_id: str
    reward_action_id: str


class RewardRequest(Shape, frozen=True):
    """The reward of an event."""

    value: Annotated[float, Meta(ge=0.0)]


class Fault(Shape, frozen=True):
    """What is wrong: a code, a message, and the field."""

    code: str
    message: str
    target: str


class Faulty(Shape, frozen=True):
    """The body of every answer of these routes from 400 on."""

    error: Fault

    @staticmethod
    def status(status: int) -> int:
        """Return the status with which that service answered.

        >>> Faulty.status(422), Faulty.status(404)
        (400, 404)
        """
        return 400 if status in BAD else status

    @classmethod
    def of(cls, refusal: Refusal) -> Faulty:
        """Return the body for a refusal, in the words of these clients.

        >>> Faulty.of(Refusal(422, "reward", "reward must lie in [0, 1], got 5")).error.message
        'value must lie in [0, 1], got 5'
        """
        codes = {404: "ResourceNotFound", 500: "InternalServerError", 503: "InternalServerError"}
        code, field = codes.get(refusal.status, "BadRequest"), refusal.field
        target, rest = NAMES.get(field, field), refusal.message.removeprefix(field)
        message = refusal.message if rest == refusal.message else f"{target}{rest}"
        return cls(Fault(code, message, target))


async def rank(worker: Worker, call: Call) -> RankResponse:
    """Choose an action; the same event and body get the same answer."""
    ask: RankRequest = call.body
    call = _here(call)._replace(idempotency=ask.event_id or "")
    actions = [action.id for action in ask.actions]
    if len(set(actions)) < len(actions):
        raise Refusal(422, "actions", "actions must have ids that differ")
    excluded = set(ask.excluded_actions or ())
    eligible = [action for action in actions if action not in excluded]
    if not eligible:
        raise Refusal(422, "excludedActions", "excludedActions must leave an action")
    for action in eligible:
        await bring(worker, call, action)
    features = {
        "context": ask.context_features or [],
        "actions": {action.id: action.features for action in ask.actions},
    }
    asked = shapes.Decide(eligible, ask.defer_activation)
    row = (await drawn(worker, call, "rank", [asked], features))[0]
    return _response(row, actions, ask.event_id)


def _response(row: Row, actions: list[str], event_id: str | None) -> RankResponse:
    """Return the ranking: what was chosen, then by probability; excluded ones keep their places."""
    decided = row.event
    assert isinstance(decided, events.Decided)
    chances = dict(zip(decided.eligible, decided.law, strict=True))
    others = sorted((arm for arm in actions if arm in chances), key=chances.__getitem__)
    others.remove(decided.arm)
    others.append(decided.arm)
    ranking = [
        RankedAction(arm, chances.get(arm, 0.0))
        for arm in (others.pop() if action in chances else action for action in actions)
    ]
    return RankResponse(ranking, event_id or decided.id, decided.arm)


async def reward_event(worker: Worker, call: Call) -> None:
    """Take the reward of an event."""
    call = _here(call)
    id = (await _decided(worker, call)).id
    await rewarding.reward(worker, call._replace(body=shapes.Reward(id, call.body.value)))


async def activate_event(worker: Worker, call: Call) -> None:
    """Let an event count whose activation was deferred."""
    call = _here(call)
    decided = await _decided(worker, call)
    if decided.deferred:
        await rewarding.activate(worker, call._replace(body=shapes.Activate(decided.id)))


async def _decided(worker: Worker, call: Call) -> events.Decided:
    """Return the decision of an event: its id is that of the client, or that of the decision."""
    experiment = running(worker, call, "running", "paused")
    event_id = call.names["event"]
    by_event = claims(call._replace(idempotency=event_id), "rank", 0)[0].key
    by_decision = f"d:{event_id}"
    owners = await worker.find([by_event, by_decision])
    owner = owners.get(by_event, owners.get(by_decision))
    if owner is None or owner.row.experiment != experiment.name:
        raise Refusal(404, "eventId", f"eventId must be one that was ranked, got {event_id!r}")
    assert isinstance(owner.row.event, events.Decided)
    return owner.row.event


def _here(call: Call) -> Call:
    """Return the request as one to the experiment."""
    return call._replace(names={**call.names, "experiment": EXPERIMENT}, idempotency="")
