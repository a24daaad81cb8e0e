"""Small jobs: plain Python plays them sooner than their loops could be compiled.

A loop is a plain function until it is compiled, and plays the same bits either way. So a loop that
is neither compiled nor kept on disk plays a few small jobs as it is.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from driftbandit.engine import compiler

VARIABLE = "DRIFTBANDIT_SMALL_JOB"
"""A variable of the environment that takes the place of `PLAYS`; with 0, all is compiled, and for
speed."""

PLAYS = 30_000
"""Rounds × lanes × arms of a small job, at most: a tenth of a second of UCB-1, a second of Auto."""

MIDDLING = 125_000_000
"""Rounds × lanes × arms of a middling job, at most: the quickest loop would save less time than it
takes to compile."""


MANY = 8 * MIDDLING
"""After so many plays of a lean loop in one process, the quickest is compiled anyway."""


def small_plays() -> int:
    """Return the most rounds × lanes × arms of a small job.

    >>> small_plays() <= 30_000
    True
    """
    return int(os.environ.get(VARIABLE, PLAYS))


class Loop:
    """A loop that plays as it is, or compiled; `foreign` are functions of a user's own in it."""

    def __init__(
        self, function: compiler.Function, seal: int, foreign: list[compiler.Function]
    ) -> None:
        self.function, self.seal, self.foreign = function, seal, foreign
        self.own = not foreign
        self.compiled = compiler.compiled(function, seal, allocates=not self.own)
        self.played = 0
        """Rounds × lanes × arms so far."""

    @property
    def is_ready(self) -> bool:
        """Whether the loop need not be compiled: this process has done so, or an earlier one."""
        ready = bool(getattr(self.compiled, "overloads", True))  # plain Python has none
        return ready or self._is_on_disk()

    def plays_as_it_is(self, small: int) -> bool:
        """Return whether another small job is left to plain Python.

        A user's own functions are always compiled: they may divide by zero, say, which machine code
        and plain Python do not take alike. A loop that has played a job's worth is compiled, too.
        """
        return self.own and self.played < small and not self.is_ready

    def _is_on_disk(self) -> bool:
        """Return whether an earlier process has compiled the loop."""
        file = getattr(self.compiled._cache, "_cache_file", None)
        return file is not None and Path(file._index_path).is_file()

    def play_as_it_is(self, *arguments: Any) -> None:
        """Play rounds in plain Python, which is as silent as machine code."""
        with np.errstate(all="ignore"):
            self.function(*arguments)

    def play_compiled(self, *arguments: Any) -> None:
        """Play rounds in machine code, which returns the seal of the code that it is."""
        compiler.check(self.compiled(*arguments), self.seal)
