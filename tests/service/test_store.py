"""The rules of the log, in every store."""

from __future__ import annotations

import concurrent.futures
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from driftbandit import InputError
from driftbandit.service import events
from driftbandit.service.events import Row
from driftbandit.service.store.batch import Claim, Entry, Outdated, Taken
from driftbandit.service.store.postgres import PostgresStore
from driftbandit.service.store.protocol import KEPT, Snapshot, Store, StoreError
from driftbandit.service.store.sqlite import SqliteStore
from service.conftest import Database


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


Opened = tuple[Store, Clock, Callable[[], Store]]


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """Return a store, its clock, and what opens it again."""
    clock = Clock()
    stores: list[Store] = []
    address = ""
    if request.param == "postgres":
        database: Database = request.getfixturevalue("database")
        database.empty()
        address = database.address

    def opening() -> Store:
        for store in stores:
            store.close()
        here = tmp_path / "log.db"
        stores[:] = [
            PostgresStore(address, clock=clock) if address else SqliteStore(here, clock=clock)
        ]
        return stores[0]

    yield opening(), clock, opening
    stores[0].close()


def closed(id: str, *claims: Claim, drawn_at: int | None = None, unless: str = "") -> Entry:
    return Entry("x", events.Closed(id), drawn_at, claims, (unless,) if unless else ())


PAUSE = Entry("x", events.Turned("paused"))


def test_positions_have_no_gaps_and_rows_come_back(opened: Opened) -> None:
    store, _, reopen = opened
    assert (store.began(), store.read(0)) == (0, [])
    first, end = store.append([closed(f"{each}") for each in range(5)])
    second, last = store.append([closed("é", Claim("k")), PAUSE])
    assert (end, last) == (5, 7)
    rows = reopen().read(0)
    assert rows == [*first, *second]
    assert [row.position for row in rows] == [1, 2, 3, 4, 5, 6, 7]


def test_a_key_is_taken_once(opened: Opened) -> None:
    store, _, reopen = opened
    outcomes, end = store.append([closed("a", Claim("k", "1")), closed("b", Claim("k", "2"))])
    row = outcomes[0]
    assert isinstance(row, Row)
    assert (outcomes[1], end) == (Taken("k", row, "1"), 1)
    store = reopen()
    assert store.append([closed("c", Claim("k", "3"))]) == ([Taken("k", row, "1")], 1)
    assert store.append([closed("d", unless="k")])[0] == [Taken("k", row, "1")]
    assert store.find(["k", "free"]) == {"k": Taken("k", row, "1")}


def test_a_refused_entry_claims_nothing(opened: Opened) -> None:
    store, _, _ = opened
    store.append([closed("a", Claim("k"))])
    store.append([closed("b", Claim("free"), Claim("k"))])
    assert isinstance(store.append([closed("c", Claim("free"))])[0][0], Row)


def test_nothing_is_appended_that_was_drawn_before_a_barrier(opened: Opened) -> None:
    store, _, reopen = opened
    store.append([closed("a"), PAUSE])
    assert store.append([closed("b", drawn_at=1)])[0] == [Outdated(2)]
    outcomes, _ = reopen().append([closed("c", drawn_at=2), PAUSE, closed("d", drawn_at=3)])
    assert [type(outcome) for outcome in outcomes] == [Row, Row, Outdated]
    other = Entry("y", events.Closed("e"), 1)
    store = reopen()
    assert isinstance(store.append([other])[0][0], Row)
    store.append([Entry("", events.Began(events.VERSION))])
    assert store.began() == 6
    assert store.append([other._replace(drawn_at=5)])[0] == [Outdated(6)]


def test_times_never_decrease(opened: Opened) -> None:
    store, clock, reopen = opened
    times = []
    for now in [1_000.0, 1_001.0, -2_600.0, 1_000.5, 1_002.0]:
        clock.now = now
        store.append([closed("a")])
        store = reopen()
        times = [row.at for row in store.read(0)]
    assert times == [1_000.0, 1_001.0, 1_001.0, 1_001.0, 1_002.0]


def test_reading_is_by_position_experiment_and_number(opened: Opened) -> None:
    store, _, _ = opened
    store.append([Entry("xy"[each % 2], events.Closed(str(each))) for each in range(10)])
    assert [row.position for row in store.read(4, limit=3)] == [5, 6, 7]
    assert [row.position for row in store.read(4, experiment="y")] == [6, 8, 10]
    reader = store.reader()
    assert len(reader.read(0)) == 10
    reader.close()


def test_the_last_snapshots_are_kept(opened: Opened) -> None:
    store, _, _ = opened
    assert store.snapshot() is None
    for position in range(1, KEPT + 4):
        store.save(Snapshot(position, 1, "digest", b"payload"))
    assert [row[0] for row in store.snapshots()] == list(range(4, KEPT + 4))
    assert store.snapshot(7) == Snapshot(7, 1, "digest", b"payload")
    assert store.snapshot(3) is None


def test_one_process_writes(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "log.db")
    with pytest.raises(InputError, match="must not be in use by another process"):
        SqliteStore(tmp_path / "log.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "log.db")
    with pytest.raises(InputError, match=r"must not be in use by another process, got '.*link.db'"):
        SqliteStore(tmp_path / "link.db")
    first.close()
    SqliteStore(tmp_path / "link.db").close()


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    alien = tmp_path / "alien.db"
    alien.write_text("no database at all, but long enough to be taken for one" * 20)
    with pytest.raises(InputError, match="must be a log of driftbandit"):
        SqliteStore(alien)
    with pytest.raises(InputError, match="must be a file that exists"):
        SqliteStore(tmp_path / "none.db", write=False)
    with pytest.raises(InputError, match="must be a file that can be written"):
        SqliteStore(tmp_path / "no" / "folder.db")
    (tmp_path / "loop.db").symlink_to("loop.db")
    with pytest.raises(InputError, match="must be a file that can be written"):
        SqliteStore(tmp_path / "loop.db")
    assert list(tmp_path.glob("*.lock")) == []


def test_a_name_is_that_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:log.db?mode=ro"):
        SqliteStore(name).close()
        assert Path(name).stat().st_size > 0


def test_a_log_is_for_its_owner_alone(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "log.db").close()
    assert (tmp_path / "log.db").stat().st_mode & 0o077 == 0


def test_positions_become_visible_in_their_order(database: Database) -> None:
    """Four append at once, and one who reads never sees a gap that is filled later."""
    database.empty()
    seen: list[Row] = []
    done = threading.Event()

    def append(number: int) -> None:
        store = PostgresStore(database.address)
        for batch in range(40):
            store.append([closed(f"{number}-{batch}-{each}") for each in range(1 + batch % 5)])
        store.close()

    def follow() -> None:
        store = PostgresStore(database.address, write=False)
        while not done.is_set() or store.read(len(seen)):
            seen.extend(store.read(len(seen), limit=50))
            if seen and seen[-1].position != len(seen):
                break
        store.close()

    PostgresStore(database.address).close()
    follower = threading.Thread(target=follow)
    follower.start()
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        list(threads.map(append, range(4)))
    done.set()
    follower.join(30)
    assert [row.position for row in seen] == list(range(1, 4 * 120 + 1))
    assert sorted(row.at for row in seen) == [row.at for row in seen]


def test_who_waits_hears_of_an_append(database: Database) -> None:
    database.empty()
    store = PostgresStore(database.address)
    waiting = store.reader()
    waiting.wait(0.01)
    store.append([closed("a")])
    started = time.monotonic()
    waiting.wait(20.0)
    assert time.monotonic() - started < 10.0
    waiting.close()
    store.close()


def test_who_reads_after_an_outage_does_not_hear_of_it(database: Database) -> None:
    """`/ready` was answered with 503 once more in each worker, when all was well again."""
    database.empty()
    store = PostgresStore(database.address)
    store.append([closed("a")])
    database.crash()
    assert [row.position for row in store.read(0)] == [1]
    database.stop()
    with pytest.raises(StoreError, match="PostgreSQL: "):
        store.began()
    database.start()
    assert store.began() == 0
    store.close()


def test_tables_of_another_layout_are_refused(database: Database) -> None:
    database.empty()
    PostgresStore(database.address).close()
    with psycopg.connect(database.address, autocommit=True) as connection:
        connection.execute("COMMENT ON SCHEMA driftbandit IS 'layout 9'")
    with pytest.raises(InputError, match="store must have tables of 'layout 1', got 'layout 9'"):
        PostgresStore(database.address)
    database.empty()


def test_a_database_that_is_not_there() -> None:
    with pytest.raises(InputError, match="store must be a PostgreSQL that can be used"):
        PostgresStore("postgresql://nobody@127.0.0.1:1/none")
