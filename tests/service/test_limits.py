"""What a key may do: how often, since when, and what a browser may not do at all."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from driftbandit.service.keys import Holder
from driftbandit.service.limits import Limits
from driftbandit.service.problems import Refusal
from service.serving import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("limits")) as running:
        running.client().create("x")
        yield running


def admitted(limits: Limits, holder: Holder) -> bool:
    try:
        limits.admit(holder)
    except Refusal:
        return False
    return True


def test_a_bucket_fills_with_time_and_holds_a_second() -> None:
    now = 0.0
    limits, web = Limits(lambda: now), Holder("a", 10.0)
    assert [admitted(limits, web) for _ in range(12)] == [True] * 10 + [False] * 2
    assert admitted(limits, Holder("b", 10.0))
    now = 0.25
    assert [admitted(limits, web) for _ in range(4)] == [True, True, True, False]
    now = 1_000.0
    assert sum(admitted(limits, web) for _ in range(20)) == 10
    slow = Holder("c", 0.5)
    assert [admitted(limits, slow) for _ in range(2)] == [True, False]
    now = 1_002.0
    assert admitted(limits, slow)


def test_a_batch_takes_as_much_as_it_has_items() -> None:
    now = 0.0
    limits, web = Limits(lambda: now), Holder("a", 10.0)
    limits.admit(web)
    limits.take(web, 999)
    with pytest.raises(Refusal) as error:
        limits.admit(web)
    assert (error.value.status, error.value.headers) == (429, [(b"retry-after", b"100")])
    now = 100.0
    assert admitted(limits, web)


def test_a_key_that_asks_too_often_is_told_to_wait(server: Server) -> None:
    asked = {"name": "w", "scopes": ["decide"], "rate": 2}
    made = server.client().ask("POST", "/v1/keys", asked)[1]
    client = server.client(made["key"])
    body = b'{"decisions": [{}, {}, {}, {}]}'
    assert client.raw("POST", "/v1/experiments/x/decide/batch", body)[0] == 200
    status, headers, _ = client.raw("POST", "/v1/experiments/x/decide", b"{}")
    assert status == 429
    assert int(headers["retry-after"]) in (1, 2)
    assert client.raw("POST", "/v1/experiments/x/decide", b"nonsense")[0] == 429
    deadline = time.monotonic() + 10.0
    while client.raw("POST", "/v1/experiments/x/decide", b"{}")[0] == 429:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert server.client().ask("GET", "/v1/keys")[1]["keys"][-1]["rate"] == 2.0


@pytest.mark.parametrize("rate", [0, 1e-300, 9e-5, 1e10])
def test_a_rate_makes_nobody_wait_for_ever(server: Server, rate: float) -> None:
    key = {"name": "w", "scopes": ["decide"], "rate": rate}
    status, answer = server.client().ask("POST", "/v1/keys", key)
    assert (status, answer["error"]["field"]) == (422, "rate")


def test_a_rotated_key_opens_nothing_and_its_successor_does_the_same(server: Server) -> None:
    admin = server.client()
    made = admin.ask("POST", "/v1/keys", {"name": "r", "scopes": ["decide"], "rate": 100})[1]
    old = server.client(made["key"])
    assert old.ask("POST", "/v1/experiments/x/decide", {})[0] == 200
    status, new = admin.ask("POST", f"/v1/keys/{made['id']}/rotate")
    assert (status, new["name"], new["scopes"], new["rate"]) == (201, "r", ["decide"], 100.0)
    assert old.ask("POST", "/v1/experiments/x/decide", {})[0] == 401
    assert server.client(new["key"]).ask("POST", "/v1/experiments/x/decide", {})[0] == 200
    assert admin.ask("POST", f"/v1/keys/{made['id']}/rotate")[0] == 404
    assert admin.ask("DELETE", f"/v1/keys/{new['id']}")[0] == 200


def test_a_browser_of_another_site_is_told_nothing(server: Server) -> None:
    client = server.client()
    origin = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    status, headers, _ = client.raw("OPTIONS", "/v1/experiments/x/decide", None, **origin)
    assert status == 405
    more = client.raw("POST", "/v1/experiments/x/decide", b"{}", **origin)[1]
    assert not [name for name in {**headers, **more} if name.startswith("access-control")]


def test_a_service_that_others_can_reach_warns_that_keys_are_not_encrypted(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0") as server:
        assert "keys travel unencrypted beyond this machine: put TLS before 0.0.0.0" in server.log()
