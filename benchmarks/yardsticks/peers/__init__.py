"""Other bandit libraries, each through its own steps; none of them is ever a dependency.

An adapter is a file with `NAME`, the name of the module and of its distribution, and `players()`,
which maps a kind of policy to a maker of (choose, learn). A maker takes the number of arms and the
numbers of a recipe. Where a library's index has other constants, the maker translates them, so that
all play the same policy.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import io
import warnings
from types import ModuleType

from benchmarks.yardsticks.peers import mabwiser, pymab, river, smpybandits
from benchmarks.yardsticks.yardstick import Absent, Stepwise, Yardstick

ADAPTERS: tuple[ModuleType, ...] = (river, pymab, smpybandits, mabwiser)


def libraries() -> list[Yardstick | Absent]:
    """Return the libraries that can be imported, and why the others cannot."""
    return [library(adapter) for adapter in ADAPTERS]


def library(adapter: ModuleType) -> Yardstick | Absent:
    if importlib.util.find_spec(adapter.NAME) is None:
        return Absent(adapter.NAME, "not installed")
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some print and warn a lot when they are imported
            players = adapter.players()
    except ImportError as error:
        return Absent(adapter.NAME, f"cannot be imported: {error}")
    return Stepwise(f"{adapter.NAME} {importlib.metadata.version(adapter.NAME)}", players)
