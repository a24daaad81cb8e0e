"""What a rule or a procedure keeps, by names: one record in compiled code, one object live."""

from __future__ import annotations

import functools
import keyword
import operator
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from driftbandit.core.errors import InputError, whole


class State:
    """The names of the numbers that are kept, and of arrays with their lengths; all begin at zero.

    A function that is handed the state reads and writes them as attributes. In compiled code the
    state is a record, in a live agent a plain object with the same names.

    >>> state = State("up", "down", ring=3)
    >>> state.blank()
    state(up=0.0, down=0.0, ring=[0.0, 0.0, 0.0])
    >>> state.numbers
    5
    """

    def __init__(self, *names: str, **lengths: int) -> None:
        self.names = names
        self.lengths = {name: whole(name, length) for name, length in lengths.items()}
        fields = [*names, *lengths]
        for name in fields:
            fits = isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)
            if not fits or name.startswith("_"):
                raise InputError(f"state must have names that can be attributes, got {name!r}")
        if len(set(fields)) < len(fields):
            raise InputError(f"state must have names that differ, got {fields!r}")

    @property
    def numbers(self) -> int:
        """How many numbers are kept."""
        return len(self.names) + sum(self.lengths.values())

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The type of the record; one that keeps nothing has a field that nobody reads."""
        fields: list[Any] = [(name, np.float64) for name in self.names or ("nothing",)]
        fields += [(name, np.float64, (length,)) for name, length in self.lengths.items()]
        return record_type(fields)

    def blank(self) -> Any:
        """Return the state of a live agent before the first round."""
        arrays = [[0.0] * length for length in self.lengths.values()]
        return _live((*self.names, *self.lengths), [0.0] * len(self.names) + arrays)

    def __repr__(self) -> str:
        """Return how the state is declared."""
        lengths = [f"{name}={length}" for name, length in self.lengths.items()]
        return f"State({', '.join([*map(repr, self.names), *lengths])})"


class _Live:
    """A live state: its fields are its attributes, and it has no others."""

    __slots__: tuple[str, ...] = ()

    _values: ClassVar[Callable[[Any], Any]]
    """Returns the values of all fields of a state: one value, or a tuple."""

    def __repr__(self) -> str:
        """Return the fields."""
        return f"state({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same fields and values."""
        kind = type(self)
        return type(other) is kind and bool(kind._values(self) == kind._values(other))

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again: its class is made as it is needed."""
        return _live, (self.__slots__, [getattr(self, name) for name in self.__slots__])


def _live(names: tuple[str, ...], values: list[Any]) -> _Live:
    """Return a live state with these fields."""
    state = _live_class(names)()
    for name, value in zip(names, values, strict=True):
        setattr(state, name, value)
    return state


@functools.cache
def _live_class(names: tuple[str, ...]) -> type[_Live]:
    """Return the class of live states with fields of these names."""
    values = operator.attrgetter(*names) if names else bool
    return type("state", (_Live,), {"__slots__": names, "_values": staticmethod(values)})


class Record(np.record):  # type: ignore[misc]  # numpy's stubs call its base final
    """A record whose fields are attributes, also those named like a method: `mean`, `sum`, ….

    Compiled code does not need it; with the compiler switched off the same code runs on it.
    """

    def __getattribute__(self, name: str) -> Any:
        """Return a field before anything else of this name."""
        names = np.void.__getattribute__(self, "dtype").names
        return self[name] if name in names else np.void.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field."""
        self[name] = value


def record_type(fields: list[Any]) -> np.dtype[np.void]:
    """Return the type of records with these fields."""
    return np.dtype((Record, np.dtype(fields, align=True)))


NOTHING = State()
"""The state of what keeps nothing."""
