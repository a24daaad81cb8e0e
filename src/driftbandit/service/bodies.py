"""What is wrong with a body: which field, what is allowed there, and what it is."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import msgspec.inspect

from driftbandit.core.errors import shown
from driftbandit.service.problems import Refusal, in_json

WORDS = {
    "float": "a number", "int": "a whole number", "str": "text", "bool": "true or false",
    "array": "an array", "object": "an object",
}  # fmt: skip
"""What msgspec calls a type, and what a message does."""
PLACE = re.compile(r" - at `(?P<key>key` in `)?(?P<path>\$[^`]*)`$")
"""The end of a message of msgspec: where it is, and whether it is a name in an object there."""


def refusal_of(error: msgspec.DecodeError, kind: Any, raw: bytes) -> Refusal:
    """Return what a body causes that is no JSON, or not of the type that a route takes.

    >>> from driftbandit.service.problems import Problem
    >>> body = b'{"error": 1}'
    >>> try:
    ...     msgspec.json.decode(body, type=Problem)
    ... except msgspec.DecodeError as error:
    ...     print(refusal_of(error, Problem, body).message)
    error must be an object, got 1
    """
    message = str(error)
    if not isinstance(error, msgspec.ValidationError):
        return Refusal(400, "body", f"body must be JSON: {message}")
    place = PLACE.search(message)
    text = message[: place.start()] if place else message
    of_key, path = (bool(place["key"]), place["path"]) if place else (False, "$")
    named = re.search(r"(unknown|missing required) field `([^`]*)`", text)
    names = [path.removeprefix("$").removeprefix("."), named[2] or "''" if named else ""]
    field = ".".join(filter(None, names)) or "body"
    if named and named[1] == "unknown":
        allowed = f"one of the fields {', '.join(_names(kind, path))}"
    elif named:
        allowed = "given"
    elif text.startswith("Invalid enum value"):
        allowed = f"one of {', '.join(_names(kind, path))}"
    else:
        allowed = _in_words(text)
    values = [] if named else _values(raw, path, of_key)
    got = f", got {in_json(shown(values[0]))}" if len(values) == 1 else ""
    subject = f"a name in {field}" if of_key else field
    return Refusal(422, field, f"{subject} must be {allowed}{got}")


def _in_words(text: str) -> str:
    """Return what msgspec expects, in words.

    >>> _in_words("Expected `array | null`, got `str`"), _in_words("Expected `float` >= 0.0")
    ('an array or null', 'a number >= 0.0')
    """
    if text.endswith("out of range"):
        return "a number that 64 bits can hold"
    expected = re.match(r"Expected `([^`]+)`(.*?)(, got `[^`]*`)?$", text)
    if expected is None:
        return f"another one: {text}"
    kinds = [WORDS.get(each, each) for each in expected[1].split(" | ")]
    return " or ".join(kinds) + expected[2]


def _steps(path: str) -> list[str]:
    """Return the steps of a path: names, `[1]` in an array, `[...]` in an object.

    >>> _steps("$.shares[...].most")
    ['shares', '[...]', 'most']
    """
    return re.findall(r"\w+(?![\w\]])|\[[^\]]*\]", path.removeprefix("$"))


def _values(raw: bytes, path: str, of_key: bool) -> list[Any]:
    """Return the values that a path may mean: several, or none, where it is not clear which."""
    try:
        values = [json.loads(raw.decode("utf-8", "replace"), object_pairs_hook=_object)]
    except (ValueError, RecursionError):  # what is behind the fault is no JSON
        return []
    for step in _steps(path):
        if step == "[...]":
            values = [each for value in values for each in value.values()]
        elif step.startswith("["):
            values = [value[int(step[1:-1])] for value in values]
        else:
            values = [value[step] for value in values if step in value]
    return [key for value in values for key in value] if of_key else values


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, or raise if a name is twice in it."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError
    return fields


def _inside(place: Any, step: str) -> Any:
    """Return the type of a field, or of what an array or an object holds; None if unknown."""
    for each in place.types if isinstance(place, msgspec.inspect.UnionType) else [place]:
        if isinstance(each, msgspec.inspect.StructType):
            return next((one.type for one in each.fields if one.encode_name == step), None)
        if isinstance(each, msgspec.inspect.DictType):
            return each.value_type
        if isinstance(each, msgspec.inspect.ListType):
            return each.item_type
    return None


def _names(kind: Any, path: str) -> list[str]:
    """Return the fields, or the values, that a type allows at a path such as `$.decisions[0]`.

    >>> from driftbandit.service.problems import Problem
    >>> _names(Problem, "$.error")
    ['status', 'field', 'message']
    """
    place: Any = msgspec.inspect.type_info(kind)
    for step in _steps(path):
        place = _inside(place, step)
    if isinstance(place, msgspec.inspect.LiteralType):
        return [str(value) for value in place.values]
    if isinstance(place, msgspec.inspect.StructType):
        return [field.encode_name for field in place.fields]
    return []
