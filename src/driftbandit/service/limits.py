"""How often a key may ask: a bucket for each, which fills with time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from driftbandit.service.keys import Holder
from driftbandit.service.problems import Refusal


class Limits:
    """The buckets of one process.

    A bucket holds what a key may ask for in a second. A request is answered while something is
    left; what it asks for beyond that is owed, so that a batch may be larger than a bucket.

    >>> limits = Limits(clock=lambda: 0.0)
    >>> web = Holder("a", rate=2.0)
    >>> limits.admit(web); limits.take(web, items=9)
    >>> try:
    ...     limits.admit(web)
    ... except Refusal as refusal:
    ...     print(refusal, refusal.headers)
    the key may ask for 2 items a second [(b'retry-after', b'5')]
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def admit(self, holder: Holder | None) -> None:
        """Take one item, or raise a `Refusal` if the bucket is empty."""
        if holder is None or holder.rate is None:
            return
        level = self._level(holder.id, holder.rate)
        if level <= 0.0:
            message = f"the key may ask for {holder.rate:g} items a second"
            seconds = str(math.floor(-level / holder.rate) + 1)
            raise Refusal(429, "rate", message, retry_after=seconds)
        self.take(holder, 1)

    def take(self, holder: Holder | None, items: int) -> None:
        """Take out what a request asks for."""
        if holder is not None and holder.rate is not None:
            level = self._level(holder.id, holder.rate) - items
            self._buckets[holder.id] = level, self.clock()

    def _level(self, id: str, rate: float) -> float:
        most, now = max(rate, 1.0), self.clock()
        level, since = self._buckets.get(id, (most, now))
        return min(level + (now - since) * rate, most)


def items_of(body: Any) -> int:
    """Return how many decisions or rewards a request asks for: 1 if it is no batch."""
    return len(getattr(body, "decisions", None) or getattr(body, "rewards", None) or "1")
