"""One request until it is answered: what is sent, what an answer means, when to send it again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, Generic

import httpx
import msgspec

from driftbandit.client.asks import Answer, Request
from driftbandit.client.errors import (
    ServiceError,
    TooManyRequestsError,
    UnavailableError,
    error_of,
)

FIRST, LONGEST = 0.05, 2.0
"""Seconds before the second attempt, and the most before a later one."""

TABLES = ("application/jsonl", "text/csv", "application/vnd.apache.parquet")

NOTHING_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Trial(Generic[Answer]):
    """A request on its way, for a client of either kind; it does no input or output itself.

    - `patience`: seconds in which it may be sent again.
    """

    def __init__(
        self,
        request: Request[Answer],
        patience: float,
        clock: Callable[[], float] = time.monotonic,
        luck: Callable[[], float] = random.random,
    ) -> None:
        self.request, self.clock, self.luck = request, clock, luck
        self.deadline, self.attempts = clock() + patience, 0

    def arguments(self) -> dict[str, Any]:
        """Return what httpx sends."""
        request = self.request
        headers = {} if request.body is None else {"Content-Type": "application/json"}
        if request.once:
            headers["Idempotency-Key"] = request.once
        return {
            "method": request.method, "url": request.path, "content": request.body,
            "headers": headers,
        }  # fmt: skip

    def result(self, answer: httpx.Response) -> Answer:
        """Return what an answer holds, or raise the error that it is."""
        check(answer)
        try:
            return msgspec.json.decode(answer.content, type=self.request.answer)
        except msgspec.DecodeError as error:
            raise ServiceError(f"an answer that is not the service's: {error}") from None

    def pause(self, error: ServiceError | httpx.RequestError) -> float:
        """Return how many seconds to wait after an error, or raise it where none is left.

        Pauses double, and half of each is random, so that clients do not come back all at once.
        """
        self.attempts += 1
        usual = min(FIRST * 2.0 ** (self.attempts - 1), LONGEST) * (0.5 + 0.5 * self.luck())
        seconds = max(getattr(error, "retry_after", 0.0), usual)
        if self._may_go_on(error) and self.clock() + seconds < self.deadline:
            return seconds
        if isinstance(error, ServiceError):
            raise error
        raise failure_of(error) from error

    def _may_go_on(self, error: Exception) -> bool:
        """Say whether sending again is safe, and may help."""
        if isinstance(error, (TooManyRequestsError, *NOTHING_SENT)):
            return True
        again = isinstance(error, UnavailableError | httpx.TransportError)
        return again and self.request.repeatable


def check(answer: httpx.Response) -> None:
    """Raise the error that an answer is."""
    if not answer.is_success:
        raise error_of(answer.status_code, answer.content, answer.headers.get("Retry-After", ""))


def check_table(answer: httpx.Response) -> None:
    """Raise the error that an answer is, or if it is no table: a page of a proxy, for instance."""
    check(answer)
    kind = answer.headers.get("Content-Type", "nothing").partition(";")[0]
    if kind not in TABLES:
        raise ServiceError(f"an answer that is not the service's: it must be a table, got {kind}")


def failure_of(error: httpx.RequestError) -> ServiceError:
    """Return the error that a failure of the connection is."""
    what = str(error) or type(error).__name__
    if isinstance(error, httpx.DecodingError):
        return ServiceError(f"an answer that is not the service's: {what}")
    return UnavailableError(f"the service does not answer: {what}")
