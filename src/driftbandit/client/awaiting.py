"""The client for code on an event loop."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, Self

import httpx

from driftbandit.client import asks
from driftbandit.client.asks import Answer, Request
from driftbandit.client.connecting import (
    TIMEOUT,
    Connections,
    export_of,
    proxied,
    saving,
    settings_of,
    usable,
)
from driftbandit.client.errors import ServiceError
from driftbandit.client.trial import Trial, check_table, failure_of
from driftbandit.core.errors import real

Given = ParamSpec("Given")


def _sends(
    ask: Callable[Given, Request[Answer]],
) -> Callable[Concatenate[AsyncClient, Given], Coroutine[Any, Any, Answer]]:
    """Return the method that sends what a function describes."""

    @functools.wraps(ask)
    async def method(self: AsyncClient, /, *values: Given.args, **named: Given.kwargs) -> Answer:
        return await self._send(ask(*values, **named))

    return method


class AsyncClient:
    """A connection to the service, on one event loop; what `Client` says holds here, too.

    >>> import asyncio
    >>> async def ask() -> None:
    ...     async with AsyncClient("http://127.0.0.1:9", key="db_", patience=0.0) as client:
    ...         await client.decide("button")
    >>> asyncio.run(ask())
    Traceback (most recent call last):
    driftbandit.client.UnavailableError: the service does not answer: ...
    """

    __module__ = "driftbandit.client"  # where users find it

    def __init__(
        self,
        address: str,
        key: str | None = None,
        *,
        timeout: float = TIMEOUT,
        patience: float = 15.0,
    ) -> None:
        self.patience = real("patience", patience, "[0, inf)")
        settings = settings_of(address, key, timeout)
        with proxied():
            self._connections = Connections(lambda: httpx.AsyncClient(**settings))

    create = _sends(asks.create)
    experiments = _sends(asks.experiments)
    experiment = _sends(asks.experiment)
    change = _sends(asks.change)
    pause = _sends(asks.pause)
    resume = _sends(asks.resume)
    kill = _sends(asks.kill)
    archive = _sends(asks.archive)
    add_arm = _sends(asks.add_arm)
    retire_arm = _sends(asks.retire_arm)
    history = _sends(asks.history)
    decide = _sends(asks.decide)
    decide_many = _sends(asks.decide_many)
    activate = _sends(asks.activate)
    reward = _sends(asks.reward)
    reward_many = _sends(asks.reward_many)
    explain = _sends(asks.explain)
    add_key = _sends(asks.add_key)
    keys = _sends(asks.keys)
    rotate_key = _sends(asks.rotate_key)
    revoke_key = _sends(asks.revoke_key)
    ready = _sends(asks.ready)

    async def export(self, name: str, path: str | os.PathLike[str], *, rows: str = "ended") -> None:
        """Write the decisions of an experiment to a file, whole or not at all.

        The suffix says how: .parquet, .csv or .jsonl. `rows` is "ended", for `db.Log.read`, or
        "all": also those that may still get a reward.
        """
        request = export_of(name, path, rows)
        with usable(), saving(path) as file:
            try:
                async with self._connections.http.stream("GET", request) as answer:
                    if not answer.is_success:
                        await answer.aread()
                    check_table(answer)
                    async for piece in answer.aiter_bytes():
                        file.write(piece)
            except httpx.RequestError as error:
                raise failure_of(error) from error

    async def aclose(self) -> None:
        """Close the connections."""
        await self._connections.http.aclose()

    async def __aenter__(self) -> Self:
        """Return the client."""
        return self

    async def __aexit__(self, *_: Any) -> None:
        """Close the connections."""
        await self.aclose()

    async def _send(self, request: Request[Answer]) -> Answer:
        trial = Trial(request, self.patience)
        while True:
            try:
                with usable():
                    answer = await self._connections.http.request(**trial.arguments())
                return trial.result(answer)
            except (ServiceError, httpx.RequestError) as error:
                seconds = trial.pause(error)
            await asyncio.sleep(seconds)
