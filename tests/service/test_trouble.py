"""Trouble: signals, a full disk, a slow store, a clock set back, a damaged snapshot."""

from __future__ import annotations

import asyncio
import http.client
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from driftbandit.service import events
from driftbandit.service.call import Call
from driftbandit.service.deciding import decide
from driftbandit.service.experiment import checked
from driftbandit.service.opening import begin
from driftbandit.service.problems import Refusal
from driftbandit.service.shapes import Decide
from driftbandit.service.store.batch import Claim, Entry, Outcome
from driftbandit.service.store.protocol import Snapshot, Store
from driftbandit.service.store.sqlite import SqliteStore
from driftbandit.service.worker import Worker
from service.serving import Server, check, rows_of, serving


def asking(server: Server, answers: list[Any], lost: list[Any]) -> None:
    """Decide until the server closes the connection; note a request without an answer."""
    client, sent = server.client(), False
    client.ask("GET", "/health")
    try:
        while True:
            sent = False
            client.connection.putrequest("POST", "/v1/experiments/x/decide")
            client.connection.putheader("Authorization", f"Bearer {server.key}")
            client.connection.putheader("Content-Length", "2")
            client.connection.endheaders(b"{}")
            sent = True
            answer = client.connection.getresponse()
            answers.append((answer.status, answer.read(), answer.getheader("connection")))
            if answer.getheader("connection") == "close":
                return
    except http.client.RemoteDisconnected:
        pass  # it was idle when the server closed it: nothing was begun
    except (OSError, http.client.HTTPException) as error:
        if sent and not isinstance(error, ConnectionError):
            lost.append(error)


def test_sigterm_under_load_answers_what_is_in_flight(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.client().create("x")
        answers: list[Any] = []
        lost: list[Any] = []
        threads = [threading.Thread(target=asking, args=(server, answers, lost)) for _ in range(8)]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + 60.0
        while len(answers) < 50 and time.monotonic() < deadline:
            time.sleep(0.005)
        assert server.stop() == 0
        for thread in threads:
            thread.join(10)
    assert not lost
    assert {status for status, _, _ in answers} == {200}
    decided = [row for row in rows_of(server) if isinstance(row.event, events.Decided)]
    assert len(decided) == len(answers) >= 50  # nothing was begun that nobody was told of
    assert check(server).wrong == []


def test_a_full_disk_is_said_and_gets_over_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        client = server.client()
        client.create("x")
        wal = server.store.with_name("log.db-wal").stat().st_size
        server.limit_file_size(max(wal, server.store.stat().st_size) + 30_000)
        answers = [client.raw("POST", "/v1/experiments/x/decide", b"{}") for _ in range(60)]
        refused = [answer for answer in answers if answer[0] != 200]
        assert {answer[0] for answer in refused} == {503}
        assert all(answer[1]["retry-after"] == "1" for answer in refused)
        assert client.ask("GET", "/ready")[0] == 503
        server.limit_file_size(-1)
        again = client.post("/x/decide")
        assert client.ask("GET", "/ready")[0] == 200
    decided = [row.event for row in rows_of(server) if isinstance(row.event, events.Decided)]
    acknowledged = sum(answer[0] == 200 for answer in answers)
    assert 0 < acknowledged < 60
    assert len(decided) == acknowledged + 1
    assert decided[-1].id == again["id"]
    assert "store fails" in server.log()
    assert "store works again" in server.log()
    assert check(server).wrong == []


class SlowStore(SqliteStore):
    """A store that takes its time when a test wants it to."""

    delay = 0.0

    def append(self, entries: Any) -> tuple[list[Outcome], int]:
        time.sleep(self.delay)
        return super().append(entries)


DECIDE = Call({"experiment": "x"}, {}, Decide(), b"", "")


async def started(store: Store, **options: Any) -> Worker:
    begin(store)
    worker = Worker(store, **options)
    await worker.start()
    config = checked(events.Config({"name": "ucb-1"}), ["a", "b"])
    created = events.Created(config, ("a", "b"), "07" * 32)
    await worker.submit([Entry("x", created, None, (Claim("e:x"),))])
    return worker


def test_a_slow_store_is_not_waited_for(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SlowStore(tmp_path / "log.db")
        worker = await started(store, patience=0.2)
        store.delay = 1.0
        with pytest.raises(Refusal, match=r"not known to be stored after 0\.2 s") as refusal:
            await decide(worker, DECIDE)
        assert (refusal.value.status, refusal.value.headers) == (503, [(b"retry-after", b"1")])
        store.delay = 0.0
        await asyncio.sleep(1.0)
        assert (await decide(worker, DECIDE)).position == worker.fold.position
        await worker.stop()

    asyncio.run(scene())


def test_a_clock_set_back_is_reported_and_times_do_not_decrease(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now = [10_000.0]

    async def scene() -> list[float]:
        store = SqliteStore(tmp_path / "log.db", clock=lambda: now[0])
        worker = await started(store, clock=lambda: now[0])
        times = [(await decide(worker, DECIDE)).at]
        now[0] -= 3_600.0
        times.append((await decide(worker, DECIDE)).at)
        assert "the clock is 3600 s behind the log" in caplog.text
        assert b"driftbandit_clock_behind_seconds 3600.0" in worker.metrics.text()
        now[0] += 3_601.0
        times.append((await decide(worker, DECIDE)).at)
        assert b"driftbandit_clock_behind_seconds 0.0" in worker.metrics.text()
        await worker.stop()
        return times

    assert asyncio.run(scene()) == [10_000.0, 10_000.0, 10_001.0]


def test_a_decision_drawn_before_a_pause_is_not_made_after_it(tmp_path: Path) -> None:
    """The kill switch holds from its position on, whatever was under way."""

    async def scene() -> None:
        worker = await started(SlowStore(tmp_path / "log.db"))
        worker.store.delay = 0.2  # type: ignore[attr-defined]  # it is a SlowStore
        pause = Entry("x", events.Turned("paused"), worker.fold.position)
        first = asyncio.ensure_future(worker.submit([pause]))
        await asyncio.sleep(0)
        with pytest.raises(Refusal, match="status must be running, is paused"):
            await decide(worker, DECIDE)
        await first
        assert worker.metrics.text().count(b"driftbandit_redrawn_total 1.0") == 1
        await worker.stop()

    asyncio.run(scene())


def test_a_worker_whose_state_is_not_that_of_another_one_serves_no_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Shared(SqliteStore):
        """A store in which another process has saved another state."""

        def save(self, snapshot: Snapshot) -> str:
            super().save(snapshot)
            return "another"

    async def scene() -> None:
        worker = await started(Shared(tmp_path / "log.db"), snapshot_every=5)
        for _ in range(3):
            await decide(worker, DECIDE)
        while not worker.broken:
            await asyncio.sleep(0.01)
        with pytest.raises(Refusal, match="the state at 5 is not the one that another process"):
            await decide(worker, DECIDE)
        await worker.stop()

    asyncio.run(scene())
    assert "stopped serving: the state at 5" in caplog.text


def test_a_key_travels_unencrypted_beyond_this_machine(tmp_path: Path) -> None:
    with serving(tmp_path, "--host", "0.0.0.0") as server:
        assert server.client().create("x")["name"] == "x"
        assert "keys travel unencrypted beyond this machine" in server.log()


def test_a_damaged_snapshot_is_left_aside(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.client().create("x")
        for _ in range(20):
            server.client().post("/x/decide")
    connection = sqlite3.connect(server.store)
    connection.execute("UPDATE snapshots SET payload = x'7b7d'")
    connection.commit()
    connection.close()
    with serving(tmp_path) as server:
        assert "is damaged and left aside" in server.log()


def test_rebuild_finds_a_wrong_snapshot(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.client().create("x")
        server.client().post("/x/decide")
    command = [sys.executable, "-m", "driftbandit", "serve", "rebuild", "--check"]
    command += ["--store", str(server.store)]
    right = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (right.returncode, right.stdout.splitlines()[1]) == (
        0, "1 snapshots compared, wrong: none",
    )  # fmt: skip
    connection = sqlite3.connect(server.store)
    connection.execute("UPDATE snapshots SET digest = 'other'")
    connection.commit()
    connection.close()
    wrong = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert wrong.returncode == 1
    assert "wrong: [4]" in wrong.stdout


@pytest.mark.parametrize("action", ["run", "rebuild", "upgrade"])
@pytest.mark.parametrize("damage", ["page", "event"])
def test_a_damaged_log_is_one_line(tmp_path: Path, action: str, damage: str) -> None:
    store = SqliteStore(tmp_path / "log.db")
    begin(store)
    if damage == "event":  # the first one, which says of which version the log is
        store._connection.execute("UPDATE events SET payload = x'7b22'")
        store._connection.commit()
    store.close()
    if damage == "page":
        content = bytearray(store.path.read_bytes())
        content[4_096:4_300] = b"\xff" * 204
        store.path.write_bytes(content)
    command = [sys.executable, "-m", "driftbandit", "serve", action, "--port", "0"]
    command += ["--store", str(store.path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "store must be a log that can be read and written" in done.stderr
