"""Logs that older versions have written go on in this one.

`data/log-1.json` and `log-3.json` are the tables of stores that services of these versions have
made: three experiments, with arms that came and went, a change and a pause. Their snapshots
are without their payloads, which nobody reads.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from driftbandit import InputError
from driftbandit.service import events
from driftbandit.service.call import Call
from driftbandit.service.deciding import decide
from driftbandit.service.events import VERSION, Began, decode
from driftbandit.service.history import explain, rows_of, table
from driftbandit.service.opening import begin
from driftbandit.service.problems import Refusal
from driftbandit.service.rebuild import rebuild
from driftbandit.service.rewarding import reward
from driftbandit.service.shapes import Reward
from driftbandit.service.store.batch import Entry, Outdated
from driftbandit.service.store.postgres import PostgresStore
from driftbandit.service.store.protocol import Store
from driftbandit.service.store.sqlite import SqliteStore
from driftbandit.service.upgrading import upgrade, version_of
from driftbandit.service.worker import Worker
from service.conftest import Database
from service.record import DATA, digest_of_log, load, names
from service.test_trouble import DECIDE

OLD = [1, 3]
NAMES = ["auto", "sw-ucb", "exp3-s"]


def tables_of(version: int) -> dict[str, list[list[Any]]]:
    """Return the rows of an old store by table; events and snapshots end with bytes."""
    tables: dict[str, list[list[Any]]] = json.loads((DATA / f"log-{version}.json").read_text())
    for name in ("events", "snapshots"):
        tables[name] = [[*row[:-1], row[-1].encode()] for row in tables[name]]
    return tables


def decisions_of(version: int) -> list[events.Decided]:
    every = [decode(row[3]) for row in tables_of(version)["events"]]
    return [event for event in every if isinstance(event, events.Decided)]


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Return a new store with its tables."""
    if request.param == "postgres":
        database: Database = request.getfixturevalue("database")
        database.empty()
        opened: Store = PostgresStore(database.address)
    else:
        opened = SqliteStore(tmp_path / "log.db")
    yield opened
    opened.close()


def fill(store: Store, version: int) -> None:
    """Put the rows of an old store into the tables, without any code of ours."""
    connection: Any
    if isinstance(store, PostgresStore):
        connection, place, schema = psycopg.connect(store.address), "%s", "driftbandit."
    else:
        assert isinstance(store, SqliteStore)
        connection, place, schema = sqlite3.connect(store.path), "?", ""
    for name, rows in tables_of(version).items():
        places = ", ".join([place] * len(rows[0]))
        for row in rows:
            connection.execute(f"INSERT INTO {schema}{name} VALUES ({places})", row)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("version", OLD)
def test_an_old_log_is_refused_until_it_is_upgraded(store: Store, version: int) -> None:
    fill(store, version)
    message = f"must have a log of version {VERSION}, got {version}: back it up, and run"
    with pytest.raises(InputError, match=message):
        begin(store)
    before = store.read(0)
    done = upgrade(store)
    assert (done.before, done.version, done.events) == (version, VERSION, len(before))
    assert done.position == len(before) + 1
    assert begin(store) is None
    rows = store.read(0)
    assert rows[:-1] == before  # nothing that was logged is another
    assert version_of(store) == VERSION
    again = upgrade(store)
    assert (again.before, again.events) == (VERSION, 0)
    assert store.read(0) == rows
    assert rebuild(store).wrong == []


@pytest.mark.parametrize("version", OLD)
def test_an_upgraded_log_is_served_with_what_it_knows(store: Store, version: int) -> None:
    fill(store, version)
    upgrade(store)
    decided = decisions_of(version)

    async def scene() -> None:
        worker = Worker(store)
        await worker.start()
        assert sorted(worker.fold.experiments) == sorted(NAMES)
        assert len(worker.fold.keys) == 2
        experiment = worker.fold.experiments["sw-ucb"]
        rewards = [row for row in tables_of(version)["events"] if b'"Rewarded"' in row[3]]
        counted = sum(each.rewards for each in worker.fold.experiments.values())
        assert (counted, experiment.decisions) == (len(rewards), 12)
        assert worker.fold.experiments["exp3-s"].status == "paused"
        pending = next(iter(experiment.ledger.pending))
        call = DECIDE._replace(names={"experiment": "sw-ucb"})
        receipt = await reward(worker, call._replace(body=Reward(pending, 0.5)))
        assert receipt.status == "counted"
        decision = await decide(worker, call)
        about = Call({"experiment": "sw-ucb", "decision": decision.id}, {}, None, b"", "")
        assert (await explain(worker, about)).redrawn == decision.arm
        old = Call({"experiment": "auto", "decision": decided[0].id}, {}, None, b"", "")
        with pytest.raises(Refusal, match=r"decision must be one since \d+, where another version"):
            await explain(worker, old)
        await worker.stop()

    reader = store.reader()
    asyncio.run(scene())
    exported = [line["id"] for name in NAMES for line in table(rows_of(reader, name, 2**62))]
    reader.close()
    assert {event.id for event in decided} < set(exported)


def test_what_comes_during_an_upgrade_is_not_left_out(store: Store) -> None:
    fill(store, 3)
    late = Entry("", Began(VERSION, {}), 5)
    last = len(store.read(0))
    assert store.append([late])[0] == [Outdated(last)]


def test_a_log_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "log.db")
    store.append([Entry("", Began(99))])
    for act in (begin, upgrade):
        with pytest.raises(InputError, match="got 99: a newer driftbandit has written it"):
            act(store)
    store.close()


def test_tables_of_another_layout_are_said(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "log.db").close()
    connection = sqlite3.connect(tmp_path / "log.db")
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(InputError, match=r"have tables of layout 1, got .*: its layout is 7"):
        SqliteStore(tmp_path / "log.db")


def test_the_command(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "log.db")
    fill(store, 3)
    store.close()

    def serve(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "driftbandit", "serve", *words]
        command += ["--store", str(tmp_path / "log.db"), "--port", "0"]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    for words in ([], ["rebuild", "--check"]):
        refused = serve(*words)
        assert (refused.returncode, refused.stdout, len(refused.stderr.splitlines())) == (2, "", 1)
        assert "run `driftbandit serve upgrade`" in refused.stderr
    done = serve("upgrade")
    assert done.returncode == 0
    assert done.stdout.startswith("the log of version 3 goes on at ")
    assert serve("upgrade").stdout == f"nothing to do: the log is of version {VERSION}\n"
    assert serve("rebuild", "--check").returncode == 0


def test_the_same_events_make_the_same_state_as_ever() -> None:
    """Else `VERSION` must be raised: logs that are out there would be folded to another state.

    If no release has had this version, record anew: `python -m service.record` in tests/.
    """
    recorded = load()
    digests = recorded["digests"]
    changed = [name for name in names() if digest_of_log(name) != digests.get(name)]
    assert (recorded["version"], changed) == (VERSION, [])
    assert sorted(digests) == names()
