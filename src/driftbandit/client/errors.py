"""What a client raises: one class for each thing that a caller may want to do about it."""

from __future__ import annotations

import msgspec

from driftbandit.service.problems import Detail, Problem


class ServiceError(RuntimeError):
    """The service has not done what was asked.

    `status` is that of the answer, or None if there was none. `field` is what is wrong with the
    request, and the message says what is allowed.
    """

    __module__ = "driftbandit.client"  # where users find it

    def __init__(
        self, message: str, field: str = "", status: int | None = None, retry_after: float = 0.0
    ) -> None:
        super().__init__(message)
        self.field, self.status, self.retry_after = field, status, retry_after


class InvalidRequestError(ServiceError):
    """A value is not allowed."""

    __module__ = "driftbandit.client"


class KeyRefusedError(ServiceError):
    """There is no such key, or it lacks the scope."""

    __module__ = "driftbandit.client"


class NotFoundError(ServiceError):
    """There is no such experiment, decision, arm or key."""

    __module__ = "driftbandit.client"


class ConflictError(ServiceError):
    """The experiment is paused or archived, a name is taken, or a decision is over."""

    __module__ = "driftbandit.client"


class TooManyRequestsError(ServiceError):
    """The key has asked too often; `retry_after` is how many seconds to wait."""

    __module__ = "driftbandit.client"


class UnavailableError(ServiceError):
    """The service could not be reached, or could not make anything durable, in all attempts."""

    __module__ = "driftbandit.client"


KINDS: dict[int, type[ServiceError]] = {
    400: InvalidRequestError,
    401: KeyRefusedError,
    403: KeyRefusedError,
    404: NotFoundError,
    405: InvalidRequestError,
    409: ConflictError,
    413: InvalidRequestError,
    422: InvalidRequestError,
    429: TooManyRequestsError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def error_of(status: int, payload: bytes, retry_after: str = "") -> ServiceError:
    """Return the error of an answer.

    >>> error = error_of(409, b'{"error": {"status": 409, "field": "name", "message": "taken"}}')
    >>> type(error).__name__, error.field, str(error)
    ('ConflictError', 'name', 'taken')
    """
    try:
        detail = msgspec.json.decode(payload, type=Problem).error
    except msgspec.DecodeError:  # not from the service: a proxy before it, or another program
        detail = Detail(status, "", f"an answer with status {status} that is not the service's")
    seconds = float(retry_after) if retry_after.isascii() and retry_after.isdigit() else 0.0
    kind = KINDS.get(status, ServiceError)
    return kind(detail.message, detail.field, status, seconds)
