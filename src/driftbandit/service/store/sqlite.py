"""The log in one SQLite file: one writer, and one fsync for a batch."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from driftbandit.core.errors import InputError, shown
from driftbandit.core.files import path_of
from driftbandit.service.events import Row, encode
from driftbandit.service.store.batch import Batch, Entry, Head, Outcome, Taken, keys_of
from driftbandit.service.store.protocol import KEPT, Snapshot, StoreError, row_of

SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY, at REAL NOT NULL, experiment TEXT NOT NULL, payload BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS keys (
    key TEXT PRIMARY KEY, position INTEGER NOT NULL, digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS barriers (
    experiment TEXT PRIMARY KEY, position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshots (
    position INTEGER PRIMARY KEY, version INTEGER NOT NULL, digest TEXT NOT NULL,
    payload BLOB NOT NULL
) STRICT;
"""
MARK = 0x64726966
"""`application_id` of our files, so that somebody else's are left alone."""
LAYOUT = 1
"""`user_version`: the version of the tables."""
WRITING, READING = 16_384, 2_048
"""Kilobytes of the file that a connection keeps in memory."""
AT_ONCE = 500
"""Keys that one query looks up."""


class SqliteStore:
    """A log in a file. The one that writes holds a lock beside it, until it is closed or dies.

    In WAL mode with `synchronous = FULL`, a commit returns when the log is on the disk.
    """

    shared = False

    def __init__(
        self, path: str | Path, *, write: bool = True, clock: Callable[[], float] = time.time
    ) -> None:
        # an absolute path: SQLite takes names such as ":memory:" and "file:…" for something else
        # and the one that links lead to, so that a file has one lock
        self.path = Path(os.path.realpath(path_of("store", path, "be a file")))
        self.clock = clock
        self._shown = shown(str(path))
        if self._is_odd():
            raise self._refusal("be a file")
        lock = Path(f"{self.path}.lock")
        new = not lock.exists()
        self._lock = self._locked(lock) if write else None
        try:
            self._connection = self._opened(write)
        except BaseException:
            if write and new:
                lock.unlink(missing_ok=True)
            self._unlock()
            raise

    def _is_odd(self) -> bool:
        """Say whether there is something that is no file."""
        try:
            return not stat.S_ISREG(self.path.stat().st_mode)
        except OSError:  # what is missing may be made, what is forbidden is told later
            return False

    def _refusal(self, allowed: str, reason: Any = None) -> InputError:
        text = f"store must {allowed}, got {self._shown}"
        return InputError(text if reason is None else f"{text}: {reason}")

    def _locked(self, path: Path) -> int:
        """Return the lock, or raise if another process writes."""
        try:
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise self._refusal("be a file that can be written", error.strerror) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.path.samestat(os.fstat(lock), os.stat(path)):
                raise FileNotFoundError  # one that was refused has just removed it
        except OSError:
            os.close(lock)
            raise self._refusal("not be in use by another process") from None
        return lock

    def _opened(self, write: bool) -> sqlite3.Connection:
        if not write and not self.path.exists():
            raise self._refusal("be a file that exists")
        usable = f"be a file that can be {'written' if write else 'read'}"
        try:
            if write:  # it holds secrets
                os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(usable, getattr(error, "strerror", error)) from None
        try:
            self._prepare(connection, write)
        except sqlite3.DatabaseError as error:
            connection.close()
            faulty = not isinstance(error, sqlite3.OperationalError)  # the file; else the disk
            raise self._refusal("be a log of driftbandit" if faulty else usable, error) from None
        except InputError:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection, write: bool) -> None:
        mark, layout, tables = (
            connection.execute(query).fetchone()[0]
            for query in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT count(*) FROM sqlite_master",
            )
        )
        if mark == MARK and layout != LAYOUT:
            raise self._refusal(f"have tables of layout {LAYOUT}", f"its layout is {layout}")
        if mark != MARK and (tables or not write):
            raise self._refusal("be a log of driftbandit")
        connection.execute("PRAGMA busy_timeout = 5000")
        connection.execute(f"PRAGMA cache_size = -{WRITING if write else READING}")
        if write:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA wal_autocheckpoint = 4000")
            connection.execute(f"PRAGMA application_id = {MARK}")
            connection.execute(f"PRAGMA user_version = {LAYOUT}")
            connection.executescript(SCHEMA)
        else:
            connection.execute("PRAGMA query_only = ON")

    def append(self, entries: Sequence[Entry]) -> tuple[list[Outcome], int]:
        """Make a batch durable; see `Store.append`."""
        with _trouble(), self._transaction() as connection:
            batch = Batch(self._head(), self.find(keys_of(entries)), self.clock())
            outcomes = batch.outcomes(entries)
            rows = [(row[0], row[1], row[2], encode(row[3])) for row in batch.rows]
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
            connection.executemany("INSERT INTO keys VALUES (?, ?, ?)", batch.claimed)
            connection.executemany(
                "INSERT OR REPLACE INTO barriers VALUES (?, ?)", batch.barriers.items()
            )
        return outcomes, batch.position

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        if connection.in_transaction:  # a failure has left it open
            connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _head(self) -> Head:
        query = "SELECT position, at FROM events ORDER BY position DESC LIMIT 1"
        position, at = self._connection.execute(query).fetchone() or (0, 0.0)
        barriers = dict(self._connection.execute("SELECT experiment, position FROM barriers"))
        return Head(position, at, barriers)

    def find(self, keys: Sequence[str]) -> dict[str, Taken]:
        """Return who has these keys."""
        taken: dict[str, Taken] = {}
        with _trouble():
            for first in range(0, len(keys), AT_ONCE):
                some = keys[first : first + AT_ONCE]
                query = (
                    "SELECT key, digest, position, at, experiment, payload FROM keys "
                    f"JOIN events USING (position) WHERE key IN ({', '.join('?' * len(some))})"
                )
                for key, digest, *row in self._connection.execute(query, some):
                    taken[key] = Taken(key, row_of(row), digest)
        return taken

    def read(self, after: int, limit: int = 10_000, experiment: str | None = None) -> list[Row]:
        """Return the rows that follow a position."""
        only = "" if experiment is None else "AND experiment = :experiment "
        query = f"SELECT * FROM events WHERE position > :after {only}ORDER BY position LIMIT :limit"
        values = {"after": after, "limit": limit, "experiment": experiment}
        with _trouble():
            return [row_of(row) for row in self._connection.execute(query, values)]

    def began(self) -> int:
        """Return the position at which the fold begins."""
        query = "SELECT position FROM barriers WHERE experiment = ''"
        with _trouble():
            position: int = (self._connection.execute(query).fetchone() or (0,))[0]
        return position

    def save(self, snapshot: Snapshot) -> str:
        """Keep a snapshot, and the last ones before it; see `Store.save`."""
        with _trouble(), self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)", snapshot)
            connection.execute(
                "DELETE FROM snapshots WHERE position NOT IN "
                "(SELECT position FROM snapshots ORDER BY position DESC LIMIT ?)",
                (KEPT,),
            )
        return snapshot.digest

    def snapshots(self) -> list[tuple[int, int, str]]:
        """Return position, version and hash of the snapshots."""
        query = "SELECT position, version, digest FROM snapshots ORDER BY position"
        with _trouble():
            return self._connection.execute(query).fetchall()

    def snapshot(self, at_most: int | None = None) -> Snapshot | None:
        """Return the last snapshot, or the last one up to a position."""
        query = "SELECT * FROM snapshots WHERE position <= ? ORDER BY position DESC LIMIT 1"
        with _trouble():
            row = self._connection.execute(query, (2**62 if at_most is None else at_most,))
            values = row.fetchone()
        return None if values is None else Snapshot(*values)

    def reader(self) -> SqliteStore:
        """Return the same file, to read only."""
        return SqliteStore(self.path, write=False)

    def wait(self, seconds: float) -> int:
        """Wait: nobody else appends."""
        time.sleep(seconds)
        return 0

    def close(self) -> None:
        """Close the file, and let another process write."""
        self._connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


@contextlib.contextmanager
def _trouble() -> Iterator[None]:
    """Say what SQLite reports in one word of ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"SQLite: {error}") from error
