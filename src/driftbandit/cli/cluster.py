"""A Dask cluster as the place where `driftbandit simulate` plays."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

from driftbandit.core.errors import InputError

DASK = "distributed>=2024.12"
"""The extra `dask`: this can be installed wherever the package itself came from."""

PATIENCE = 10
"""Seconds to wait for the scheduler's answer."""


async def _answer(distributed: Any, address: str) -> Any:
    """Ask the scheduler who it is: a client waits for ever for a server that never speaks."""
    security = distributed.Security().get_connection_args("client")
    scheduler = distributed.rpc(address, connection_args=security)
    try:
        return await asyncio.wait_for(scheduler.identity(), PATIENCE)
    finally:
        await scheduler.close_rpc()


@contextlib.contextmanager
def connected(address: str) -> Iterator[tuple[Executor, int | None]]:
    """Yield an executor on the scheduler at `address`, and the number of its workers' threads."""
    try:
        distributed: Any = importlib.import_module("distributed")  # it has few types
    except ImportError:
        raise InputError(f"--dask needs Dask: {sys.executable} -m pip install '{DASK}'") from None
    if not re.fullmatch(r"\w+://\S+:\d+", address):  # without a port, closing hangs
        raise InputError(f"--dask must be an address such as tcp://HOST:PORT, got {address!r}")
    try:
        asyncio.run(_answer(distributed, address))
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except TimeoutError:
        reason = f"no answer within {PATIENCE} seconds"
        raise InputError(f"--dask found no scheduler at {address}: {reason}") from None
    except (MemoryError, OverflowError):  # the words of another server, taken for a length
        reason = "what answers there is no Dask scheduler"
        raise InputError(f"--dask found no scheduler at {address}: {reason}") from None
    except (OSError, TypeError, ValueError) as error:  # refused, or not an address
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"--dask found no scheduler at {address}: {reason}") from None
    with client:
        threads = sum(client.nthreads().values())
        if threads == 0:
            print("driftbandit: the scheduler has no workers yet, waiting", file=sys.stderr)
        yield client.get_executor(pure=False), threads or None
