"""Several workers on one log: every one answers anything, and repeats have one effect."""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from driftbandit.service import events
from driftbandit.service.deciding import decide
from driftbandit.service.fold import Fold
from driftbandit.service.store.postgres import PostgresStore
from driftbandit.service.worker import Worker
from service.conftest import Database
from service.serving import Client, Server, check, rows_of
from service.test_trouble import DECIDE, started

SENDERS = 8


@pytest.fixture
def server(tmp_path: Path, database: Database) -> Iterator[Server]:
    database.empty()
    options = ("--workers", "2", "--snapshot-every", "200")
    server = Server(tmp_path, *options, store=database.address)
    server.start()
    server.client().create("x")
    yield server
    if server.process.poll() is None:
        server.stop()
    server.hang_up()


def by_turns(server: Server, path: str, asks: list[tuple[Any, str]]) -> list[Any]:
    """Send requests over several connections, which the workers share; return the answers."""

    def send(sender: int) -> list[Any]:
        client = server.client()
        return [client.post(path, body, once) for body, once in asks[sender::SENDERS]]

    with concurrent.futures.ThreadPoolExecutor(SENDERS) as threads:
        return [answer for some in threads.map(send, range(SENDERS)) for answer in some]


def test_repeats_have_one_effect_whichever_worker_gets_them(server: Server) -> None:
    luck = random.Random(3)
    repeats: list[tuple[Any, str]] = [
        ({}, str(each)) for each in range(60) for _ in range(luck.randint(1, 5))
    ]
    luck.shuffle(repeats)
    answers = by_turns(server, "/x/decide", repeats)
    ids = sorted({answer["id"] for answer in answers})
    assert len(ids) == 60
    counts = Counter(str(sorted(answer.items())) for answer in answers)
    assert len(counts) == 60
    rewards = [({"id": id, "reward": round(luck.random(), 3)}, "") for id in ids]
    sent = [each for each in rewards for _ in range(luck.randint(1, 5))]
    luck.shuffle(sent)
    receipts = by_turns(server, "/x/reward", sent)
    assert {receipt["status"] for receipt in receipts} == {"counted"}
    assert len({str(sorted(receipt.items())) for receipt in receipts}) == 60
    assert server.stop() == 0
    rewarded = [row.event for row in rows_of(server) if isinstance(row.event, events.Rewarded)]
    assert sorted((event.id, event.reward) for event in rewarded) == sorted(
        (body["id"], body["reward"]) for body, _ in rewards
    )
    found = check(server)
    assert found.snapshots >= 1
    assert found.wrong == []
    assert "stopped serving" not in server.log()


@pytest.mark.slow
def test_rewards_sent_again_and_again_over_four_workers_make_the_state_of_each_once(
    tmp_path: Path, database: Database
) -> None:
    """Two thousand rewards, each one to five times, shuffled."""
    database.empty()
    options = ("--workers", "4", "--snapshot-every", "500")
    server, luck = Server(tmp_path, *options, store=database.address), random.Random(5)
    server.start()
    try:
        server.client().create("x")
        made = by_turns(server, "/x/decide/batch", [({"decisions": [{}] * 100}, "")] * 20)
        ids = [each["id"] for answer in made for each in answer["decisions"]]
        rewards = {id: round(luck.random(), 3) for id in ids}
        sent = [
            ({"id": id, "reward": rewards[id]}, "") for id in ids for _ in range(luck.randint(1, 5))
        ]
        luck.shuffle(sent)
        receipts = by_turns(server, "/x/reward", sent)
        assert len({str(sorted(receipt.items())) for receipt in receipts}) == len(ids) == 2_000
    finally:
        code = server.stop()
        server.hang_up()
    assert code == 0
    rows = rows_of(server)
    rewarded = [row.event for row in rows if isinstance(row.event, events.Rewarded)]
    assert {event.id: event.reward for event in rewarded} == rewards
    assert len(rewarded) == len(ids)
    once = Fold()
    once.extend(rows)
    found = check(server)  # with snapshots, which all workers have compared with their own states
    assert (found.digest, found.wrong) == (once.digest(), [])
    assert found.snapshots >= 8
    assert "stopped serving" not in server.log()


def test_the_kill_switch_holds_in_every_worker(server: Server) -> None:
    """While eight senders decide, all that follows the switch in the log is served by its law."""
    clients = [server.client() for _ in range(SENDERS)]
    switch, answers = server.client(), []

    def send(client: Client) -> list[Any]:
        return [client.post("/x/decide") for _ in range(30)]

    with concurrent.futures.ThreadPoolExecutor(SENDERS) as threads:
        sent = [threads.submit(send, client) for client in clients]
        time.sleep(0.1)
        killed = switch.post("/x/kill", {"arm": "green"})
        answers = [answer for each in sent for answer in each.result()]
    answers += [client.post("/x/decide") for client in clients]
    assert killed["mode"] == "killed"
    switched = killed["version"]
    before = [each for each in answers if each["position"] < switched]
    after = [each for each in answers if each["position"] > switched]
    assert len(after) >= SENDERS
    assert {each["arm"] for each in before} != {"green"}
    assert {(each["arm"], each["probability"]) for each in after} == {("green", 1.0)}
    by = {
        (row.position > switched, row.event.by)
        for row in rows_of(server)
        if isinstance(row.event, events.Decided)
    }
    assert by == {(False, "policy"), (True, "kill switch")}


def test_while_the_database_is_down_nothing_is_acknowledged_and_then_it_goes_on(
    server: Server, database: Database
) -> None:
    client = server.client()
    before = client.post("/x/decide")
    database.stop()
    status, headers, body = client.raw("POST", "/v1/experiments/x/decide", b"{}")
    assert (status, headers["retry-after"]) == (503, "1")
    assert json.loads(body)["error"]["field"] == "store"
    assert client.ask("GET", "/ready")[0] == 503
    assert client.ask("GET", "/health")[0] == 200
    database.start()
    client, deadline = server.client(), time.monotonic() + 60.0
    while client.ask("GET", "/ready")[0] != 200:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    after = client.post("/x/decide")
    decided = [row.event.id for row in rows_of(server) if isinstance(row.event, events.Decided)]
    assert decided == [before["id"], after["id"]]


def test_clocks_a_minute_apart(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    """Two workers decide by turns; times never decrease, and the slow one says so."""

    async def scene() -> list[float]:
        database.empty()
        now = [10_060.0]
        ahead = await started(
            PostgresStore(database.address, clock=lambda: now[0]), clock=lambda: now[0]
        )
        behind = Worker(
            PostgresStore(database.address, clock=lambda: now[0] - 60.0),
            clock=lambda: now[0] - 60.0,
        )
        await behind.start()
        times = []
        for worker in [ahead, behind] * 5:
            times.append((await decide(worker, DECIDE)).at)
            now[0] += 1.0
        text = behind.metrics.text()
        seconds = float(text.split(b"\ndriftbandit_clock_behind_seconds ")[1].split()[0])
        assert 58.0 <= seconds <= 61.0
        assert b"\ndriftbandit_clock_behind_seconds 0.0" in ahead.metrics.text()
        await ahead.stop()
        await behind.stop()
        return times

    times = asyncio.run(scene())
    assert times == sorted(times) == [10_060.0 + each // 2 * 2 for each in range(10)]
    assert "s behind the log" in caplog.text


def test_a_pause_holds_in_every_worker(server: Server) -> None:
    clients = [server.client() for _ in range(SENDERS)]
    for client in clients:
        client.post("/x/decide")
    clients[0].post("/x/pause")
    paused = next(row.position for row in rows_of(server) if isinstance(row.event, events.Turned))
    for client in clients:
        assert client.refused("/x/decide") == (409, "status")
    last = [row.position for row in rows_of(server) if isinstance(row.event, events.Decided)][-1]
    assert last < paused
