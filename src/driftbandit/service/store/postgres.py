"""The log in PostgreSQL: several workers append under one lock, so that positions are commits."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import psycopg

from driftbandit.core.errors import InputError
from driftbandit.service.events import Row, encode
from driftbandit.service.store.batch import Batch, Entry, Head, Outcome, Taken, keys_of
from driftbandit.service.store.protocol import KEPT, Snapshot, StoreError, row_of

Given = ParamSpec("Given")
Result = TypeVar("Result")

SCHEMA = """
CREATE SCHEMA IF NOT EXISTS driftbandit;
CREATE TABLE IF NOT EXISTS driftbandit.events (
    position bigint PRIMARY KEY, at double precision NOT NULL, experiment text NOT NULL,
    payload bytea NOT NULL
);
CREATE TABLE IF NOT EXISTS driftbandit.keys (
    key text PRIMARY KEY, position bigint NOT NULL, digest text NOT NULL
);
CREATE TABLE IF NOT EXISTS driftbandit.barriers (
    experiment text PRIMARY KEY, position bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS driftbandit.snapshots (
    position bigint PRIMARY KEY, version integer NOT NULL, digest text NOT NULL,
    payload bytea NOT NULL
);
COMMENT ON SCHEMA driftbandit IS 'layout 1';
"""
LAYOUT = "layout 1"
"""The version of the tables: what their schema has as its comment."""
LOCK = 0x64726966
"""The advisory lock that all who append take, until their commit."""
CHANNEL = "driftbandit"

INSERTS = (
    (
        "INSERT INTO driftbandit.events SELECT * FROM "
        "unnest(%s::bigint[], %s::double precision[], %s::text[], %s::bytea[])"
    ),
    "INSERT INTO driftbandit.keys SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[])",
    (
        "INSERT INTO driftbandit.barriers SELECT * FROM unnest(%s::text[], %s::bigint[]) "
        "ON CONFLICT (experiment) DO UPDATE SET position = excluded.position"
    ),
)
LAST = "SELECT position, at FROM driftbandit.events ORDER BY position DESC LIMIT 1"
BARRIERS = "SELECT experiment, position FROM driftbandit.barriers WHERE experiment = ANY(%s)"
OWNERS = (
    "SELECT key, digest, position, at, experiment, payload FROM driftbandit.keys "
    "JOIN driftbandit.events USING (position) WHERE key = ANY(%s)"
)
KEEP = (
    "INSERT INTO driftbandit.snapshots AS old VALUES (%s, %s, %s, %s) "
    "ON CONFLICT (position) DO UPDATE SET version = excluded.version, payload = CASE "
    "WHEN old.version = excluded.version THEN old.payload ELSE excluded.payload END, digest = CASE "
    "WHEN old.version = excluded.version THEN old.digest ELSE excluded.digest END RETURNING digest"
)
OPTIONS = {
    "autocommit": True,
    "connect_timeout": 5,
    "options": "-c statement_timeout=10000 -c synchronous_commit=on",
    "tcp_user_timeout": 10_000,
}


def _reads(
    method: Callable[Concatenate[PostgresStore, Given], Result],
) -> Callable[Concatenate[PostgresStore, Given], Result]:
    """Return a method that reads, and again where the connection had broken since it was used."""

    @functools.wraps(method)
    def reading(store: PostgresStore, /, *values: Given.args, **named: Given.kwargs) -> Result:
        seemed_open = store.is_open
        try:
            return method(store, *values, **named)
        except StoreError:
            if not seemed_open or store.is_open:
                raise
        return method(store, *values, **named)

    return reading


class PostgresStore:
    """A log in a database. A connection that breaks is made anew when it is needed next.

    Whoever appends holds an advisory lock from the reading of the last position until the commit.
    So the order of positions is that of commits, and no position becomes visible after a later
    one; those of a sequence would.
    """

    shared = True

    def __init__(
        self, address: str, *, write: bool = True, clock: Callable[[], float] = time.time
    ) -> None:
        self.address, self.clock = address, clock
        self._connection: psycopg.Connection[Any] | None = None
        self._listening = False
        try:
            if write:
                self._prepare()
            query = "SELECT obj_description('driftbandit'::regnamespace)"
            layout = (self._connected().execute(query).fetchone() or (None,))[0]
        except psycopg.Error as error:
            self.close()
            reason = " ".join(str(error).split()) or type(error).__name__
            raise InputError(f"store must be a PostgreSQL that can be used: {reason}") from None
        if layout != LAYOUT:
            self.close()
            raise InputError(f"store must have tables of {LAYOUT!r}, got {layout!r}")

    def _prepare(self) -> None:
        """Make the tables, if they are not there."""
        connection = self._connected()
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            if connection.execute("SELECT to_regclass('driftbandit.snapshots')").fetchone() == (
                None,
            ):
                connection.execute(SCHEMA)

    @property
    def is_open(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self._connection is not None and not self._connection.closed

    def _connected(self) -> psycopg.Connection[Any]:
        """Return the connection, a new one if it is broken."""
        if self._connection is None or self._connection.closed:
            self._listening = False
            options: Any = OPTIONS
            self._connection = psycopg.connect(self.address, **options)
        return self._connection

    @contextlib.contextmanager
    def _using(self) -> Iterator[psycopg.Connection[Any]]:
        """Yield the connection; what goes wrong becomes a `StoreError`."""
        try:
            yield self._connected()
        except psycopg.Error as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise StoreError(f"PostgreSQL: {reason}") from error

    def append(self, entries: Sequence[Entry]) -> tuple[list[Outcome], int]:
        """Make a batch durable; see `Store.append`.

        In a pipeline, so that it takes two round trips: one until it is known what is in the log,
        and one until the commit.
        """
        experiments = ["", *{entry.experiment for entry in entries}]
        keys = keys_of(entries)
        with self._using() as connection, connection.pipeline(), connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            last = connection.execute(LAST)
            barriers = connection.execute(BARRIERS, (experiments,))
            owners = _owners(connection, keys) if keys else {}
            position, at = last.fetchone() or (0, 0.0)
            batch = Batch(Head(position, at, dict(barriers.fetchall())), owners, self.clock())
            outcomes = batch.outcomes(entries)
            rows = [(row[0], row[1], row[2], encode(row[3])) for row in batch.rows]
            tables: list[Any] = [rows, batch.claimed, list(batch.barriers.items())]
            for query, table in zip(INSERTS, tables, strict=True):
                if table:
                    connection.execute(query, [list(column) for column in zip(*table, strict=True)])
            if rows:
                connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, str(batch.position)))
        return outcomes, batch.position

    @_reads
    def find(self, keys: Sequence[str]) -> dict[str, Taken]:
        """Return who has these keys."""
        with self._using() as connection:
            return _owners(connection, keys)

    @_reads
    def read(self, after: int, limit: int = 10_000, experiment: str | None = None) -> list[Row]:
        """Return the rows that follow a position."""
        only = "" if experiment is None else "AND experiment = %(experiment)s "
        query = (
            "SELECT position, at, experiment, payload FROM driftbandit.events "
            f"WHERE position > %(after)s {only}ORDER BY position LIMIT %(limit)s"
        )
        values = {"after": after, "limit": limit, "experiment": experiment}
        with self._using() as connection:
            return [row_of(row) for row in connection.execute(query, values, binary=True)]

    @_reads
    def began(self) -> int:
        """Return the position at which the fold begins."""
        query = "SELECT position FROM driftbandit.barriers WHERE experiment = ''"
        with self._using() as connection:
            position: int = (connection.execute(query).fetchone() or (0,))[0]
        return position

    def save(self, snapshot: Snapshot) -> str:
        """Keep a snapshot, and the last ones before it; see `Store.save`."""
        with self._using() as connection, connection.transaction():
            digest = connection.execute(KEEP, snapshot).fetchone()
            connection.execute(
                "DELETE FROM driftbandit.snapshots WHERE position NOT IN "
                "(SELECT position FROM driftbandit.snapshots ORDER BY position DESC LIMIT %s)",
                (KEPT,),
            )
        return snapshot.digest if digest is None else str(digest[0])

    @_reads
    def snapshots(self) -> list[tuple[int, int, str]]:
        """Return position, version and hash of the snapshots."""
        query = "SELECT position, version, digest FROM driftbandit.snapshots ORDER BY position"
        with self._using() as connection:
            return connection.execute(query).fetchall()

    @_reads
    def snapshot(self, at_most: int | None = None) -> Snapshot | None:
        """Return the last snapshot, or the last one up to a position."""
        query = (
            "SELECT position, version, digest, payload FROM driftbandit.snapshots "
            "WHERE position <= %s ORDER BY position DESC LIMIT 1"
        )
        with self._using() as connection:
            row = connection.execute(query, (2**62 if at_most is None else at_most,)).fetchone()
        return None if row is None else Snapshot(*row)

    def reader(self) -> PostgresStore:
        """Return the same database over a connection of its own."""
        return PostgresStore(self.address, write=False)

    def wait(self, seconds: float) -> int:
        """Wait until somebody appends, but no longer than this; see `Store.wait`."""
        with self._using() as connection:
            if not self._listening:
                connection.execute(f"LISTEN {CHANNEL}")
                self._listening = True
            notices = connection.notifies(timeout=seconds, stop_after=1)
            places = [each.payload for each in notices]
        return int(places[-1]) if places else 0

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


def _owners(connection: psycopg.Connection[Any], keys: Sequence[str]) -> dict[str, Taken]:
    """Return who has these keys."""
    storable = [key for key in keys if "\0" not in key]  # nobody has one that is not
    rows = connection.execute(OWNERS, (storable,), binary=True).fetchall()
    return {row[0]: Taken(row[0], row_of(row[2:]), row[1]) for row in rows}
