"""No detection."""

from __future__ import annotations

import dataclasses

from driftbandit.rules.detect.rule import Detect


@dataclasses.dataclass(frozen=True)
class Never(Detect):
    """Never start over; the policies of Garivier & Moulines 2008 rely on forgetting alone.

    >>> Never.alarm([], 1.0, 5.0)
    False
    """
