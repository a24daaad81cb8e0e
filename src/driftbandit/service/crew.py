"""Several processes that listen on one socket, and one that looks after them."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from typing import Any

from driftbandit.service.server import GRACE, serve
from driftbandit.service.settings import Settings

LOG = logging.getLogger("driftbandit")
PAUSE = 0.5
"""Seconds before a worker that has ended is replaced."""
NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def look_after(settings: Settings, bound: socket.socket) -> None:
    """Run workers until a signal comes; replace those that end."""
    halt = threading.Event()
    with _heeding(halt):
        crew = [_worker(settings, bound) for _ in range(settings.workers)]
        while not halt.is_set():
            wait([worker.sentinel for worker in crew], timeout=PAUSE)
            for place, worker in enumerate(crew):
                if worker.is_alive() or halt.is_set():
                    continue
                LOG.warning("worker %d has ended with %s", worker.pid, worker.exitcode)
                halt.wait(PAUSE)
                crew[place] = _worker(settings, bound)
        _end(crew)


@contextlib.contextmanager
def _heeding(halt: threading.Event) -> Iterator[None]:
    """Set the event when a signal asks to end."""

    def handle(*_: Any) -> None:
        halt.set()

    before = {number: signal.signal(number, handle) for number in NUMBERS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _worker(settings: Settings, bound: socket.socket) -> SpawnProcess:
    process = multiprocessing.get_context("spawn").Process(target=_work, args=(settings, bound))
    process.start()
    return process


def _work(settings: Settings, bound: socket.socket) -> None:
    """Be a worker, and end when the one that looks after it is gone."""
    threading.Thread(target=_follow_parent, daemon=True).start()
    if not serve(settings, bound):
        raise SystemExit(1)


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _end(crew: list[SpawnProcess]) -> None:
    """Ask all workers to end, and make those end that do not."""
    deadline = time.monotonic() + GRACE + 1.5
    for worker in crew:
        worker.terminate()
    for worker in crew:
        worker.join(max(deadline - time.monotonic(), 0.0))
        if worker.is_alive():
            worker.kill()
            worker.join()
