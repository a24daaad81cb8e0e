"""The process that listens."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator

import uvicorn

from driftbandit.core.errors import InputError
from driftbandit.service.app import App
from driftbandit.service.opening import open_store
from driftbandit.service.settings import Settings
from driftbandit.service.worker import Worker

YOUNG = 10_000, 10, 10
"""How many new objects there are before a search for garbage: hardly any of a request is."""
GRACE = 3
"""Seconds for requests in flight once the process shall end."""

LOCAL = ("127.0.0.1", "::1", "localhost")


def listening(settings: Settings) -> socket.socket:
    """Return a socket that is bound to the address of the settings."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((settings.host, settings.port))
        bound.listen(2_048)
    except (OSError, TypeError, UnicodeError) as error:  # the last two of letters in a name
        bound.close()
        raise InputError(
            f"host and port must be free to listen on, got {settings.host}:{settings.port}: "
            f"{getattr(error, 'strerror', error)}"
        ) from None
    return bound


def address_of(bound: socket.socket) -> str:
    """Return the address of a socket as a URL."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def log_to_stderr() -> None:
    """Write what happens to the error stream, one line each."""
    form = "%(asctime)s %(levelname)s %(message)s"
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format=form)


class Server(uvicorn.Server):
    """A server that a signal ends in good order: what is in flight is answered first."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Heed signals until the server has ended; uvicorn would raise them again then."""
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve(
    settings: Settings,
    bound: socket.socket,
    beside: Callable[[Worker], Awaitable[None]] | None = None,
) -> bool:
    """Serve until a signal comes; return whether the process could start."""
    log_to_stderr()

    def make_worker() -> Worker:
        return Worker(
            open_store(settings),
            patience=settings.patience,
            snapshot_every=settings.snapshot_every,
        )

    config = uvicorn.Config(
        App(make_worker, beside), loop="uvloop", http="httptools", ws="none", lifespan="on",
        access_log=False, log_config=None, log_level="warning", server_header=False,
        date_header=False, timeout_graceful_shutdown=GRACE, backlog=2_048,
    )  # fmt: skip
    gc.set_threshold(*YOUNG)
    server = Server(config)
    # uvicorn leaves with a code of its own if it cannot start
    with (
        contextlib.suppress(SystemExit),
        asyncio.Runner(loop_factory=config.get_loop_factory()) as runner,
    ):
        runner.run(server.serve(sockets=[bound]))
    return server.started
