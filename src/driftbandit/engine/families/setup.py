"""What a family tells the engine about a policy."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]


@dataclasses.dataclass(frozen=True)
class Setup:
    """The functions that play a policy in lockstep, their numbers, and the memory they need.

    `rows` numbers are kept an arm and lane, `ring` rounds of plays, `noise` uniform numbers are
    drawn a round and lane, and the first `forced` rounds play arms 0, 1, 2, … in turn.
    """

    choose: Function
    learn: Function
    functions: tuple[Function, ...]
    numbers: tuple[tuple[float, ...], ...]
    flags: tuple[bool, ...]
    rows: int
    noise: int
    ring: int
    forced: int = 0


def nothing(*anything: Any) -> float:
    """Fill the place of a function that a family does not use."""
    return 0.0
