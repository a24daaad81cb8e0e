"""The client where it is used oddly: closed, forked, over two loops; and answers that are odd."""

from __future__ import annotations

import asyncio
import gc
import http.server
import os
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit.client import AsyncClient, Client, ServiceError
from service.serving import ARMS, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("odd")) as running:
        running.client().create("x")
        yield running


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


def test_processes_that_fork_do_not_share_a_connection(server: Server) -> None:
    """On one connection, each may read the answer of the other."""
    with Client(address(server), server.key) as client:
        client.decide("x")
        there, here = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(here, " ".join(client.decide("x").id for _ in range(20)).encode())
            os._exit(0)
        mine = [client.decide("x").id for _ in range(20)]
        assert os.waitpid(child, 0)[1] == 0
        theirs = os.read(there, 10_000).decode().split()
        os.close(there)
        os.close(here)
    assert len({*mine, *theirs}) == 40


def test_a_client_that_is_closed_says_so(server: Server, tmp_path: Path) -> None:
    client = Client(address(server), server.key)
    client.close()
    with pytest.raises(db.InputError, match="a client must be open"):
        client.decide("x")
    with pytest.raises(db.InputError, match="a client must be open"):
        client.export("x", tmp_path / "log.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of the loop left
def test_a_client_of_another_event_loop_says_so(server: Server) -> None:
    client = AsyncClient(address(server), server.key)
    assert asyncio.run(client.decide("x")).arm in ARMS
    with pytest.raises(db.InputError, match="an AsyncClient on one event loop"):
        asyncio.run(client.decide("x"))
    del client
    gc.collect()


NAN = float("nan")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda it: it.create("y", ARMS, default_reward=NAN), "plain data"),  # null means: none
        (lambda it: it.change("x", pause_without_rewards=np.float64("nan")), "plain data"),
        (lambda it: it.add_key("k", ["read"], rate=NAN), "plain data"),
        (lambda it: it.decide("x", once=7), "once must be a text of plain letters, got 7"),
        (lambda it: it.decide("x", once="día"), "once must be a text of plain letters"),
        (lambda it: it.decide("x", once="a\nb"), "once must be a text of plain letters"),
    ],
)
def test_what_json_or_a_header_would_change_is_refused(
    server: Server, call: Any, words: str
) -> None:
    with Client(address(server), server.key) as client, pytest.raises(db.InputError, match=words):
        call(client)


def test_arrays_and_numbers_of_numpy_are_taken(server: Server) -> None:
    with Client(address(server), server.key) as client:
        arms: Any = np.array(ARMS)
        made = client.create("arrays", arms, floor=np.float64(0.5))
        assert (made.arms, made.floor) == (ARMS, 0.5)
        assert client.decide("arrays", arms[:1]).arm == arms[0]


def test_an_arm_may_have_the_name_of_a_folder(server: Server) -> None:
    with Client(address(server), server.key) as client:
        for arm in (".", ".."):
            client.add_arm("x", arm)
            assert arm in client.retire_arm("x", arm).retired


class Page(http.server.BaseHTTPRequestHandler):
    """What a proxy may answer in place of the service."""

    encoding = ""

    def do_GET(self) -> None:
        page = b"<html>Sign in</html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        if self.encoding:
            self.send_header("Content-Encoding", self.encoding)
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_a_page_is_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setattr(Page, "encoding", encoding)
    with http.server.HTTPServer(("127.0.0.1", 0), Page) as other:
        thread = threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        with Client(f"http://127.0.0.1:{other.server_port}", "db_", patience=0.0) as client:
            for ask in (client.experiments, lambda: client.export("x", tmp_path / "log.csv")):
                with pytest.raises(ServiceError, match="an answer that is not the service's"):
                    ask()
        other.shutdown()
        thread.join()
    assert list(tmp_path.iterdir()) == []


def test_a_client_is_that_of_its_process(server: Server) -> None:
    with (
        Client(address(server), server.key) as client,
        pytest.raises(db.InputError, match="cannot be pickled or copied: make one in each process"),
    ):
        pickle.dumps(client)


def test_a_password_in_the_address_is_neither_used_nor_shown() -> None:
    """It would take the place of the key, which was then said to be missing."""
    with pytest.raises(db.InputError, match="without a name and a password") as caught:
        Client("http://me:secret@127.0.0.1:8000", "db_")
    assert "secret" not in str(caught.value)
