"""What can be asked of the service: each function describes one request, and sends nothing."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote

import msgspec

from driftbandit.core.arrays import listed
from driftbandit.core.errors import InputError, require, reward_as_float, shown, whole
from driftbandit.policies.strategy import Strategy
from driftbandit.service import shapes
from driftbandit.service.events import Scope

__all__ = [
    "activate",
    "add_arm",
    "add_key",
    "archive",
    "change",
    "create",
    "decide",
    "decide_many",
    "experiment",
    "experiments",
    "explain",
    "history",
    "keys",
    "kill",
    "pause",
    "ready",
    "resume",
    "retire_arm",
    "revoke_key",
    "reward",
    "reward_many",
    "rotate_key",
]

Answer = TypeVar("Answer")
MOST = 1_000
"""Decisions of a request, at most."""

PolicyLike = Strategy | str | Mapping[str, Any]


class Request(NamedTuple, Generic[Answer]):
    """A request and the type of its answer.

    `repeatable`: it may be sent again where it is not known whether it arrived.
    """

    method: str
    path: str
    answer: type[Answer]
    body: bytes | None = None
    repeatable: bool = True
    once: str = ""


def _path(*parts: str) -> str:
    """Return the path of an experiment, or of something in it.

    >>> _path("button", "arms", "a/b")
    '/v1/experiments/button/arms/a%2Fb'
    """
    return "/".join(["/v1/experiments", *map(part_of, parts)])


def part_of(name: Any) -> str:
    """Return a name as it stands in a path, or raise.

    >>> part_of("a/b")
    'a%2Fb'
    """
    fits = isinstance(name, str) and name != ""
    require(fits, "a name in a request", name, "be a text that is not empty")
    return "%2E" * len(name) if name in (".", "..") else quote(name, safe="")


def _body(**fields: Any) -> bytes:
    """Return a body as JSON; NaN is refused, which would become null."""
    try:
        values = msgspec.to_builtins(fields, enc_hook=_listed)
        text = json.dumps(values, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"a request must be plain data: {error}") from None


def _listed(value: Any) -> Any:
    """Return an array, or a number or text of NumPy, as what JSON has."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"JSON has nothing like {shown(value)}")


def _spec(policy: PolicyLike) -> dict[str, Any]:
    """Return a policy as the service takes it.

    >>> _spec("ucb-1")
    {'name': 'ucb-1'}
    """
    if isinstance(policy, Strategy):
        spec: dict[str, Any] = json.loads(policy.to_json())
        return spec
    fits = isinstance(policy, str | Mapping)
    require(fits, "policy", policy, "be a policy, a name of one, or a mapping with a name")
    return {"name": policy} if isinstance(policy, str) else dict(policy)


def _pairs(rewards: Mapping[str, float] | Iterable[tuple[str, float]]) -> list[dict[str, Any]]:
    allowed = "be a mapping from ids to rewards, or pairs of them"
    pairs = rewards.items() if isinstance(rewards, Mapping) else listed("rewards", rewards, allowed)
    for pair in pairs:
        require(isinstance(pair, tuple | list) and len(pair) == 2, "rewards", pair, allowed)
    return [{"id": id, "reward": _number(reward)} for id, reward in pairs]


def _number(reward: Any) -> float:
    """Return a reward as a float, a click (True or False) as 1 or 0."""
    number = reward_as_float(reward)
    require(math.isfinite(number), "reward", reward, "be a finite number")
    return number


def create(
    name: str, arms: Sequence[str], policy: PolicyLike = "auto", **terms: Any
) -> Request[shapes.Experiment]:
    """Begin an experiment.

    `policy` is a policy, a name that `driftbandit policies` lists, or a mapping with a name and
    parameters. `terms` are what else a new experiment takes, such as floor=0.05,
    reward_within=3600, default_reward=0 and combine="sum".
    """
    body = _body(
        name=name, arms=listed("arms", arms, "be a list of names"), policy=_spec(policy), **terms
    )
    return Request("POST", "/v1/experiments", shapes.Experiment, body, repeatable=False)


def experiments() -> Request[shapes.Experiments]:
    """List experiments."""
    return Request("GET", "/v1/experiments", shapes.Experiments)


def experiment(name: str) -> Request[shapes.Experiment]:
    """Show an experiment."""
    return Request("GET", _path(name), shapes.Experiment)


def change(name: str, policy: PolicyLike | None = None, **terms: Any) -> Request[shapes.Experiment]:
    """Change an experiment: its policy, and other terms such as floor=0.1."""
    if policy is not None:
        terms["policy"] = _spec(policy)
    body = _body(**terms)
    return Request("PATCH", _path(name), shapes.Experiment, body)


def pause(name: str) -> Request[shapes.Experiment]:
    """Decide no more, until it is resumed; rewards still count."""
    return Request("POST", _path(name, "pause"), shapes.Experiment)


def resume(name: str) -> Request[shapes.Experiment]:
    """Go on with a paused experiment."""
    return Request("POST", _path(name, "resume"), shapes.Experiment)


def kill(name: str, arm: str | None = None) -> Request[shapes.Experiment]:
    """Let every decision fall on one arm, the default arm unless named; `change` the mode after."""
    body = _body(arm=arm)
    return Request("POST", _path(name, "kill"), shapes.Experiment, body)


def archive(name: str) -> Request[shapes.Experiment]:
    """End an experiment for good."""
    return Request("POST", _path(name, "archive"), shapes.Experiment)


def add_arm(name: str, arm: str, fresh: bool = False) -> Request[shapes.Experiment]:
    """Bring an arm into play, or back; with `fresh`, nothing is known of it."""
    body = _body(arm=arm, fresh=fresh)
    return Request("POST", _path(name, "arms"), shapes.Experiment, body, repeatable=False)


def retire_arm(name: str, arm: str) -> Request[shapes.Experiment]:
    """Take an arm out of play; rewards that it awaits still count."""
    return Request("DELETE", _path(name, "arms", arm), shapes.Experiment, repeatable=False)


def history(name: str) -> Request[shapes.History]:
    """List the changes of an experiment."""
    return Request("GET", _path(name, "history"), shapes.History)


def decide(
    name: str, eligible: Sequence[str] | None = None, *, defer: bool = False, once: str = ""
) -> Request[shapes.Decision]:
    """Choose an arm, by default among all.

    A deferred decision counts once it is activated. `once` is an idempotency key: the same one gets
    the same decision; by default there is a new one for each call, and its retries share it.
    """
    body = _body(eligible=eligible, defer=defer)
    return Request("POST", _path(name, "decide"), shapes.Decision, body, once=_once(once))


def decide_many(
    name: str,
    count: int,
    eligible: Sequence[str] | None = None,
    *,
    defer: bool = False,
    once: str = "",
) -> Request[shapes.Decisions]:
    """Choose several times at once, up to 1,000; all draw from the same state."""
    many = whole("count", count, most=MOST)
    body = _body(decisions=[{"eligible": eligible, "defer": defer}] * many)
    path = _path(name, "decide", "batch")
    return Request("POST", path, shapes.Decisions, body, once=_once(once))


def activate(name: str, id: str) -> Request[shapes.Activation]:
    """Let a deferred decision count from now on."""
    body = _body(id=id)
    return Request("POST", _path(name, "activate"), shapes.Activation, body)


def reward(name: str, id: str, reward: float, *, once: str = "") -> Request[shapes.Receipt]:
    """Give the reward of a decision, by its id."""
    body = _body(id=id, reward=_number(reward))
    return Request("POST", _path(name, "reward"), shapes.Receipt, body, once=_once(once))


def reward_many(
    name: str, rewards: Mapping[str, float] | Iterable[tuple[str, float]], *, once: str = ""
) -> Request[shapes.Receipts]:
    """Give the rewards of up to 1,000 decisions; each receipt says what became of it."""
    body = _body(rewards=_pairs(rewards))
    path = _path(name, "reward", "batch")
    return Request("POST", path, shapes.Receipts, body, once=_once(once))


def explain(name: str, id: str) -> Request[shapes.Explanation]:
    """Say why a decision fell on its arm, and what came of it."""
    return Request("GET", _path(name, "decisions", id), shapes.Explanation)


def add_key(
    name: str, scopes: Sequence[Scope], rate: float | None = None
) -> Request[shapes.KeyShown]:
    """Make a key with scopes: "decide", "reward", "read", "admin"; it is shown this once.

    `rate` is how many items a second it may ask for; an item of a batch is one.
    """
    body = _body(name=name, scopes=listed("scopes", scopes, "be a list of names"), rate=rate)
    return Request("POST", "/v1/keys", shapes.KeyShown, body, repeatable=False)


def keys() -> Request[shapes.Keys]:
    """List keys, without the keys themselves."""
    return Request("GET", "/v1/keys", shapes.Keys)


def rotate_key(id: str) -> Request[shapes.KeyShown]:
    """Put a new key in the place of one, which opens nothing from then on."""
    path = f"/v1/keys/{part_of(id)}/rotate"
    return Request("POST", path, shapes.KeyShown, repeatable=False)


def revoke_key(id: str) -> Request[shapes.Keys]:
    """Make a key open nothing any more."""
    return Request("DELETE", f"/v1/keys/{part_of(id)}", shapes.Keys, repeatable=False)


def ready() -> Request[shapes.Health]:
    """Say whether decisions can be made durable; needs no key."""
    return Request("GET", "/ready", shapes.Health)


def _once(key: Any) -> str:
    """Return an idempotency key as it stands in a header: a new one if none is given."""
    if key is None or key == "":
        return uuid.uuid4().hex
    fits = isinstance(key, str) and key.isascii() and key.isprintable()
    require(fits, "once", key, "be a text of plain letters")
    return str(key)
