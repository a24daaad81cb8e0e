"""Stretches and points of time, in seconds."""

from __future__ import annotations

import math
import re
import time
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from driftbandit.core.domain import Checked
from driftbandit.core.errors import as_float, is_number, require

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}

LONGEST, LATEST = 1e15, 1e11
"""The most seconds of a stretch, and from 1970 to a point of time, which lies in the year 5138.

The milliseconds of today are more than that.
"""

ALLOWED = "be seconds, a timedelta or a text such as '90s', '15m', '6h', '7d' or '2w', and positive"


def seconds_of(name: str, value: Any) -> float:
    """Return a stretch of time as seconds, or raise.

    >>> seconds_of("reward_within", "1.5h"), seconds_of("reward_within", timedelta(minutes=2))
    (5400.0, 120.0)
    """
    seconds = math.nan
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
    elif is_number(value):
        seconds = as_float(value)
    elif isinstance(value, str):
        match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([smhdw])\s*", value)
        seconds = float(match[1]) * UNITS[match[2]] if match else math.nan
    require(0.0 < seconds <= LONGEST, name, value, ALLOWED)
    return seconds


def moment_of(at: Any) -> float:
    """Return a point of time as seconds since 1970, or raise; None is now.

    >>> moment_of(12), moment_of(datetime(1970, 1, 2, tzinfo=UTC))
    (12.0, 86400.0)
    """
    if at is None:
        return time.time()
    if type(at) is float and abs(at) <= LATEST:
        return at
    seconds = math.nan
    if isinstance(at, datetime):
        zoned = at.tzinfo is not None
        require(zoned, "at", at, "have a time zone: datetime.now(UTC), for instance")
        seconds = at.astimezone(UTC).timestamp()
    elif is_number(at):
        seconds = as_float(at)
    require(
        abs(seconds) <= LATEST, "at", at, "be seconds since 1970 or a datetime with a time zone"
    )
    return seconds


Duration = Annotated[float | str | timedelta, Checked(seconds_of)]
"""A field that holds a positive stretch of time, as seconds."""
