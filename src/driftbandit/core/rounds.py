"""Rounds of a world as a user gives them: breakpoints, planned restarts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from driftbandit.core.arrays import is_list
from driftbandit.core.errors import require, whole

LONGEST = 10**12
"""Rounds of a run, at most: these take hours, and more would take days."""


def increasing_rounds(name: str, value: Any) -> tuple[int, ...]:
    """Return `value` as strictly increasing rounds of at least 2, or raise.

    >>> increasing_rounds("breakpoints", [3000, 5e3])
    (3000, 5000)
    """
    require(is_list(value), name, value, "be a list of rounds")
    rounds = tuple(whole(f"{name}[{j}]", b, least=2) for j, b in enumerate(value))
    rising = all(a < b for a, b in pairwise(rounds))
    require(rising, name, list(rounds), "be strictly increasing")
    return rounds
