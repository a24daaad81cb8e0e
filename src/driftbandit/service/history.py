"""Looking back: the changes of an experiment, why an arm, and the log as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from driftbandit.service import events, shapes
from driftbandit.service.call import Call
from driftbandit.service.deciding import experiment_of
from driftbandit.service.events import Row
from driftbandit.service.experiment import Experiment, policy_of, uniform
from driftbandit.service.ledger import Ledger, Pending
from driftbandit.service.problems import Refusal
from driftbandit.service.rebuild import load
from driftbandit.service.store.protocol import Store
from driftbandit.service.worker import Worker

COLUMNS = (
    "id", "time", "arm", "propensity", "eligible", "reward", "reward_time", "status", "policy",
    "version", "position",
)  # fmt: skip
"""Of the log as a table: times are seconds since 1970."""


def rows_of(store: Store, experiment: str, until: int, after: int = 0) -> Iterator[Row]:
    """Yield the rows of an experiment up to a position."""
    while rows := store.read(after, experiment=experiment):
        for row in rows:
            if row.position > until:
                return
            yield row
        after = rows[-1].position


async def changes(worker: Worker, call: Call) -> shapes.History:
    """List the changes of an experiment: configurations, pauses, arms."""
    name, until = experiment_of(worker, call).name, worker.fold.position

    def collect(store: Store) -> list[shapes.Past]:
        return [
            shapes.Past(row.position, row.at, _public(row.event))
            for row in rows_of(store, name, until)
            if isinstance(row.event, events.BARRIERS)
        ]

    return shapes.History(await worker.read(collect))


def _public(event: events.AnyEvent) -> dict[str, Any]:
    """Return an event as plain data, without the secret."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name != "secret"}


async def explain(worker: Worker, call: Call) -> shapes.Explanation:
    """Say why a decision fell on its arm: the log is folded up to there again."""
    experiment, id = experiment_of(worker, call), call.names["decision"]
    keys = [f"{kind}:{id}" for kind in "dsl"]

    def look(store: Store) -> shapes.Explanation:
        owners = store.find(keys)
        found = owners.get(keys[0])
        if found is None or found.row.experiment != experiment.name:
            raise Refusal(404, "decision", f"decision must be the id of one, got {id!r}")
        row, end, late = found.row, owners.get(keys[1]), owners.get(keys[2])
        assert isinstance(row.event, events.Decided)
        if row.event.drawn_at < (began := store.began()):
            allowed = f"decision must be one since {began}, where another version has begun"
            raise Refusal(404, "decision", f"{allowed}, got {id!r}")
        before = load(store, row.event.drawn_at).experiments[experiment.name]
        reward = None if end is None else _reward_of(store, row, end.row)
        return shapes.Explanation(
            shapes.Decision(
                id, row.event.arm, row.event.probability, row.event.drawn_at, row.position, row.at
            ),
            row.event.by,
            list(row.event.eligible),
            uniform(before.secret, id),
            before.draw(id, row.event.eligible, 0).arm,
            _knowledge(before, row.event.eligible),
            end is not None,
            reward,
            late.row.event.reward if late and isinstance(late.row.event, events.Late) else None,
            row.event.features,
        )

    return await worker.read(look)


def _knowledge(
    experiment: Experiment, eligible: Sequence[str]
) -> dict[str, dict[str, float | None]]:
    """Return what was known of each arm, and how likely it was with these eligible arms."""
    served = experiment.law(eligible)
    policy = experiment.agent.probabilities(eligible)
    return {
        arm: {
            **known,
            "probability": served.get(arm, 0.0),
            "policy_probability": policy.get(arm, 0.0),
        }
        for arm, known in experiment.agent.explain().items()
    }


def _reward_of(store: Store, decided: Row, end: Row) -> float | None:
    """Return what a decision got in the end."""
    name = decided.experiment
    for line in table(_between(store, name, decided, end)):
        if line["position"] == decided.position:
            reward: float | None = line["reward"]
            return reward
    return None


def _between(store: Store, name: str, decided: Row, end: Row) -> Iterator[Row]:
    """Yield the changes of an experiment, and all its rows from a decision to its end."""
    for row in rows_of(store, name, end.position):
        if row.position >= decided.position or isinstance(row.event, events.BARRIERS):
            yield row


def table(rows: Iterator[Row], ended: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the decisions of one experiment in log order, each with the reward that it got.

    With `ended`, those before the first that may still get a reward: after it, those that have got
    one are not like the others. Decisions that were never shown are left out then. So a missing
    reward means one thing: none came in time, and there was no default.

    Only decisions that wait for an older one are held in memory.
    """
    lines: dict[str, dict[str, Any]] = {}
    settled: set[str] = set()
    clerk = _Clerk()
    for row in rows:
        event = row.event
        if isinstance(event, events.Decided):
            lines[event.id] = clerk.line(row, event)
        end = clerk.apply(row)
        if end is not None and end[0] in lines:
            lines[end[0]].update(end[1])
            settled.add(end[0])
        while lines and (first := next(iter(lines))) in settled:
            settled.remove(first)
            line = lines.pop(first)
            if not (ended and line["status"] == "not shown"):
                yield line
    if not ended:
        yield from lines.values()


class _Clerk:
    """The settlement table of one experiment, folded without its agent."""

    def __init__(self) -> None:
        self.ledger, self.label, self.version, self.most = Ledger(), "", 0, 0.0
        self.config = events.Config({})

    def line(self, row: Row, event: events.Decided) -> dict[str, Any]:
        """Return the line of a decision that has no reward yet."""
        values = (
            event.id, row.at, event.arm, event.probability, list(event.eligible), None, None,
            "deferred" if event.deferred else "pending", self.label, self.version, row.position,
        )  # fmt: skip
        return dict(zip(COLUMNS, values, strict=True))

    def apply(self, row: Row) -> tuple[str, dict[str, Any]] | None:
        """Take in the next row; return the id of a decision that it ends, and what it got."""
        event = row.event
        if isinstance(event, events.BARRIERS):
            self.version = row.position
        match event:
            case events.Created(config) | events.Changed(config):
                self.config = config
                policy = policy_of(config.policy)
                self.label, self.most = policy.label, policy.bound
            case events.Decided(id, arm, probability):
                due = row.at + self.config.reward_within
                pending = Pending(arm, probability, row.at, due, not event.deferred)
                self.ledger.await_reward(id, pending)
            case events.Activated(id) if id in self.ledger.pending:
                self.ledger.pending[id].shown = True
            case events.Rewarded(id, reward) if id in self.ledger.pending:
                if self.ledger.add(id, reward, self.config.combine, self.most):
                    return self._end(id, row.at, "rewarded")
            case events.Closed(id) if id in self.ledger.pending:
                rewarded = self.ledger.pending[id].reward is not None
                return self._end(id, row.at, "rewarded" if rewarded else "closed")
            case _:
                pass
        return None

    def _end(self, id: str, at: float, status: str) -> tuple[str, dict[str, Any]]:
        pending = self.ledger.settle(id)
        if not pending.shown:
            return id, {"status": "not shown", "reward_time": at}
        default = self.config.default_reward
        reward = default if pending.reward is None else pending.reward
        return id, {"status": status, "reward": reward, "reward_time": at}
