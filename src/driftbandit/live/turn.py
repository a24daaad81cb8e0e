"""The lock of an agent."""

from __future__ import annotations

from queue import SimpleQueue


class Turn(SimpleQueue[None]):
    """A lock: a queue with one token, and whoever holds the token is alone.

    `get` takes it, or waits for it, and `put(None)` hands it back. In CPython 3.11 that takes two
    thirds of the time of a lock, whose `acquire` parses its arguments. Nobody may take it twice.

    >>> turn = Turn()
    >>> with turn:
    ...     turn.empty()
    True
    >>> turn.empty()
    False
    """

    def __init__(self) -> None:
        super().__init__()
        self.put(None)

    def __enter__(self) -> None:
        """Wait for the token, and take it."""
        self.get()

    def __exit__(self, *error: object) -> None:
        """Hand it back."""
        self.put(None)
