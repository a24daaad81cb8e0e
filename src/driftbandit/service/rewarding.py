"""What comes back: rewards, and the news that a deferred decision was shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from driftbandit.service import events, shapes
from driftbandit.service.call import Call
from driftbandit.service.deciding import ATTEMPTS, answered, claims, running, winner
from driftbandit.service.events import Row
from driftbandit.service.experiment import Experiment
from driftbandit.service.problems import Refusal, unavailable
from driftbandit.service.store.batch import Claim, Entry, Outcome, Outdated, Taken
from driftbandit.service.worker import Worker, closing


async def activate(worker: Worker, call: Call) -> shapes.Activation:
    """Let a deferred decision count from now on."""
    id = call.body.id
    for _ in range(ATTEMPTS):
        experiment = running(worker, call, "running", "paused")
        if id not in experiment.ledger.pending:
            owners = await _settled(worker, [id])
            decided = owners.get(f"d:{id}")
            if decided is None or decided.row.experiment != experiment.name:
                raise _no_such_decision(id)
            if id not in experiment.ledger.pending:
                raise Refusal(409, "id", f"id must be of a decision that is not over, got {id!r}")
            continue
        if experiment.ledger.pending[id].shown and not await worker.find([f"a:{id}"]):
            raise Refusal(409, "id", f"id must be of a deferred decision, got {id!r}")
        version = experiment.version
        unique = (Claim(f"a:{id}"),)
        entry = Entry(experiment.name, events.Activated(id), version, unique, (f"s:{id}",))
        outcome = (await worker.submit([entry]))[0]
        if isinstance(outcome, Taken) and isinstance(outcome.row.event, events.Activated):
            outcome = outcome.row
        if isinstance(outcome, Row):
            return shapes.Activation(id, outcome.position, outcome.at)
    raise unavailable("the experiment changes too often")


async def reward(worker: Worker, call: Call) -> shapes.Receipt:
    """Take the reward of a decision."""
    receipt = (await _reward(worker, call, [call.body]))[0]
    if receipt.status == "unknown":
        raise _no_such_decision(receipt.id)
    if receipt.status == "inactive":
        raise Refusal(409, "id", f"id must be of a decision that was activated, got {receipt.id!r}")
    return receipt


async def reward_many(worker: Worker, call: Call) -> shapes.Receipts:
    """Take the rewards of decisions."""
    return shapes.Receipts(await _reward(worker, call, call.body.rewards))


def _no_such_decision(id: str) -> Refusal:
    return Refusal(404, "id", f"id must be of a decision of this experiment, got {id!r}")


async def _reward(
    worker: Worker, call: Call, asks: Sequence[shapes.Reward]
) -> list[shapes.Receipt]:
    """Append rewards; those that a change or a settlement has come before are looked at again."""
    before = await answered(worker, call, "reward", len(asks))
    answers = {place: _receipt_of(row) for place, row in before.items()}
    left = [place for place in range(len(asks)) if place not in answers]
    for _ in range(ATTEMPTS):
        experiment = running(worker, call, "running", "paused")
        for place in left:
            experiment.check_reward(asks[place].reward)
        pending = experiment.ledger.pending
        owners = await _settled(worker, [asks[at].id for at in left if asks[at].id not in pending])
        places, entries = [], []
        for place in left:
            entry = _rewarding(worker, call, experiment, owners, asks[place], place)
            if isinstance(entry, shapes.Receipt):
                answers[place] = entry
            else:
                places.append(place)
                entries.append(entry)
        left = []
        for place, outcome in zip(places, await worker.submit(entries), strict=True):
            receipt = _receipt(outcome, call)
            if receipt is None:
                left.append(place)
            else:
                answers[place] = receipt
        if not left:
            for answer in answers.values():
                worker.metrics.answers.rewards[experiment.name, answer.status] += 1
            return [answers[place] for place in range(len(asks))]
    raise unavailable("the experiment changes too often")


async def _settled(worker: Worker, ids: Sequence[str]) -> dict[str, Taken]:
    """Return what the log has of decisions and their ends, once this process has folded them."""
    if not ids:
        return {}
    owners = await worker.find([f"{kind}:{id}" for id in ids for kind in "ds"])
    await worker.reach(max((owner.row.position for owner in owners.values()), default=0))
    return owners


def _rewarding(
    worker: Worker,
    call: Call,
    experiment: Experiment,
    owners: dict[str, Taken],
    ask: shapes.Reward,
    place: int,
) -> Entry | shapes.Receipt:
    """Return the entry of a reward, or the answer if there is nothing to append."""
    id, name, pending = ask.id, experiment.name, experiment.ledger.pending.get(ask.id)
    decided, end = owners.get(f"d:{id}"), owners.get(f"s:{id}")
    if pending is None and (decided is None or decided.row.experiment != name):
        return shapes.Receipt(id, "unknown")
    if pending is None and end is not None:
        return _after_the_end(worker, call, end.row, ask, place)
    if pending is not None and pending.due < worker.now():
        return closing(name, id)  # nobody has done it yet
    if pending is not None and not pending.shown:
        return shapes.Receipt(id, "inactive")
    event, position = events.Rewarded(id, ask.reward), worker.fold.position
    unique = claims(call, "reward", place)
    if experiment.config.combine == "first":
        return Entry(name, event, position, (*unique, Claim(f"s:{id}")))
    return Entry(name, event, position, unique, (f"s:{id}",))


def _after_the_end(
    worker: Worker, call: Call, end: Row, ask: shapes.Reward, place: int
) -> Entry | shapes.Receipt:
    """Return the reward that counted, or the entry that stores a late one."""
    if isinstance(end.event, events.Rewarded):
        return _receipt_of(end)
    unique = *claims(call, "reward", place), Claim(f"l:{ask.id}")
    return Entry(end.experiment, events.Late(ask.id, ask.reward), worker.fold.position, unique)


def _receipt(outcome: Outcome, call: Call) -> shapes.Receipt | None:
    """Return what became of a reward; None if it must be looked at again."""
    if isinstance(outcome, Outdated):
        return None
    row = winner(outcome, call) if isinstance(outcome, Taken) else outcome
    return None if isinstance(row.event, events.Closed) else _receipt_of(row)


def _receipt_of(row: Row) -> shapes.Receipt:
    event = row.event
    assert isinstance(event, events.Rewarded | events.Late)
    status: Literal["counted", "late"] = "late"
    if isinstance(event, events.Rewarded):
        status = "counted"
    return shapes.Receipt(event.id, status, event.reward, row.position, row.at)
