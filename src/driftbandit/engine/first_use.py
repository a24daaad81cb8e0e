"""The first use of a function, which compiles it: a note, a count, and one line if it fails."""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from numba.core import errors, event

from driftbandit.core.errors import InputError
from driftbandit.engine import complaints
from driftbandit.engine.cache import note

COMPILED_ONCE = "compiling for first use, later runs start at once"
COMPILED_AGAIN = (
    "compiling, as in every process: code of a notebook or a script is not kept on disk"
)

notes: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""What to say when a function is compiled; nothing where no folder for its code could be found."""


class _Note(event.Listener):
    """Says once per process, on stderr, that a first use compiles."""

    def on_start(self, event: Any) -> None:
        """Say so when the first function is really compiled, not loaded from the cache."""
        text = notes.get(event.data["dispatcher"])
        if text:
            note(text)

    def on_end(self, event: Any) -> None:
        """Say nothing more."""


class _Pause(event.Listener):
    """Pauses the search for garbage, which takes a tenth of the time and finds nothing.

    There is one for the process: compilations of several threads may overlap.
    """

    def __init__(self) -> None:
        self.compiling, self.paused = 0, False

    def on_start(self, event: Any) -> None:
        """Pause when the first of our functions is compiled; its parts are compiled within."""
        if event.data["dispatcher"] in notes:
            self.compiling += 1
            if gc.isenabled():
                gc.disable()
                self.paused = True

    def on_end(self, event: Any) -> None:
        """Go on after the last one."""
        if event.data["dispatcher"] in notes:
            self.compiling -= 1
            if self.paused and self.compiling == 0:
                gc.enable()
                self.paused = False


event.register("numba:compile", _Pause())


class _Count(event.Listener):
    """Counts the functions that are really compiled, not loaded from the cache."""

    number = 0

    def on_start(self, event: Any) -> None:
        """Count one more."""
        self.number += 1

    def on_end(self, event: Any) -> None:
        """Do nothing more."""


@contextmanager
def counted() -> Iterator[_Count]:
    """Yield a count of compilations that goes on as long as the block."""
    count = _Count()
    with event.install_listener("numba:compile", count):
        yield count


@contextmanager
def explained() -> Iterator[None]:
    """Announce the first compilation of the process, and say in one line if one fails."""
    with event.install_listener("numba:compile", _Note()), in_one_line():
        yield


@contextmanager
def in_one_line() -> Iterator[None]:
    """Say in one line what is wrong with a rule that cannot be compiled."""
    try:
        yield
    except (errors.NumbaError, errors.UnsupportedBytecodeError) as error:
        raise InputError(complaints.reason(str(error))) from error
    except NotImplementedError as error:
        if not _within_compiler(error):
            raise
        raise InputError(
            "a rule cannot be compiled: it returns a state, which choose, learn and start must not"
        ) from error
    except KeyError as error:
        if not _within_compiler(error):
            raise
        name = error.args[0]
        raise InputError(f"a rule uses state.{name}, which its state does not declare") from error
    except FileNotFoundError as error:
        if _current_folder_exists():
            raise
        raise InputError(
            "the current folder must exist while code is compiled, and was removed"
        ) from error


def _current_folder_exists() -> bool:
    try:
        return bool(os.getcwd())
    except FileNotFoundError:
        return False


def _within_compiler(error: BaseException) -> bool:
    """Return whether an exception comes from Numba: of a field that a record does not have."""
    return {"numba", "core"} <= set(
        Path(traceback.extract_tb(error.__traceback__)[-1].filename).parts
    )
