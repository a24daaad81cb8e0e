"""Choosing: a decision is drawn, made durable, and answered."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import Any

import msgspec

from driftbandit.service import events, shapes
from driftbandit.service.call import Call
from driftbandit.service.events import Row
from driftbandit.service.experiment import Experiment
from driftbandit.service.problems import Refusal, unavailable
from driftbandit.service.store.batch import Claim, Entry, Outdated, Taken
from driftbandit.service.worker import Worker

_IDS = random.Random(os.urandom(32))
"""Ids must differ, in all processes. What draws is their hash under a secret."""

ATTEMPTS = 20
"""How often a request is tried anew when changes of the experiment come between."""


def experiment_of(worker: Worker, call: Call) -> Experiment:
    """Return the experiment that the path names."""
    name = call.names["experiment"]
    experiment = worker.fold.experiments.get(name)
    if experiment is None:
        raise Refusal(404, "experiment", f"experiment must be one that exists, got {name!r}")
    return experiment


def running(worker: Worker, call: Call, *statuses: events.Status) -> Experiment:
    """Return the experiment if its status is one of these."""
    experiment = experiment_of(worker, call)
    if experiment.status not in statuses:
        raise Refusal(
            409, "status", f"status must be {' or '.join(statuses)}, is {experiment.status}"
        )
    return experiment


def claims(call: Call, route: str, place: int) -> tuple[Claim, ...]:
    """Return the claim of a request's idempotency key, if it has one."""
    if not call.idempotency:
        return ()
    key = f"i:{call.names['experiment']}:{route}:{call.idempotency}:{place}"
    return (Claim(key, call.digest()),)


def winner(outcome: Taken, call: Call) -> Row:
    """Return the row of the request that came first, if it was the same request."""
    if outcome.key.startswith("i:") and outcome.digest != call.digest():
        raise Refusal(
            422,
            "Idempotency-Key",
            "Idempotency-Key must not be one of a request with other content",
        )
    return outcome.row


async def answered(worker: Worker, call: Call, route: str, size: int) -> dict[int, Row]:
    """Return what the same request, by its idempotency key, has in the log already."""
    if not call.idempotency:
        return {}
    keys = [claims(call, route, place)[0].key for place in range(size)]
    owners = await worker.find(keys)
    return {place: winner(owners[key], call) for place, key in enumerate(keys) if key in owners}


def _entries(
    worker: Worker,
    call: Call,
    route: str,
    asks: Sequence[shapes.Decide],
    places: Sequence[int],
    features: Any,
) -> list[Entry]:
    """Return decisions drawn from the state of now."""
    if not places:  # all are answered already, whatever has happened since
        return []
    experiment, position = running(worker, call, "running"), worker.fold.position
    entries = []
    for place in places:
        ask, id = asks[place], f"{position:010x}-{_IDS.getrandbits(80):020x}"
        decided = experiment.draw(id, ask.eligible, position, ask.defer)
        if features is not None:
            law = tuple(experiment.law(decided.eligible).values())
            decided = msgspec.structs.replace(decided, law=law, features=features)
        unique = (Claim(f"d:{id}", fresh=True), *claims(call, route, place))
        entries.append(Entry(experiment.name, decided, position, unique))
    return entries


def _decision(row: Row) -> shapes.Decision:
    event = row.event
    assert isinstance(event, events.Decided)
    return shapes.Decision(
        event.id, event.arm, event.probability, event.drawn_at, row.position, row.at
    )


async def drawn(
    worker: Worker, call: Call, route: str, asks: Sequence[shapes.Decide], features: Any = None
) -> list[Row]:
    """Draw and append; what a change has come before is drawn again.

    `features` are stored with each decision, and with them the probabilities of all arms.
    """
    rows = await answered(worker, call, route, len(asks)) if call.idempotency else {}
    left = [place for place in range(len(asks)) if place not in rows]
    for _ in range(ATTEMPTS):
        entries = _entries(worker, call, route, asks, left, features)
        outcomes = await worker.submit(entries)
        outdated = []
        for place, outcome in zip(left, outcomes, strict=True):
            if isinstance(outcome, Outdated):
                outdated.append(place)
            else:
                rows[place] = winner(outcome, call) if isinstance(outcome, Taken) else outcome
        if not outdated:
            worker.metrics.answers.decisions[call.names["experiment"]] += len(asks)
            return [rows[place] for place in range(len(asks))]
        worker.metrics.redrawn.inc(len(outdated))
        left = outdated
    raise unavailable("the experiment changes too often")


async def decide(worker: Worker, call: Call) -> shapes.Decision:
    """Choose an arm."""
    return _decision((await drawn(worker, call, "decide", [call.body]))[0])


async def decide_many(worker: Worker, call: Call) -> shapes.Decisions:
    """Choose arms."""
    rows = await drawn(worker, call, "decide", call.body.decisions)
    return shapes.Decisions([_decision(row) for row in rows])
