"""Anything that can be sent, in any order: never a fault, and always what the document says."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from driftbandit.service.app import App
from driftbandit.service.openapi import document
from driftbandit.service.opening import begin
from driftbandit.service.personalizer import HEADER
from driftbandit.service.problems import Problem
from driftbandit.service.routes import ROUTES, Route
from driftbandit.service.store.sqlite import SqliteStore
from driftbandit.service.worker import Worker

DOCUMENT = msgspec.json.decode(document())
NAMES = ("x", "y", "no such", "é\0", "..")
FRESH = [f"e{number}" for number in range(1_000)]
RIGHT: dict[str, list[Any]] = {
    "name": FRESH,
    "arms": [["a", "b"], ["b", "a", "c"], ["é", "\0"]],
    "arm": ["a", "b", "c"],
    "fresh": [True, False],
    "policy": [{"name": "ucb-1"}, {"name": "exp3.s"}, {"name": "sw-ts", "window": 5}],
    "floor": [0, 0.5, 1],
    "reward_within": [0.001, 3600],
    "default_reward": [None, 0, 1],
    "combine": ["first", "last", "sum"],
    "eligible": [None, ["a"], ["b", "a"]],
    "defer": [True, False],
    "reward": [0, 0.5, 1],
    "scopes": [["read"], ["decide", "reward"]],
    "rate": [None, 10, 0.5],
    "actions": [[{"id": "a"}, {"id": "b", "features": [{"f": 1}]}], [{"id": "c"}, {"id": "b"}]],
    "contextFeatures": [None, [{"f": [1, "x"]}]],
    "excludedActions": [None, ["b"], ["q"]],
    "eventId": [None, "event 1", "event 2", "é"],
    "deferActivation": [True, False],
    "value": [0, 0.5, 1],
    "shares": [{}, {}, {"a": {"least": 0.1}}, {"a": {"most": 0.9}, "b": {"least": 0.2, "most": 1}}],
    "holdout": [0, 0.1],
    "mode": ["live", "live", "live", "live", "shadow", "killed"],
    "default_arm": [None, None, "a", "b"],
    "pause_without_rewards": [None, 3600],
}
WRONG: dict[str, list[Any]] = {
    "name": ["x", "", "a b"],
    "arms": [["a"], [], ["a", "a"], "ab"],
    "arm": ["", "\ud7ff", 3],
    "fresh": ["yes"],
    "policy": [
        {},
        {"kind": 3},
        {"name": "doubling"},
        {"name": "moss", "horizon": -1},
        {"name": []},
    ],
    "floor": [1.5, None],
    "reward_within": [0, 1e300],
    "default_reward": [2, 1e308, -1],
    "combine": ["all", None],
    "eligible": [["q"], []],
    "defer": [1],
    "id": ["nobody", "", "\0", "x" * 101],
    "reward": [2, -1, 1e308, True],
    "scopes": [[], ["all"]],
    "rate": [0, -1],
    "actions": [[], [{"id": "a"}, {"id": "a"}], [{}], [{"id": ""}]],
    "contextFeatures": [[1]],
    "excludedActions": [["a", "b", "c"], [None]],
    "eventId": ["", "x" * 257],
    "deferActivation": [None],
    "value": [2, -1, 1e308],
    "shares": [
        {"a": {"?": 1}},
        {"q": {"least": 0.1}},
        {"a": {"least": 2}},
        {"a": {"least": 0.9, "most": 0.1}},
    ],
    "holdout": [1, -0.1],
    "mode": ["dead", None],
    "default_arm": ["q", "", 1],
    "pause_without_rewards": [0, -1],
}
JUNK: list[Any] = [None, True, 0, -1, 2**70, 1e308, "", "a", [], [None], [[1]], {}, "é" * 500]
OFTEN = [*ROUTES, *[route for route in ROUTES if route.scope in ("decide", "reward")] * 3]


class Service:
    """The application without a network."""

    def __init__(self, folder: Path) -> None:
        self.loop = asyncio.new_event_loop()
        store = SqliteStore(folder / "log.db")
        self.key = begin(store)
        self.app, self.ids, self.names = App(lambda: Worker(store)), ["nobody"], ["x"]
        self.keys, self.events = ["none"], ["none"]
        self.answered: set[tuple[str, int]] = set()
        self.app.worker = Worker(store)
        self.loop.run_until_complete(self.app.worker.start())
        body = b'{"name": "personalizer", "arms": ["a", "b"], "policy": {"name": "ucb-1"}}'
        assert self.ask("POST", "/v1/experiments", body)[0] == 201

    def ask(self, method: str, path: str, body: bytes, once: str = "") -> tuple[int, bytes]:
        return self.loop.run_until_complete(self._ask(method, path, body, once))

    async def _ask(self, method: str, path: str, body: bytes, once: str) -> tuple[int, bytes]:
        sent: list[dict[str, Any]] = []
        headers = [
            (b"authorization", f"Bearer {self.key}".encode()),
            (HEADER.lower().encode(), str(self.key).encode()),
        ]
        if once:
            headers.append((b"idempotency-key", once.encode()))

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {"type": "http", "method": method, "raw_path": path.encode(), "headers": headers}
        await self.app({**scope, "query_string": b""}, receive, send)
        return sent[0]["status"], b"".join(each.get("body", b"") for each in sent[1:])

    def close(self) -> None:
        self.loop.run_until_complete(self.app.worker.stop())
        self.loop.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("fuzz"))
    yield running
    running.close()


def piece(luck: random.Random, service: Service, name: str) -> Any:
    """Return a value for a field: mostly one that makes sense, else a wrong one or junk."""
    kind = luck.random()
    if kind < 0.03:
        return luck.choice(JUNK)
    if kind < 0.06:
        return luck.choice(WRONG[name])
    if name == "name":
        return FRESH[len(service.names)]
    return luck.choice(service.ids[-8:] if name == "id" else RIGHT[name])


def fields_of(luck: random.Random, service: Service, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: piece(luck, service, name) for name in names if luck.random() < 0.9}


def body_of(luck: random.Random, service: Service, route: Route) -> bytes:
    """Return a body for a route, complete or not, or something that is no JSON."""
    if luck.random() < 0.02:
        return luck.choice([b"{", b"\xff", b"[]", b"NaN", b'{"a": 1, "a": 2}', b"[" * 5_000])
    assert route.body is not None
    fields = msgspec.structs.fields(route.body)
    body: Any
    if fields[0].name == "decisions":
        body = {"decisions": [fields_of(luck, service, ("eligible", "defer"))]}
    elif fields[0].name == "rewards":
        body = {"rewards": [fields_of(luck, service, ("id", "reward")) for _ in range(2)]}
    else:
        body = fields_of(luck, service, tuple(field.encode_name for field in fields))
    return msgspec.json.encode(body)


def shoot(luck: random.Random, service: Service) -> None:
    """Ask something, and compare the answer with the document."""
    route, path = luck.choice(OFTEN), ""
    known = {
        "decision": service.ids[-4:], "experiment": service.names[-2:], "key": service.keys[-1:],
        "event": service.events[-4:], "span": ["hour", "day"],
    }  # fmt: skip
    for part in route.path[1:].split("/"):
        name = luck.choice([*known.get(part[1:-1], ["a"]) * 5, *NAMES])
        path += "/" + (quote(name, safe="") if part.startswith("{") else part)
    body = body_of(luck, service, route) if route.body is not None else b""
    status, answer = service.ask(route.method, path, body, luck.choice(["", "", "k1", "k2"]))
    assert status < 500, (route.name, path, body, answer)
    assert str(status) in DOCUMENT["paths"][route.path][route.method.lower()]["responses"]
    service.answered.add((route.name, status))
    if status >= 400:
        problem: Any = msgspec.json.decode(answer, type=route.problem).error
        assert problem.field if route.problem is Problem else problem.target, answer
        assert problem.message
        return
    value: Any = msgspec.json.decode(answer, type=route.answer) if route.answer else None
    assert route.answer or answer == b""
    service.ids += [value.id] if route.name == "decide" else []
    service.events += [value.event_id] if route.name == "rank" else []
    service.names += [value.name] if route.name == "create" else []
    service.keys += [value.id] if route.name in ("add_key", "rotate_key") else []


def test_never_a_fault(service: Service) -> None:
    luck = random.Random(1)
    for _ in range(3_000):
        shoot(luck, service)
    done = {name for name, status in service.answered if status < 300}
    assert done == {route.name for route in ROUTES}
    assert {status for _, status in service.answered} >= {400, 404, 409, 422}


@pytest.mark.slow
def test_never_a_fault_in_ten_thousand(service: Service) -> None:
    luck = random.Random(2)
    for _ in range(10_000):
        shoot(luck, service)
