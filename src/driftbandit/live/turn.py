"""The lock of an agent."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

PATIENCE = 20e-6
"""Seconds until one who waits for a turn asks again."""


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
    """

    __slots__ = ("free",)

    def __init__(self) -> None:
        self.free = True

    def wait(self) -> None:
        """Let others work for a moment."""
        time.sleep(PATIENCE)


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
