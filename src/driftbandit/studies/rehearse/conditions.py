"""The conditions of production: how rewards come, when decisions are due, which arms exist."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import is_list, real_array
from driftbandit.core.callbacks import require_function
from driftbandit.core.domain import Real
from driftbandit.core.duration import seconds_of
from driftbandit.core.errors import InputError, as_float, is_flag, require, shown, whole

Array = NDArray[np.float64]

SHARE = Real("[0, 1]")

HOURS = 24

MOST_SERVERS = 1_000
"""Each is an agent, made anew for every run and policy."""

DAILY = Real("[0.001, 1e12]")
"""Decisions a day: with fewer, times outgrow what an agent takes for a time."""


@dataclasses.dataclass(frozen=True)
class Delay:
    """How late rewards are: between two ends, or a user's function of a uniform number.

    In seconds, or in decisions: a delay of d decisions means that d more are made before the
    reward comes.
    """

    shortest: float = 0.0
    longest: float = 0.0
    in_seconds: bool = False
    quantile: Callable[[float], float] | None = None

    @classmethod
    def checked(cls, delay: Any) -> Delay:
        """Return the delay for an argument of `rehearse`, or raise.

        >>> Delay.checked(100).longest, Delay.checked(("1m", "2h")).shortest
        (100.0, 60.0)
        """
        if callable(delay):
            require_function("delay", delay, "u")
            return cls(quantile=delay)
        ends = delay if is_list(delay) else (delay, delay)
        require(len(ends) == 2, "delay", delay, "be one, or a pair: the shortest and the longest")
        in_seconds = any(isinstance(end, str | timedelta) for end in ends)
        if in_seconds:
            shortest, longest = (_seconds(delay, end) for end in ends)
        else:
            shortest, longest = (float(whole("delay", end, least=0)) for end in ends)
        require(shortest <= longest, "delay", delay, "have its shortest before its longest")
        return cls(shortest, longest, in_seconds)

    def drawn(self, u: Array) -> Array:
        """Return the delays that uniform numbers draw."""
        if self.quantile is not None:
            return np.array([_decisions(self.quantile, each) for each in u.tolist()])
        if self.in_seconds:
            return self.shortest + (self.longest - self.shortest) * u
        return np.floor(self.shortest + (self.longest - self.shortest + 1.0) * u)


def _seconds(delay: Any, end: Any) -> float:
    """Return one end of a delay in seconds; beside a time, no number but 0 has a unit."""
    if isinstance(end, str | timedelta):
        return seconds_of("delay", end)
    zero = isinstance(end, int | float) and end == 0
    require(zero, "delay", delay, "be two times or two numbers of decisions")
    return 0.0


def _decisions(quantile: Callable[[float], float], u: float) -> float:
    """Return the delay that a user's function draws, or raise."""
    number = as_float(quantile(u))
    if not 0.0 <= number <= 1e15:
        raise InputError(f"delay must return a number of decisions, got {shown(number)} for {u:g}")
    return float(np.floor(number))


@dataclasses.dataclass(frozen=True)
class Conditions:
    """What `rehearse` was told of production."""

    delay: Delay = Delay()
    lost: float = 0.0
    duplicated: float = 0.0
    arrivals: tuple[float, ...] = ()
    """Decisions per hour, for every hour of the day; none for one decision a round of the world."""
    spans: tuple[tuple[int, int, float], ...] = ()
    """Arms that are not always in play: the arm, its first round and its last."""
    servers: int = 1
    behind: int = 0

    @classmethod
    def checked(
        cls,
        delay: Any,
        lost: float,
        duplicated: float,
        arrivals: Any,
        arms: Any,
        servers: int,
        behind: int,
    ) -> Conditions:
        """Return the conditions for arguments of `rehearse`, or raise."""
        return cls(
            Delay.checked(delay),
            float(SHARE("lost", lost)),
            float(SHARE("duplicated", duplicated)),
            _rates(arrivals),
            _spans(arms),
            whole("servers", servers, most=MOST_SERVERS),
            whole("behind", behind, least=0),
        )

    def in_play(self, rounds: int, arms: int) -> NDArray[np.bool_] | None:
        """Return which arms are in play in which rounds, or None if all are in all of them."""
        if not self.spans:
            return None
        table = np.ones((rounds, arms), dtype=np.bool_)
        for arm, first, last in self.spans:
            require(arm < arms, "arms", arm, f"name arms of the world, which has {arms}")
            table[:, arm] = (np.arange(1, rounds + 1) >= first) & (np.arange(1, rounds + 1) <= last)
        empty = np.flatnonzero(~table.any(axis=1))
        if empty.size:
            raise InputError(
                f"arms must leave one in play in every round, none is in {empty[0] + 1}"
            )
        return table


def _rates(arrivals: Any) -> tuple[float, ...]:
    """Return decisions per hour for the hours of a day, or raise."""
    if arrivals is None:
        return ()
    rates = real_array(arrivals)
    allowed = f"be decisions per hour: one number, or one for each of {HOURS} hours"
    fits = rates is not None and rates.shape in ((), (HOURS,)) and not is_flag(arrivals)
    require(fits, "arrivals", arrivals, allowed)
    hours = np.broadcast_to(np.asarray(rates), HOURS)
    require(bool((hours >= 0.0).all()), "arrivals", arrivals, "be at least 0")
    DAILY("arrivals of a day", sum(hours.tolist()))  # NumPy's sum would warn of an overflow
    return tuple(hours.tolist())


def _spans(arms: Any) -> tuple[tuple[int, int, float], ...]:
    """Return the rounds of arms that come and go, or raise."""
    if arms is None:
        return ()
    require(isinstance(arms, Mapping), "arms", arms, "map arms to (first round, last round)")
    spans = []
    for arm, span in arms.items():
        pair = isinstance(span, Sequence) and not isinstance(span, str) and len(span) == 2
        require(pair, "arms", span, "map arms to (first round, last round)")
        first, last = span
        first = 1 if first is None else whole("arms", first)
        last = np.inf if last is None else whole("arms", last)
        require(first <= last, "arms", span, "have a first round before the last one")
        spans.append((whole("arms", arm, least=0), first, float(last)))
    return tuple(spans)
