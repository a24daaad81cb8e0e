"""What both kinds of client need: settings of the connection, and files that are whole."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Generic, NoReturn, TypeVar
from urllib.request import getproxies

import httpx

from driftbandit import __version__
from driftbandit.client.asks import part_of
from driftbandit.client.errors import ServiceError
from driftbandit.core.errors import InputError, one_of, real, shown
from driftbandit.core.files import path_of, replacing

VARIABLE = "DRIFTBANDIT_KEY"
TIMEOUT = 8.0
"""Longer than the service waits for its store, so that it can say itself that it cannot."""

FORMATS = {".parquet": "parquet", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


Http = TypeVar("Http", bound="httpx.Client | httpx.AsyncClient")


class Connections(Generic[Http]):
    """The connections of a process. One that was forked makes its own.

    Two processes on one connection would read each other's answers.
    """

    def __init__(self, make: Callable[[], Http]) -> None:
        self._make, self._process, self._http = make, os.getpid(), make()

    @property
    def http(self) -> Http:
        """What sends requests."""
        if self._process != os.getpid():
            self._process, self._http = os.getpid(), self._make()
        return self._http

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled or copied: a connection is that of one process."""
        raise InputError("a client cannot be pickled or copied: make one in each process")


def settings_of(address: str, key: str | None, timeout: float) -> dict[str, Any]:
    """Return what a client of httpx is made of; the key goes into a header and nowhere else."""
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL("")
    more = url.query or url.fragment
    if url.userinfo:  # it would take the place of the key, and holds a password: it is not shown
        raise InputError("address must be without a name and a password: the key is all")
    if url.scheme not in ("http", "https") or not url.host or more:
        raise InputError(
            f"address must be that of a service, such as http://127.0.0.1:8000, got "
            f"{shown(address)}"
        )
    token = os.environ.get(VARIABLE, "") if key is None else key
    plain = isinstance(token, str) and token.isascii() and token.isprintable()
    if not plain:  # it is not shown
        raise InputError("key must be one that the service made, in plain letters")
    headers = {"User-Agent": f"driftbandit/{__version__}"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    seconds = real("timeout", timeout, "(0, inf)")
    return {"base_url": url, "headers": headers, "timeout": seconds}


@contextlib.contextmanager
def usable() -> Iterator[None]:
    """Say in one line that a client is closed, or that its event loop is."""
    try:
        yield
    except ServiceError:
        raise
    except RuntimeError as error:
        raise InputError(
            f"a client must be open, and an AsyncClient on one event loop: {error}"
        ) from None


@contextlib.contextmanager
def proxied() -> Iterator[None]:
    """Say in one line which proxy of the environment httpx cannot use."""
    try:
        yield
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        reason = str(error).strip().splitlines()[0]
        names = ", ".join(f"{name}_proxy" for name in getproxies() if name != "no")
        raise InputError(  # without the addresses, which may hold a password
            f"the proxies of the environment ({names}) must be of kinds that httpx has: {reason}"
        ) from None


def export_of(name: str, path: str | os.PathLike[str], rows: str) -> str:
    """Return the path and query of an export.

    >>> export_of("button", "log.csv", "ended")
    '/v1/experiments/button/export?format=csv&rows=ended'
    """
    suffix = path_of("path", path, "name a file").suffix
    form = FORMATS[one_of("the suffix of path", suffix or "none", FORMATS)]
    which = one_of("rows", rows, ("ended", "all"))
    return f"/v1/experiments/{part_of(name)}/export?format={form}&rows={which}"


@contextlib.contextmanager
def saving(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of `path` when all is written."""
    with replacing(path) as partial, partial.open("wb") as file:
        yield file
