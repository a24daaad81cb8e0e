"""A real server in a process of its own, and what talks to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from driftbandit.service.events import Row
from driftbandit.service.opening import open_store
from driftbandit.service.rebuild import Check, rebuild
from driftbandit.service.settings import Settings

ARMS = ["red", "green", "blue"]


class Client:
    """One connection to a server; every answer is its status, headers and JSON."""

    def __init__(self, port: int, key: str, seconds: float = 20.0) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
        self.key = key

    def raw(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        bearer = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        self.connection.request(method, path, body, {**bearer, **headers})
        answer = self.connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    def ask(self, method: str, path: str, body: Any = None, once: str = "") -> tuple[int, Any]:
        payload = None if body is None else json.dumps(body).encode()
        headers = {"Idempotency-Key": once} if once else {}
        status, _, answer = self.raw(method, path, payload, **headers)
        return status, json.loads(answer)

    def post(self, path: str, body: Any = None, once: str = "") -> Any:
        status, answer = self.ask("POST", f"/v1/experiments{path}", body, once)
        assert status in (200, 201), answer
        return answer

    def refused(self, path: str, body: Any = None, once: str = "") -> tuple[int, str]:
        """Return status and field of a request that must be refused."""
        status, answer = self.ask("POST", f"/v1/experiments{path}", body, once)
        assert status >= 400, answer
        return status, answer["error"]["field"]

    def create(self, name: str, **more: Any) -> Any:
        policy = {"name": "sw-ucb", "window": 100}
        return self.post("", {"name": name, "arms": ARMS, "policy": policy, "floor": 0.3, **more})


class Server:
    """`driftbandit serve` on a port that the system chooses, and then on the same."""

    def __init__(self, folder: Path, *options: str, store: str = "") -> None:
        self.store, self.options = folder / "log.db", options
        self.settings = Settings(store or str(self.store))
        self.port, self.key = 0, ""
        self.clients: list[Client] = []
        self.process: subprocess.Popen[str]

    def start(self) -> None:
        command = [sys.executable, "-m", "driftbandit", "serve", "--json", "--port", str(self.port)]
        self.errors = self.store.with_suffix(".err").open("a")
        self.process = subprocess.Popen(
            [*command, "--store", self.settings.store, *self.options],
            stdout=subprocess.PIPE, stderr=self.errors, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.log()
        told = json.loads(line)
        self.port, self.key = int(told["address"].rpartition(":")[2]), told["key"] or self.key
        client = self.client()
        assert client.ask("GET", "/ready")[0] == 200, self.log()  # it accepts before it is ready

    def client(self, key: str | None = None) -> Client:
        client = Client(self.port, self.key if key is None else key)
        self.clients.append(client)
        return client

    def limit_file_size(self, size: int) -> None:
        """Let no file of the server grow beyond this: what a full disk does."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def kill(self) -> None:
        self.process.kill()
        self._ended()

    def kill_worker(self, luck: random.Random) -> None:
        """Kill one of several workers; another one takes its place."""
        workers: list[psutil.Process] = []
        deadline = time.monotonic() + 30.0
        while not workers and time.monotonic() < deadline:  # both may be on their way back
            children = psutil.Process(self.process.pid).children()
            workers = [each for each in children if _is_worker(each)]
        luck.choice(workers).kill()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def hang_up(self) -> None:
        """Close all connections; no other thread may use one any more."""
        for client in self.clients:
            client.connection.close()

    def _ended(self) -> int:
        code = self.process.wait(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.errors.close()
        return code

    def log(self) -> str:
        return self.store.with_suffix(".err").read_text()


def _is_worker(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):  # it may be ending
        return "spawn_main" in " ".join(process.cmdline())
    return False


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Iterator[Server]:
    server = Server(folder, *options)
    server.start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
        server.hang_up()


def rows_of(server: Server) -> list[Row]:
    store = open_store(server.settings, write=False)
    rows: list[Row] = []
    while some := store.read(len(rows)):
        rows += some
    store.close()
    return rows


def check(server: Server) -> Check:
    store = open_store(server.settings, write=False)
    try:
        return rebuild(store)
    finally:
        store.close()
