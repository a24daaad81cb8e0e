"""What may be agreed with a live agent, by name, for editors and type checkers."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, TypedDict


class AgentTerms(TypedDict, total=False):
    """The terms of an agent, which `Agent` explains; all have defaults."""

    floor: float
    reward_within: float | str | timedelta | None
    default_reward: float | None
    combine: Literal["first", "last", "sum"]
    duplicates: Literal["ignore", "refuse"]
    most_pending: int
