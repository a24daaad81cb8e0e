"""What a rule or a procedure keeps, by names: one record in compiled code, one object live."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from driftbandit.core.errors import InputError, whole


class State:
    """The names of the numbers that are kept, and of arrays with their lengths; all begin at zero.

    A function that is handed the state reads and writes them as attributes. In compiled code the
    state is a record, in a live agent a plain object with the same names.

    >>> state = State("up", "down", ring=3)
    >>> state.blank()
    namespace(up=0.0, down=0.0, ring=[0.0, 0.0, 0.0])
    >>> state.numbers
    5
    """

    def __init__(self, *names: str, **lengths: int) -> None:
        self.names = names
        self.lengths = {name: whole(name, length) for name, length in lengths.items()}
        fields = [*names, *lengths]
        for name in fields:
            if not (isinstance(name, str) and name.isidentifier() and not name.startswith("_")):
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

    def blank(self) -> SimpleNamespace:
        """Return the state of a live agent before the first round."""
        numbers = dict.fromkeys(self.names, 0.0)
        arrays = {name: [0.0] * length for name, length in self.lengths.items()}
        return SimpleNamespace(**numbers, **arrays)

    def __repr__(self) -> str:
        """Return how the state is declared."""
        lengths = [f"{name}={length}" for name, length in self.lengths.items()]
        return f"State({', '.join([*map(repr, self.names), *lengths])})"


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
