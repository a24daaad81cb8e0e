"""The client, of both kinds, against a real server; and against one that loses answers."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import json
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import driftbandit as db
from driftbandit.client import (
    AsyncClient,
    Client,
    ConflictError,
    InvalidRequestError,
    KeyRefusedError,
    NotFoundError,
    ServiceError,
    TooManyRequestsError,
    UnavailableError,
    asks,
)
from driftbandit.client.trial import Trial
from driftbandit.service.routes import RANK, ROUTES
from service.serving import ARMS, Server, serving

NUMBERS = itertools.count()
POLICY = db.SlidingWindowUCB(window=100)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("client")) as running:
        yield running


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(address(server), server.key) as client:
        yield client


@pytest.fixture
def name(client: Client) -> str:
    return client.create(f"e{next(NUMBERS)}", ARMS, POLICY, floor=0.3).name


def test_a_decision_and_its_reward(client: Client, name: str) -> None:
    decision = client.decide(name, eligible=["red", "blue"])
    assert decision.arm in ("red", "blue")
    receipt = client.reward(name, decision.id, reward=True)
    assert (receipt.status, receipt.reward) == ("counted", 1.0)
    shown = client.experiment(name)
    assert (shown.decisions, shown.rewards, shown.label) == (1, 1, "SW-UCB")
    why = client.explain(name, decision.id)
    assert (why.decision, why.reward, why.redrawn) == (decision, 1.0, decision.arm)


def test_batches_and_deferred_decisions(client: Client, name: str) -> None:
    decisions = client.decide_many(name, 5, defer=True).decisions
    for decision in decisions[:3]:
        assert client.activate(name, decision.id).id == decision.id
    rewards = [(decision.id, 0.5) for decision in decisions]
    statuses = [receipt.status for receipt in client.reward_many(name, rewards).rewards]
    assert statuses == ["counted"] * 3 + ["inactive"] * 2


def test_what_changes_now_and_then(client: Client, name: str) -> None:
    assert client.add_arm(name, "pink").arms == [*ARMS, "pink"]
    assert client.retire_arm(name, "red").retired == ["red"]
    assert client.pause(name).status == "paused"
    assert client.resume(name).status == "running"
    assert client.change(name, {"name": "ucb-1"}, floor=0.1).label == "UCB-1"
    assert client.change(name, default_reward=None).floor == 0.1
    kinds = [past.event["kind"] for past in client.history(name).events]
    assert kinds == ["Created", "ArmAdded", "ArmRetired", "Turned", "Turned", "Changed", "Changed"]
    assert client.archive(name).status == "archived"
    assert name in [each.name for each in client.experiments().experiments]
    assert client.ready().status == "ok"


def test_keys(client: Client, server: Server, name: str) -> None:
    made = client.add_key("web", ["decide"])
    assert made.id in [key.id for key in client.keys().keys]
    with Client(address(server), made.key) as web:
        web.decide(name)
        with pytest.raises(KeyRefusedError, match="must have the scope 'read'") as error:
            web.experiment(name)
        assert error.value.status == 403
        assert made.id not in [key.id for key in client.revoke_key(made.id).keys]
        with pytest.raises(KeyRefusedError, match="Authorization must be"):
            web.decide(name)


@pytest.mark.parametrize(
    ("ask", "kind", "field"),
    [
        (lambda client, name: client.decide("nobody"), NotFoundError, "experiment"),
        (lambda client, name: client.decide("a/../b"), NotFoundError, "experiment"),
        (lambda client, name: client.reward(name, "nobody", 1.0), NotFoundError, "id"),
        (lambda client, name: client.create(name, ARMS), ConflictError, "name"),
        (
            lambda client, name: client.create("x", ARMS, colour="red"),
            InvalidRequestError,
            "colour",
        ),
        (lambda client, name: client.decide(name, ["pink"]), InvalidRequestError, "eligible"),
    ],
)
def test_what_is_refused_is_raised(
    client: Client, name: str, ask: Any, kind: type[ServiceError], field: str
) -> None:
    with pytest.raises(kind) as error:
        ask(client, name)
    assert error.value.field == field
    assert field in str(error.value)


def test_what_is_wrong_before_anything_is_sent(client: Client, name: str) -> None:
    with pytest.raises(db.InputError, match="reward must be a finite number, got nan"):
        client.reward(name, "x", float("nan"))
    with pytest.raises(db.InputError, match="a request must be plain data"):
        client.decide(name, eligible=[object()])  # type: ignore[list-item]  # that is the point
    with pytest.raises(db.InputError, match="address must be that of a service"):
        Client("127.0.0.1:8000")
    with pytest.raises(db.InputError, match="address must be that of a service"):
        Client("http://127.0.0.1:8000?experiment=x")
    with pytest.raises(db.InputError, match="key must be one that the service made"):
        Client("http://127.0.0.1:8000", 5)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(db.InputError, match=r"timeout must lie in \(0, inf\), got 0"):
        Client("http://127.0.0.1:8000", timeout=0)
    for patience in (-1, float("nan"), "5", None):
        with pytest.raises(db.InputError, match=r"patience must lie in \[0, inf\), got"):
            Client("http://127.0.0.1:8000", patience=patience)  # type: ignore[arg-type]  # as well
    for odd in (None, ""):
        with pytest.raises(
            db.InputError, match="a name in a request must be a text that is not empty"
        ):
            client.decide(odd)  # type: ignore[arg-type]  # as well
    with pytest.raises(db.InputError, match="the suffix of path must be one of"):
        client.export(name, "log.xml")


def test_the_key_comes_from_the_environment_and_is_not_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRIFTBANDIT_KEY", server.key)
    with Client(address(server)) as client:
        assert client.keys().keys
        assert server.key not in repr(client) + repr(vars(client))
    with pytest.raises(db.InputError) as error:
        Client(address(server), f"{server.key}\n")
    assert server.key not in str(error.value)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda it: it.create("x", "ab"), "arms must be a list of names, got 'ab'"),
        (lambda it: it.create("x", 3), "arms must be a list of names, got 3"),
        (
            lambda it: it.create("x", ["a"], 0),
            "policy must be a policy, a name of one, or a mapping",
        ),
        (lambda it: it.change("x", ["ucb-1"]), "policy must be a policy, a name of one, or a mapp"),
        (
            lambda it: it.decide_many("x", 1.5),
            "count must be a whole number of at least 1, got 1.5",
        ),
        (lambda it: it.decide_many("x", 1_001), "count must be at most 1000, got 1001"),
        (lambda it: it.reward_many("x", 5), "rewards must be a mapping from ids to rewards, or"),
        (
            lambda it: it.reward_many("x", ["id"]),
            "rewards must be a mapping from ids to rewards, or",
        ),
        (lambda it: it.reward_many("x", [("id", "1")]), "reward must be a finite number, got '1'"),
        (lambda it: it.add_key("web", "read"), "scopes must be a list of names, got 'read'"),
        (lambda it: it.export("x", 1.5), "path must name a file, got 1.5"),
    ],
)
def test_what_is_not_of_the_right_kind_is_named(call: Any, line: str) -> None:
    with Client("http://127.0.0.1:9", "db_", patience=0.0) as client:
        with pytest.raises(db.InputError) as refused:
            call(client)
        assert str(refused.value).startswith(line)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("name", ["ALL_PROXY", "HTTP_PROXY"])
def test_a_proxy_that_httpx_lacks_is_said_in_one_line(
    kind: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "gopher://somebody:secret@127.0.0.1:9")
    with pytest.raises(db.InputError, match="the proxies of the environment") as refused:
        kind("http://127.0.0.1:9", "db_")
    assert name.lower() in str(refused.value)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_an_export_is_a_log(client: Client, name: str, form: str, tmp_path: Path) -> None:
    decisions = client.decide_many(name, 50).decisions
    client.reward_many(name, {decision.id: decision.arm == "red" for decision in decisions})
    file = tmp_path / f"log.{form}"
    client.export(name, file)
    check = db.Log.read(file).check()
    assert (check.rows, check.reasons) == (50, {})
    with pytest.raises(NotFoundError):
        client.export("nobody", file)
    assert db.Log.read(file).check() == check
    assert list(tmp_path.iterdir()) == [file]


def test_the_other_kind_does_the_same(server: Server, name: str, tmp_path: Path) -> None:
    async def play() -> list[str]:
        async with AsyncClient(address(server), server.key) as client:
            decisions = await asyncio.gather(*(client.decide(name) for _ in range(20)))
            receipts = await asyncio.gather(
                *(client.reward(name, decision.id, 0.5) for decision in decisions)
            )
            await client.export(name, tmp_path / "log.csv")
            with pytest.raises(NotFoundError):
                await client.decide("nobody")
            return [receipt.status for receipt in receipts]

    assert asyncio.run(play()) == ["counted"] * 20
    assert db.Log.read(tmp_path / "log.csv").check().rows == 20


def methods(kind: type) -> dict[str, inspect.Signature]:
    return {name: inspect.signature(getattr(kind, name)) for name in asks.__all__}


def test_both_kinds_have_the_same_methods_and_reach_every_route() -> None:
    assert methods(Client) == methods(AsyncClient)
    values = {"name": "{experiment}", "arm": "{arm}", "id": "{decision}", "count": 1}
    reached = set()
    for ask, signature in methods(Client).items():
        needed = [each for each in signature.parameters.values() if each.default is each.empty]
        known = {**values, "arms": [], "scopes": [], "rewards": {}, "reward": 1.0}
        if ask in ("revoke_key", "rotate_key"):
            known["id"] = "{key}"
        plain = {
            each.name: known[each.name] for each in needed if each.kind is not each.VAR_KEYWORD
        }
        request = getattr(asks, ask)(**plain)
        reached.add((request.method, request.path.replace("%7B", "{").replace("%7D", "}")))
    routes = {(route.method, route.path) for route in ROUTES if not route.path.startswith(RANK)}
    page = ("GET", "/v1/experiments/{experiment}/board/{span}")  # what the dashboard draws
    assert routes - reached == {("GET", "/health"), page}
    assert reached <= routes


class Loser(socketserver.ThreadingTCPServer):
    """A way to the server on which answers get lost: each of `faults` is for one request."""

    daemon_threads = True

    def __init__(self, target: str, faults: list[str]) -> None:
        super().__init__(("127.0.0.1", 0), Passing)
        self.target, self.faults, self.seen = target, faults, list[bytes]()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Passing(socketserver.StreamRequestHandler):
    """Pass one request on, and its answer back, unless it gets lost."""

    server: Loser

    def handle(self) -> None:
        method, path, _ = self.rfile.readline().decode().split()
        headers = {}
        while line := self.rfile.readline().strip():
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value
        body = self.rfile.read(int(headers.get("content-length", 0)))
        fault = self.server.faults.pop(0) if self.server.faults else ""
        if fault == "busy":
            self._answer(503, b'{"error": {"status": 503, "field": "store", "message": "full"}}')
            return
        passed = {
            name: value
            for name, value in headers.items()
            if name in ("authorization", "idempotency-key")
        }
        answer = httpx.request(method, self.server.target + path, content=body, headers=passed)
        self.server.seen.append(answer.content)
        if fault != "lost":
            self._answer(answer.status_code, answer.content)

    def _answer(self, status: int, payload: bytes) -> None:
        head = f"HTTP/1.1 {status} x\r\nContent-Length: {len(payload)}\r\nRetry-After: 0\r\n"
        self.wfile.write(f"{head}Connection: close\r\n\r\n".encode() + payload)


@pytest.fixture
def loser(server: Server) -> Iterator[Loser]:
    loser = Loser(address(server), [])
    thread = threading.Thread(target=loser.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield loser
    loser.shutdown()
    thread.join()
    loser.server_close()


def test_what_gets_no_answer_is_sent_again_and_happens_once(
    server: Server, client: Client, name: str, loser: Loser
) -> None:
    with Client(loser.address, server.key) as unlucky:
        loser.faults = ["lost", "busy", "lost"]
        decision = unlucky.decide(name)
        loser.faults = ["lost"]
        receipt = unlucky.reward(name, decision.id, 1.0)
    assert len(loser.seen) == 5
    assert len(set(loser.seen)) == 2
    assert receipt.status == "counted"
    shown = client.experiment(name)
    assert (shown.decisions, shown.rewards) == (1, 1)


def test_the_other_kind_sends_again_too(
    server: Server, client: Client, name: str, loser: Loser
) -> None:
    async def play() -> Any:
        async with AsyncClient(loser.address, server.key) as unlucky:
            return await unlucky.decide(name)

    loser.faults = ["lost", "busy"]
    assert asyncio.run(play()).arm in ARMS
    assert client.experiment(name).decisions == 1


def test_what_would_happen_twice_is_not_sent_again(server: Server, loser: Loser) -> None:
    with Client(loser.address, server.key) as unlucky:
        loser.faults = ["lost"]
        with pytest.raises(UnavailableError, match="the service does not answer"):
            unlucky.add_key("once", ["read"])
    assert len(loser.seen) == 1


def test_patience_ends(server: Server, name: str, loser: Loser) -> None:
    with Client(loser.address, server.key, patience=0.5) as unlucky:
        loser.faults = ["busy"] * 100
        with pytest.raises(UnavailableError, match="full") as error:
            unlucky.decide(name)
    assert error.value.status == 503
    assert 90 < len(loser.faults) < 100


def test_an_answer_of_another_program_is_an_error(server: Server) -> None:
    with (
        Client(f"{address(server)}/elsewhere", server.key) as client,
        pytest.raises(NotFoundError, match="path must be one of those"),
    ):
        client.keys()
    text = httpx.Response(502, text="<html>")
    with pytest.raises(UnavailableError, match="an answer with status 502 that is not"):
        Trial(asks.keys(), 1.0).result(text)
    with pytest.raises(ServiceError, match="an answer that is not the service's"):
        Trial(asks.keys(), 1.0).result(httpx.Response(200, text="<html>"))


def test_pauses_double_and_heed_what_the_service_says() -> None:
    trial = Trial(asks.keys(), patience=10.0, clock=lambda: 0.0, luck=lambda: 1.0)
    lost = httpx.ReadTimeout("lost")
    assert [trial.pause(lost) for _ in range(8)] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]
    assert trial.pause(TooManyRequestsError("slow", retry_after=7.0)) == 7.0
    with pytest.raises(TooManyRequestsError):
        trial.pause(TooManyRequestsError("slow", retry_after=11.0))
    with pytest.raises(InvalidRequestError):
        trial.pause(InvalidRequestError("no"))
    once = Trial(asks.add_key("a", ["read"]), 10.0, clock=lambda: 0.0)
    assert once.pause(httpx.ConnectError("refused")) > 0.0
    with pytest.raises(UnavailableError):
        once.pause(lost)


HIDDEN = """
import sys
sys.modules["httpx"] = None
try:
    import driftbandit.client
except ImportError as error:
    print(error)
"""


def test_without_the_extra_one_line_says_how_to_install_it() -> None:
    command = [sys.executable, "-c", HIDDEN]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert process.stdout.endswith("-m pip install 'httpx>=0.27' 'msgspec>=0.19'\n")
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    assert json.dumps(db.client.EXTRA.split()) in project
