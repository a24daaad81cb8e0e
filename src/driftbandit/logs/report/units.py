"""Rewards as people read them: shares of successes in percent, anything else as a number."""

from __future__ import annotations

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Units:
    """How rewards are written: as percent where each is 0 or 1.

    >>> Units(True).say(0.1234), Units(True).more(-0.01), Units(False).between(1.5, 2.25)
    ('12.3 %', '−1.0 points', '1.5 to 2.25')
    """

    percent: bool

    def say(self, value: float) -> str:
        """Return a reward."""
        if math.isnan(value):
            return "–"
        if not self.percent:
            return f"{value:.4g}"
        digits = 1 if abs(value) >= 0.01 else 2
        return f"{100.0 * value:.{digits}f} %"

    def between(self, low: float, high: float) -> str:
        """Return an interval."""
        if math.isnan(low) or math.isnan(high):
            return "–"
        ends = (self.say(low).removesuffix(" %"), self.say(high)) if self.percent else None
        return " to ".join(ends or (self.say(low), self.say(high)))

    def more(self, difference: float) -> str:
        """Return a difference with its sign; of percents, in points."""
        if math.isnan(difference):
            return "–"
        sign = "−" if difference < 0.0 else "+"
        if not self.percent:
            return f"{sign}{abs(difference):.4g}"
        digits = 1 if abs(difference) >= 0.001 else 2
        return f"{sign}{100.0 * abs(difference):.{digits}f} points"

    def gap(self, low: float, high: float) -> str:
        """Return an interval of differences.

        >>> Units(True).gap(0.01, 0.1)
        '+1.0 to +10.0 points'
        """
        return f"{self.more(low).removesuffix(' points')} to {self.more(high)}"
