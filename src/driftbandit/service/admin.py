"""Experiments, arms and keys: everything that only changes now and then."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from driftbandit.service import events, guards, keys, shapes
from driftbandit.service.call import Call
from driftbandit.service.deciding import ATTEMPTS, experiment_of, running
from driftbandit.service.experiment import Experiment, checked, policy_of
from driftbandit.service.problems import Refusal, unavailable
from driftbandit.service.store.batch import Claim, Entry, Outdated, Taken
from driftbandit.service.worker import Worker

ALIVE: tuple[events.Status, ...] = ("running", "paused")


def shown(worker: Worker, experiment: Experiment) -> shapes.Experiment:
    """Return an experiment as an answer shows it."""
    config, arms = experiment.config, experiment.agent.arms
    return shapes.Experiment(
        experiment.name, experiment.status, experiment.version, worker.fold.position,
        experiment.created_at, arms, [arm for arm in experiment.arms if arm not in arms],
        config.policy, experiment.agent.policy.label, config.floor, config.reward_within,
        config.default_reward, config.combine, experiment.decisions, experiment.rewards,
        len(experiment.ledger.pending), config.shares, config.holdout, config.mode,
        config.default_arm, config.pause_without_rewards, experiment.reason,
    )  # fmt: skip


def _set(ask: msgspec.Struct, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the fields of a request that are set, by name."""
    values = {name: getattr(ask, name) for name in names or ask.__struct_fields__}
    return {name: value for name, value in values.items() if value is not msgspec.UNSET}


async def _append(worker: Worker, entry: Entry) -> bool:
    """Append one event; return False if the experiment has changed meanwhile."""
    outcome = (await worker.submit([entry]))[0]
    return not isinstance(outcome, Outdated)


async def create(worker: Worker, call: Call) -> shapes.Experiment:
    """Begin an experiment."""
    ask: shapes.NewExperiment = call.body
    config = events.Config(**_set(ask, events.Config.__struct_fields__))
    created = events.Created(checked(config, ask.arms), tuple(ask.arms), secrets.token_hex(32))
    entry = Entry(ask.name, created, None, (Claim(f"e:{ask.name}"),))
    if isinstance((await worker.submit([entry]))[0], Taken):
        raise Refusal(409, "name", f"name must be new, got {ask.name!r}")
    return shown(worker, worker.fold.experiments[ask.name])


async def every(worker: Worker, call: Call) -> shapes.Experiments:
    """List experiments."""
    return shapes.Experiments([shown(worker, each) for each in worker.fold.experiments.values()])


async def one(worker: Worker, call: Call) -> shapes.Experiment:
    """Show an experiment."""
    return shown(worker, experiment_of(worker, call))


async def change(worker: Worker, call: Call) -> shapes.Experiment:
    """Change how an experiment decides, or what counts as a reward."""
    asked = _set(call.body)
    if "policy" in asked:
        asked["policy"] = json.loads(policy_of(asked["policy"]).to_json())
    return await _change(worker, call, asked, checked)


async def kill(worker: Worker, call: Call) -> shapes.Experiment:
    """Let every decision fall on one arm from now on; `change` the mode to end that."""
    arm = {} if call.body.arm is None else {"default_arm": call.body.arm}

    def check(config: events.Config, arms: Sequence[str], known: Sequence[str]) -> events.Config:
        guards.check_default(config, arms)  # whatever else does not fit any more
        return config

    return await _change(worker, call, {"mode": "killed", **arm}, check)


async def _change(
    worker: Worker,
    call: Call,
    asked: dict[str, Any],
    check: Callable[[events.Config, Sequence[str], Sequence[str]], events.Config],
) -> shapes.Experiment:
    for _ in range(ATTEMPTS):
        experiment, position = running(worker, call, *ALIVE), worker.fold.position
        config = msgspec.structs.replace(experiment.config, **asked)
        changed = events.Changed(check(config, experiment.agent.arms, experiment.arms))
        if await _append(worker, Entry(experiment.name, changed, position)):
            return shown(worker, experiment)
    raise unavailable("the experiment changes too often")


async def _turn(worker: Worker, call: Call, status: events.Status) -> shapes.Experiment:
    for _ in range(ATTEMPTS):
        experiment, position = experiment_of(worker, call), worker.fold.position
        if experiment.status == status:
            return shown(worker, experiment)
        running(worker, call, *ALIVE)
        if await _append(worker, Entry(experiment.name, events.Turned(status), position)):
            return shown(worker, experiment)
    raise unavailable("the experiment changes too often")


async def pause(worker: Worker, call: Call) -> shapes.Experiment:
    """Decide no more, until it is resumed; rewards still count."""
    return await _turn(worker, call, "paused")


async def resume(worker: Worker, call: Call) -> shapes.Experiment:
    """Go on with a paused experiment."""
    return await _turn(worker, call, "running")


async def archive(worker: Worker, call: Call) -> shapes.Experiment:
    """End an experiment for good."""
    return await _turn(worker, call, "archived")


async def add_arm(worker: Worker, call: Call) -> shapes.Experiment:
    """Bring an arm into play."""
    ask: shapes.NewArm = call.body
    for _ in range(ATTEMPTS):
        experiment, position = running(worker, call, *ALIVE), worker.fold.position
        if ask.arm in experiment.agent.arms:
            raise Refusal(409, "arm", f"arm must not be in play already, got {ask.arm!r}")
        most = shapes.MOST_ARMS
        if ask.arm not in experiment.arms and len(experiment.arms) >= most:
            raise Refusal(409, "arm", f"arm must be one of at most {most}, retired ones included")
        event = events.ArmAdded(ask.arm, ask.fresh)
        if await _append(worker, Entry(experiment.name, event, position)):
            return shown(worker, experiment)
    raise unavailable("the experiment changes too often")


async def bring(worker: Worker, call: Call, arm: str) -> None:
    """Bring an arm into play that the experiment does not know yet."""
    if arm in experiment_of(worker, call).arms:
        return
    try:
        await add_arm(worker, call._replace(body=shapes.NewArm(arm)))
    except Refusal:
        if arm not in experiment_of(worker, call).arms:  # nobody else has brought it meanwhile
            raise


async def retire_arm(worker: Worker, call: Call) -> shapes.Experiment:
    """Take an arm out of play; rewards that it awaits still count."""
    arm = call.names["arm"]
    for _ in range(ATTEMPTS):
        experiment, position = running(worker, call, *ALIVE), worker.fold.position
        if arm not in experiment.agent.arms:
            raise Refusal(404, "arm", f"arm must be in play, got {arm!r}")
        if len(experiment.agent.arms) == 1:
            raise Refusal(409, "arm", f"arm must not be the last one in play, got {arm!r}")
        if arm == experiment.config.default_arm:
            raise Refusal(409, "arm", f"arm must not be the default arm, got {arm!r}")
        if await _append(worker, Entry(experiment.name, events.ArmRetired(arm), position)):
            return shown(worker, experiment)
    raise unavailable("the experiment changes too often")


async def add_key(worker: Worker, call: Call) -> shapes.KeyShown:
    """Make a key; the answer is the only place where it is shown."""
    ask: shapes.NewKey = call.body
    token, event = keys.new_key(ask.name, tuple(dict.fromkeys(ask.scopes)), ask.rate)
    await worker.submit([Entry("", event)])
    return shapes.KeyShown(event.id, event.name, list(event.scopes), event.rate, token)


async def rotate_key(worker: Worker, call: Call) -> shapes.KeyShown:
    """Put a new key in the place of one, which opens nothing from then on."""
    id = call.names["key"]
    old = worker.fold.keys.get(id)
    if old is None:
        raise _no_such_key(id)
    token, event = keys.new_key(old.name, old.scopes, old.rate)
    once = (Claim(f"r:{id}"),)
    both = [Entry("", event, None, once), Entry("", events.KeyRevoked(id))]
    if isinstance((await worker.submit(both))[0], Taken):  # somebody else was first
        raise _no_such_key(id)
    return shapes.KeyShown(event.id, event.name, list(event.scopes), event.rate, token)


def _no_such_key(id: str) -> Refusal:
    got = "a whole key" if id.startswith("db_") else repr(id)  # which is a secret
    return Refusal(
        404, "key", f"key must be the id of a key, the eight letters after db_, got {got}"
    )


async def every_key(worker: Worker, call: Call) -> shapes.Keys:
    """List keys, without the keys themselves."""
    shown = [
        shapes.KeyShown(id, key.name, list(key.scopes), key.rate)
        for id, key in worker.fold.keys.items()
    ]
    return shapes.Keys(shown)


async def revoke_key(worker: Worker, call: Call) -> shapes.Keys:
    """Make a key open nothing any more."""
    id = call.names["key"]
    admins = [each for each, key in worker.fold.keys.items() if "admin" in key.scopes]
    if id not in worker.fold.keys:
        raise _no_such_key(id)
    if admins == [id]:
        raise Refusal(409, "key", f"key must not be the last one with the scope admin, got {id!r}")
    await worker.submit([Entry("", events.KeyRevoked(id), None, (Claim(f"r:{id}"),))])
    return await every_key(worker, call)


async def health(worker: Worker, call: Call) -> shapes.Health:
    """Say that the process answers."""
    status: Any = "failing" if worker.broken or worker.failing else "ok"
    return shapes.Health(status, worker.fold.position)


async def ready(worker: Worker, call: Call) -> shapes.Health:
    """Say whether decisions can be made durable."""
    await worker.read(lambda store: store.began())
    if worker.broken or worker.failing:
        raise unavailable(worker.broken or "the last batch could not be stored")
    return await health(worker, call)
