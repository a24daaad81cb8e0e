"""Values: immutable, comparable, printable things made of parameters that survive JSON.

Policies, their axes, worlds and reward laws are values. A value is written as an object whose
`kind` says which class it is of: `driftbandit:forget.Discount` (`core.kinds`).
"""

import dataclasses
import json
import math
from typing import Any, Self

import numpy as np

from driftbandit.core.domain import domains
from driftbandit.core.errors import InputError, article, as_float, is_number, shown
from driftbandit.core.kinds import class_of, kind_of

PLAIN = (float, int, str, tuple, type(None), np.generic, np.ndarray)
"""What most fields hold, and `to_json` can write."""


@dataclasses.dataclass(frozen=True)
class Value:
    """Base of every frozen dataclass that must print, compare, pickle and survive JSON.

    Subclasses are `@dataclass(frozen=True)`. Fields hold numbers, strings, None, other values, or
    (nested) tuples of those. What a field may hold is declared in its annotation (`core.domain`);
    what one field alone cannot tell is checked by `validate`.

    >>> from driftbandit.core.domain import Positive
    >>> from driftbandit.core.errors import require
    >>> @dataclasses.dataclass(frozen=True)
    ... class Span(Value):
    ...     low: Positive
    ...     high: Positive
    ...
    ...     def validate(self):
    ...         require(self.low < self.high, "low", self.low, f"be below high, {self.high:g}")
    >>> Span(1, 2)
    Span(low=1.0, high=2.0)
    >>> Span(3, 2)
    Traceback (most recent call last):
    driftbandit.InputError: low must be below high, 2, got 3.0
    """

    def __post_init__(self) -> None:
        """Check every field by its domain, then all together."""
        for name, domain in domains(type(self)):
            value = getattr(self, name)
            checked = domain(name, value)
            if checked is not value:
                object.__setattr__(self, name, checked)
        self._store_decimals()
        self.validate()

    def _store_decimals(self) -> None:
        """Store decimals, fractions and their like as floats, where no domain has: JSON has none.

        One that no float can hold stays as it is.
        """
        for field in dataclasses.fields(self):
            value = getattr(self, field.name, None)  # some are set later
            own = not isinstance(value, PLAIN) and is_number(value)
            if own and math.isfinite(as_float(value)):
                object.__setattr__(self, field.name, as_float(value))

    def validate(self) -> None:
        """Raise if fields that are right one by one do not go together; a hook for subclasses."""

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone: what a value has computed from them does not travel."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    def to_json(self) -> str:
        """Write this value as JSON text; `from_json` reads it back."""
        return json.dumps(_plain(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a value that `to_json` wrote, checking every parameter again.

        Nothing is imported: a class of your own must be defined before its values are read.
        """
        try:
            value = _value(json.loads(text, object_pairs_hook=_unique))
        except InputError:
            raise
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"not valid JSON: {error}") from None
        if not isinstance(value, cls):
            text = f"expected {article(cls.__name__)}, got {type(value).__name__}"
            family = _family(cls, type(value))
            raise InputError(f"{text}: {family}.from_json reads both" if family else text)
        return value

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed, checked like a new value."""
        return dataclasses.replace(self, **changes)

    def _set(self, **fields: Any) -> None:
        """Store fields from within `validate` or `__post_init__`."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)


def check_fields(value: Value) -> None:
    """Raise if a value holds what is no field: two that differ in nothing else would be equal.

    >>> class Span(Value):
    ...     def __init__(self, low):
    ...         self.low = low
    >>> check_fields(Span(1.0))
    Traceback (most recent call last):
    driftbandit.InputError: low of Span must be a field, of @dataclass(frozen=True) class Span: \
Span(1) and Span(2) would be equal
    """
    cls = type(value)
    owner = next(base for base in cls.__mro__ if "__init__" in vars(base))
    if "__dataclass_fields__" not in vars(owner):
        names = {field.name for field in dataclasses.fields(value)}
        kept = [name for name in vars(value) if name not in names and not hasattr(cls, name)]
        if kept:
            raise InputError(
                f"{kept[0]} of {cls.__name__} must be a field, of @dataclass(frozen=True) class "
                f"{cls.__name__}: {cls.__name__}(1) and {cls.__name__}(2) would be equal"
            )


def _family(cls: type, other: type) -> str:
    """Return the nearest class of values that two classes share; an empty text for none."""
    shared = (base for base in other.__mro__ if issubclass(cls, base) and issubclass(base, Value))
    family = next(shared, Value)
    return "" if family is Value else family.__name__


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raise if it names a field twice."""
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"not valid JSON: {twice!r} stands twice in one object")
    return dict(pairs)


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        fields = {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"kind": kind_of(type(value)), **fields}
    if isinstance(value, tuple | list | np.ndarray):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(item) for item in plain)
    if not isinstance(plain, dict):
        return plain
    fields = {name: _value(item) for name, item in plain.items() if name != "kind"}
    cls = _class(plain.get("kind"))
    try:
        return cls(**fields)
    except TypeError as error:
        raise InputError(f"{cls.__name__} cannot be made from {sorted(fields)}: {error}") from None


def _class(kind: Any) -> type[Value]:
    cls = class_of(str(kind), Value)
    if cls is None:
        raise InputError(
            "kind must name a class of driftbandit, or one of your own that is defined here, as "
            f"module:Class, got {shown(kind)}"
        )
    return cls
