"""Full history: nothing is forgotten."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from driftbandit.rules.forget.rule import Forget


@dataclasses.dataclass(frozen=True)
class Full(Forget):
    """Remember every play with the same weight: plain averages, clock t.

    The memory of UCB-1; right when nothing changes.

    >>> Full.factor(7.0)
    1.0
    """

    steady: ClassVar[bool] = True
