"""Other bandit libraries, each through its own steps; none of them is ever a dependency.

An adapter is a file with `NAME`, what to import and what its distribution is called, and
`players()`: makers of (choose, learn) by kind of policy, whose arguments are the number of arms and
the numbers of `driftbandit.bench.recipe`. Where a library's index has other constants, the maker
translates, so that all play the same policy.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import io
import warnings
from types import ModuleType

from benchmarks.peers import mabwiser, pymab, river, smpybandits
from driftbandit.bench.yardstick import Absent, Stepwise, Yardstick

ADAPTERS: tuple[ModuleType, ...] = (river, pymab, smpybandits, mabwiser)


def found() -> list[Yardstick | Absent]:
    """Return the libraries that can be imported, and why the others cannot."""
    return [peer(adapter) for adapter in ADAPTERS]


def peer(adapter: ModuleType) -> Yardstick | Absent:
    if importlib.util.find_spec(adapter.NAME) is None:
        return Absent(adapter.NAME, "not installed")
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some print and warn a lot when they are imported
            players = adapter.players()
    except ImportError as error:
        return Absent(adapter.NAME, f"cannot be imported: {error}")
    return Stepwise(f"{adapter.NAME} {importlib.metadata.version(adapter.NAME)}", players)
