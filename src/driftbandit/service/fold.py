"""The fold: everything that a process knows, as the log makes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from driftbandit.service import events
from driftbandit.service.events import VERSION, Row
from driftbandit.service.experiment import Experiment


class FoldError(RuntimeError):
    """A log cannot be folded here: it has a gap, or belongs to another version."""


class Key(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who may do what; `digest` is the hash of the key, and the key itself is nowhere."""

    name: str
    scopes: tuple[events.Scope, ...]
    digest: str
    rate: float | None = None


class Fold:
    """A pure function of a prefix of the log: experiments and keys, at a position.

    >>> fold = Fold()
    >>> fold.apply(Row(1, 7.5, "", events.Began(VERSION)))
    >>> fold.position, fold.at, len(fold.digest())
    (1, 7.5, 32)
    """

    def __init__(self) -> None:
        self.position, self.at = 0, 0.0
        self.experiments: dict[str, Experiment] = {}
        self.keys: dict[str, Key] = {}

    def apply(self, row: Row) -> None:
        """Take in the next row."""
        position, at, experiment, event = row
        if position != self.position + 1 and not isinstance(event, events.Began):
            raise FoldError(f"the log goes on at {self.position + 1}, got {position}")
        if experiment:
            self._experiment(row)
        else:
            self._common(event)
        self.position, self.at = position, at

    def extend(self, rows: Iterable[Row]) -> None:
        """Take in the rows that follow."""
        for row in rows:
            self.apply(row)

    def _experiment(self, row: Row) -> None:
        position, at, name, event = row
        if isinstance(event, events.Created):
            self.experiments[name] = Experiment(name, position, at, event)
        else:
            self.experiments[name].apply(position, at, event)

    def _common(self, event: events.AnyEvent) -> None:
        match event:
            case events.Began(version, state):
                if version != VERSION:
                    raise FoldError(f"the log is of version {version}, this program of {VERSION}")
                if state is not None:
                    self.__dict__.update(vars(Fold.restore(state)))
            case events.KeyAdded(id, name, scopes, digest, rate):
                self.keys[id] = Key(name, scopes, digest, rate)
            case events.KeyRevoked(id):
                self.keys.pop(id, None)
            case _:
                raise FoldError(f"{type(event).__name__} must belong to an experiment")

    def state(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "position": self.position,
            "at": self.at,
            "experiments": {name: each.state() for name, each in self.experiments.items()},
            "keys": msgspec.to_builtins(self.keys),
        }

    def digest(self) -> str:
        """Return the hash of the state: equal where the states are."""
        return digest_of(encoded(self.state()))

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Fold:
        """Return the fold whose `state` this is."""
        self = cls()
        self.position, self.at = state["position"], state["at"]
        for name, each in state["experiments"].items():
            self.experiments[name] = Experiment.restore(name, each)
        self.keys = msgspec.convert(state["keys"], dict[str, Key])
        return self


def encoded(state: dict[str, Any]) -> bytes:
    """Return a state as JSON that is the same for equal states."""
    return msgspec.json.encode(state, order="deterministic")


def digest_of(payload: bytes) -> str:
    """Return the hash of an encoded state."""
    return hashlib.blake2b(payload, digest_size=16).hexdigest()
