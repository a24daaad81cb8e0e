"""The lock of an agent."""

from __future__ import annotations

import functools
import os
import time
import weakref
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

PATIENCE = 20e-6
"""Seconds until one who waits for a turn asks again."""
LONGEST = 0.2
"""Seconds that a process waits for all turns before it forks."""


class Turn:
    """A lock: `free` is an attribute that one thread at a time can delete, and then it is alone.

    Deleting and setting an attribute are one step of the interpreter each. So no signal, such as
    Ctrl-C, comes between taking the turn and the `try` whose end hands it back: it would never be
    free again, as happens with a lock that is taken by a call. It also takes half the time.

    >>> turn = Turn()
    >>> del turn.free
    >>> hasattr(turn, "free")
    False
    >>> turn.free = True

    A process that forks takes all turns before, so that no agent of its child is half changed; in
    the child all are free, since threads that had one do not go on there.
    """

    __slots__ = ("__weakref__", "free")

    def __init__(self) -> None:
        self.free = True
        _TURNS.add(weakref.ref(self, _TURNS.discard))

    def wait(self) -> None:
        """Let others work for a moment."""
        time.sleep(PATIENCE)


_TURNS: set[weakref.ref[Turn]] = set()
_taken: list[Turn] = []


def _take_all() -> None:
    """Take all turns, but wait no longer than this: others may be busy without a pause."""
    deadline = time.monotonic() + LONGEST
    for reference in _TURNS.copy():
        turn = reference()
        while turn is not None and time.monotonic() < deadline:
            try:
                del turn.free
                _taken.append(turn)
                break
            except AttributeError:
                turn.wait()


def _hand_back() -> None:
    for turn in _taken:
        turn.free = True
    _taken.clear()


def _free_all() -> None:
    _taken.clear()
    for reference in _TURNS.copy():
        turn = reference()
        if turn is not None:
            turn.free = True


if hasattr(os, "register_at_fork"):  # where processes can fork
    os.register_at_fork(before=_take_all, after_in_parent=_hand_back, after_in_child=_free_all)


class _HasTurn(Protocol):
    _turn: Turn


Owner = TypeVar("Owner", bound=_HasTurn)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def alone(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """Return a method that one thread at a time is in.

    Nobody may take the turn twice: such a method must not call another one.
    """

    @functools.wraps(method)
    def method_alone(owner: Owner, /, *args: Arguments.args, **more: Arguments.kwargs) -> Result:
        turn = owner._turn
        while True:
            try:
                del turn.free
                break
            except AttributeError:
                turn.wait()
        try:
            return method(owner, *args, **more)
        finally:
            turn.free = True

    return method_alone
