"""Plain data: what JSON can hold, and back to what it was made from."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from driftbandit.core.errors import InputError, shown


def plain(value: Any) -> Any:
    """Return numbers, lists, records and generators as data that JSON can hold exactly.

    >>> plain([1, math.inf, (2.0, None)]), plain({3: (1, 0.5)})
    ([1, 'inf', [2.0, None]], [[3, [1, 0.5]]])
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Random):
        return plain(value.getstate())
    if isinstance(value, list | tuple | deque | np.ndarray | dict):
        items = value.items() if isinstance(value, dict) else value
        return [plain(item) for item in items]
    names = _fields(value)
    if names is None:
        return _number(value)
    return {name: plain(getattr(value, name)) for name in names}


def like(example: Any, value: Any, name: str = "state") -> Any:
    """Return plain data as a thing of the kind of `example`; raise if it cannot be one.

    Records keep their fields, and lists of records their length.

    >>> like(deque(), [[1, 2.0, "inf"]])
    deque([(1, 2.0, inf)])
    """
    try:
        return _like(example, value)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise InputError(f"{name} of the state cannot be read: {shown(value)}") from None


def _like(example: Any, value: Any) -> Any:
    if isinstance(example, list | tuple):
        return type(example)(_items(example, value))
    names = _fields(example)
    if names is not None:
        return _record(example, names, value)
    for kind, make in _MAKERS:
        if isinstance(example, kind):
            return make(value)
    return _number(value)


def _items(example: Any, value: Any) -> list[Any]:
    """Return a list of numbers, or of things that are like those of the example."""
    if example and not isinstance(example[0], int | float):
        return [_like(*pair) for pair in zip(example, value, strict=True)]
    return [_number(item) for item in value]


def _record(example: Any, names: list[str], value: Any) -> Any:
    """Fill the fields of a record, all of them and no others."""
    if set(names) != set(value):
        raise ValueError
    for name in names:
        setattr(example, name, _like(getattr(example, name), value[name]))
    return example


def _fields(value: Any) -> list[str] | None:
    """Return the names of the fields of a record; None for anything else."""
    if isinstance(value, SimpleNamespace):
        return list(vars(value))
    return list(value.__slots__) if hasattr(value, "__slots__") else None


def _number(value: Any) -> Any:
    """Return a number or None; those numbers that JSON lacks are texts."""
    if isinstance(value, str):
        return float(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    raise TypeError


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else _number(value)


def _generator(value: Any) -> Random:
    generator = Random()
    generator.setstate(_frozen(value))
    return generator


class Kept:
    """Something whose state is some of its attributes, which `kept` names."""

    kept: ClassVar[tuple[str, ...]] = ()

    def dump(self) -> dict[str, Any]:
        """Return the state as plain data."""
        return {name: plain(getattr(self, name)) for name in self.kept}

    def load(self, state: dict[str, Any]) -> None:
        """Take over the state of another one that was made with the same arguments."""
        if set(state) != set(self.kept):
            raise InputError(f"state must have {sorted(self.kept)}, got {sorted(state)}")
        for name in self.kept:
            setattr(self, name, like(getattr(self, name), state[name], name))


_MAKERS: list[tuple[type, Callable[[Any], Any]]] = [
    (deque, lambda value: deque(_frozen(item) for item in value)),
    (dict, lambda value: {key: _frozen(item) for key, item in value}),
    (np.ndarray, lambda value: np.array(_frozen(value), dtype=np.float64)),
    (Random, _generator),
]
"""How to make a thing of each kind from plain data."""
