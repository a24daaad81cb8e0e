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

    @staticmethod
    def status(status: int) -> int:
        """Return with which status of an answer this body comes."""
        return status

    @classmethod
    def of(cls, refusal: Refusal) -> Problem:
        """Return the body for a refusal."""
        return cls(Detail(refusal.status, refusal.field, refusal.message))


class Refusal(Exception):  # noqa: N818  # an answer, and not a fault
    """A request that is answered with a `Problem`, and with headers that go with its status."""

    def __init__(self, status: int, field: str, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.field, self.message = status, field, message
        self.headers = [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ]


def unavailable(message: str) -> Refusal:
    """Return the refusal of a service that cannot make anything durable now.

    >>> unavailable("the disk is full").status
    503
    """
    return Refusal(503, "store", message, retry_after="1")


def no_such_method(method: str, *allowed: str) -> Refusal:
    """Return the refusal of a method that a path does not have.

    >>> no_such_method("PUT", "GET", "PATCH").headers
    [(b'allow', b'GET, PATCH')]
    """
    message = f"method must be {' or '.join(allowed)}, got {method}"
    return Refusal(405, "method", message, allow=", ".join(allowed))


def in_json(text: str) -> str:
    """Return a text with the word of JSON in its end, where that is one of Python.

    >>> in_json("floor must be a number, got None"), in_json("'None'")
    ('floor must be a number, got null', "'None'")
    """
    start, word = text[: text.rfind(" ") + 1], text[text.rfind(" ") + 1 :]
    return start + {"None": "null", "True": "true", "False": "false"}.get(word, word)


def of_input(error: InputError) -> Refusal:
    """Return what a value causes that is not allowed; such messages begin with the name.

    >>> of_input(InputError("floor must lie in [0, 1], got 2")).field
    'floor'
    """
    message = in_json(str(error))
    return Refusal(422, message.split(maxsplit=1)[0].rstrip(":"), message)
