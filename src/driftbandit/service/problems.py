"""What the service answers where it cannot do what was asked: one shape for every error."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import msgspec.inspect

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


def of_json(error: msgspec.DecodeError, kind: Any) -> Refusal:
    """Return what a body causes that is no JSON, or not of the type that a route takes.

    >>> try:
    ...     msgspec.json.decode(b'{"error": 1}', type=Problem)
    ... except msgspec.DecodeError as error:
    ...     print(of_json(error, Problem).message)
    error: Expected `object`, got `int`
    """
    message = str(error)
    if not isinstance(error, msgspec.ValidationError):
        return Refusal(400, "body", f"body must be JSON: {message}")
    text, _, path = message.partition(" - at `")
    path = path.strip("`").rpartition("` in `")[2]  # a key of an object is said so
    named = re.search(r"(unknown|missing required) field `([^`]+)`", text)
    parts = [path.removeprefix("$").removeprefix("."), named[2] if named else ""]
    field = ".".join(filter(None, parts)) or "body"
    if named and named[1] != "unknown":
        return Refusal(422, field, f"{field} must be given")
    allowed = _names(kind, path) if named or text.startswith("Invalid enum value") else []
    if allowed:
        what = "one of the fields" if named else "one of"
        return Refusal(422, field, f"{field} must be {what} {', '.join(allowed)}")
    return Refusal(422, field, f"{field}: {text}")


def _inside(place: Any, name: str) -> Any:
    """Return the type of a field, or of what an array or an object holds; None if unknown."""
    for each in place.types if isinstance(place, msgspec.inspect.UnionType) else [place]:
        if isinstance(each, msgspec.inspect.StructType):
            return next((one.type for one in each.fields if one.encode_name == name), None)
        if isinstance(each, msgspec.inspect.DictType):
            return each.value_type
        if isinstance(each, msgspec.inspect.ListType):
            return each.item_type
    return None


def _names(kind: Any, path: str) -> list[str]:
    """Return the fields, or the values, that a type allows at a path such as `$.decisions[0]`.

    >>> _names(Problem, "$.error")
    ['status', 'field', 'message']
    """
    place: Any = msgspec.inspect.type_info(kind)
    for name in re.findall(r"\.(\w+)|\[", path):
        place = _inside(place, name)
    if isinstance(place, msgspec.inspect.LiteralType):
        return [str(value) for value in place.values]
    if isinstance(place, msgspec.inspect.StructType):
        return [field.encode_name for field in place.fields]
    return []
