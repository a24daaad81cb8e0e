"""What the service answers where it cannot do what was asked: one shape for every error."""

from __future__ import annotations

import msgspec

from driftbandit.core.errors import InputError


class Detail(msgspec.Struct, frozen=True):
    """What is wrong: which field, and what is allowed there."""

    status: int
    field: str
    message: str


class Problem(msgspec.Struct, frozen=True):
    """The body of every answer from 400 on."""

    error: Detail

    @classmethod
    def of(cls, refusal: Refusal) -> Problem:
        """Return the body for a refusal."""
        return cls(Detail(refusal.status, refusal.field, refusal.message))


class Refusal(Exception):  # noqa: N818  # an answer, and not a fault
    """A request that is answered with a `Problem`."""

    def __init__(self, status: int, field: str, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.status, self.field, self.message = status, field, message
        self.retry_after = retry_after


def unavailable(message: str) -> Refusal:
    """Return the refusal of a service that cannot make anything durable now.

    >>> unavailable("the disk is full").status
    503
    """
    return Refusal(503, "store", message, retry_after=1)


def of_input(error: InputError) -> Refusal:
    """Return what a value causes that is not allowed; such messages begin with the name.

    >>> of_input(InputError("floor must lie in [0, 1], got 2")).field
    'floor'
    """
    message = str(error)
    return Refusal(422, message.split(maxsplit=1)[0].rstrip(":"), message)
