"""Killed under load, again and again: nothing acknowledged is missing, and nothing is twice."""

from __future__ import annotations

import http.client
import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from driftbandit.service import events
from service.conftest import Database
from service.serving import Server, check, rows_of

SENDERS = 4


class Sender(threading.Thread):
    """Decide and reward without end; what gets no answer is sent again with the same key."""

    def __init__(self, server: Server, number: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.server, self.number, self.halt = server, number, stop
        self.luck = random.Random(number)
        self.decisions: list[dict[str, Any]] = []
        self.receipts: list[dict[str, Any]] = []
        self.refused: list[Any] = []
        self.delayed: list[Any] = []

    def run(self) -> None:
        while not self.halt.is_set():
            client = self.server.client()
            try:
                while not self.halt.is_set():
                    self.step(client)
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)  # killed: come again

    def step(self, client: Any) -> None:
        once = f"{self.number}-{len(self.decisions)}"
        status, answer = client.ask("POST", "/v1/experiments/x/decide", {}, once)
        if status != 200:
            (self.delayed if status == 503 else self.refused).append(answer)
            return
        self.decisions.append(answer)
        if self.luck.random() < 0.7:
            body = {"id": answer["id"], "reward": round(self.luck.random(), 3)}
            status, receipt = client.ask("POST", "/v1/experiments/x/reward", body)
            if status != 503:
                (self.receipts if status == 200 else self.refused).append(receipt)


def wait_for(senders: list[Sender], more: int) -> None:
    """Wait until so many more decisions have been answered."""
    goal = sum(len(sender.decisions) for sender in senders) + more
    deadline = time.monotonic() + 60.0
    while sum(len(sender.decisions) for sender in senders) < goal:
        assert time.monotonic() < deadline, "nothing is answered any more"
        time.sleep(0.005)


def ordeal(server: Server, kills: Iterator[Callable[[], None]]) -> list[Sender]:
    """Kill a server again and again while it is asked, then look at its log."""
    server.start()
    server.client().create("x")
    stop = threading.Event()
    senders = [Sender(server, number, stop) for number in range(SENDERS)]
    try:
        for sender in senders:
            sender.start()
        for number, kill in enumerate(kills):
            wait_for(senders, 15 + 7 * (number % 5))
            kill()
        wait_for(senders, 15)
    finally:
        stop.set()
        for sender in senders:
            sender.join(30)
        code = server.stop()
        server.hang_up()
    assert code == 0
    judge(server, senders)
    return senders


def judge(server: Server, senders: list[Sender]) -> None:
    rows = rows_of(server)
    assert [row.position for row in rows] == list(range(1, len(rows) + 1))
    assert all(before.at <= after.at for before, after in itertools.pairwise(rows))
    decided = {row.event.id: row for row in rows if isinstance(row.event, events.Decided)}
    rewarded = [row for row in rows if isinstance(row.event, events.Rewarded)]
    answers = [answer for sender in senders for answer in sender.decisions]
    receipts = [receipt for sender in senders for receipt in sender.receipts]
    assert receipts
    assert not [answer for sender in senders for answer in sender.refused]
    for answer in answers:
        row = decided[answer["id"]]
        event = row.event
        assert isinstance(event, events.Decided)
        assert (row.position, row.at) == (answer["position"], answer["at"])
        assert (event.arm, event.probability) == (answer["arm"], answer["probability"])
    assert max(Counter(answer["id"] for answer in answers).values()) == 1
    assert len(decided) - len(answers) <= SENDERS  # those in flight at the end
    by_id = Counter(row.event.id for row in rewarded)  # type: ignore[union-attr]  # rewards have one
    assert max(by_id.values()) == 1
    rewards = {row.event.id: row for row in rewarded}  # type: ignore[union-attr]  # as above
    for receipt in receipts:
        row = rewards[receipt["id"]]
        assert isinstance(row.event, events.Rewarded)
        assert (row.position, row.event.reward) == (receipt["position"], receipt["reward"])
    found = check(server)
    assert found.snapshots > 0
    assert found.wrong == []


def killed(folder: Path, times: int) -> None:
    server = Server(folder, "--snapshot-every", "300")

    def kill() -> None:
        server.kill()
        server.start()

    senders = ordeal(server, itertools.repeat(kill, times))
    assert not [answer for sender in senders for answer in sender.delayed]


def test_killed_three_times(tmp_path: Path) -> None:
    killed(tmp_path, times=3)


@pytest.mark.slow
def test_killed_a_hundred_times(tmp_path: Path) -> None:
    killed(tmp_path, times=100)


def workers_killed(folder: Path, database: Database, times: int, restarts: bool) -> None:
    """Kill one of two workers, and now and then the database."""
    database.empty()
    options = ("--workers", "2", "--snapshot-every", "300", "--patience", "2")
    server, luck = Server(folder, *options, store=database.address), random.Random(times)

    def kills() -> Iterator[Callable[[], None]]:
        for number in range(times):
            if restarts and number % 3 == 2:
                yield database.crash
            else:
                yield lambda: server.kill_worker(luck)

    ordeal(server, kills())


def test_workers_killed_three_times(tmp_path: Path, database: Database) -> None:
    workers_killed(tmp_path, database, times=3, restarts=False)


@pytest.mark.slow
def test_workers_and_database_killed_thirty_times(tmp_path: Path, database: Database) -> None:
    workers_killed(tmp_path, database, times=30, restarts=True)
