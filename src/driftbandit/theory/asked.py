"""The domains that all theorems share."""

from __future__ import annotations

from typing import NamedTuple

from driftbandit.core.errors import InputError, real, require, whole


class Asked(NamedTuple):
    """T, Υ, Δ, K, ξ and B, checked."""

    T: int
    changes: int
    gap: float
    arms: int
    xi: float
    bound: float


def asked(horizon: int, breakpoints: int, gap: float, arms: int, xi: float, bound: float) -> Asked:
    """Check what a theorem is asked about, or raise.

    >>> asked(1000, 2, gap=0.1, arms=2, xi=0.5, bound=1.0)
    Traceback (most recent call last):
    driftbandit.InputError: xi must be more than 1/2, where the theorems begin, got 0.5
    """
    T, changes = rounds_and_breakpoints(horizon, breakpoints)
    largest, distance = scale_of(gap, bound)
    return Asked(
        T, changes, distance, whole("arms", arms, least=1, most=T), exploration(xi), largest
    )


def rounds_and_breakpoints(horizon: int, breakpoints: int) -> tuple[int, int]:
    """Return T and Υ, or raise unless there are fewer breakpoints than rounds.

    >>> rounds_and_breakpoints(1e3, 2)
    (1000, 2)
    """
    T, changes = whole("horizon", horizon), whole("breakpoints", breakpoints, least=0)
    if changes >= T:
        raise InputError(f"breakpoints must be fewer than the horizon {T}, got {changes}")
    return T, changes


def scale_of(gap: float, bound: float) -> tuple[float, float]:
    """Return B and the gap, which is at most B and, so that it can be squared, not next to 0.

    >>> scale_of(0.5, 1)
    (1.0, 0.5)
    """
    largest = real("bound", bound, "(0, 1e100]")
    distance = real("gap", gap, f"(0, {largest:g}]")
    require(distance >= 1e-9 * largest, "gap", gap, "be at least 1e-9 of the bound")
    return largest, distance


def exploration(xi: float) -> float:
    """Return ξ, or raise unless it is more than 1/2: at 1/2 the theorems say nothing."""
    value = real("xi", xi, "(0, 1e6]")
    if value <= 0.5:
        raise InputError(f"xi must be more than 1/2, where the theorems begin, got {xi!r}")
    return value
