"""The problem that a theorem speaks of: its numbers, checked against the domains all share."""

from __future__ import annotations

from typing import NamedTuple

from driftbandit.core.errors import InputError, plain, real, require, shown, whole


class Problem(NamedTuple):
    """T, Υ, Δ, K, ξ and B."""

    T: int
    breakpoints: int
    gap: float
    arms: int
    xi: float
    bound: float


def make_problem(
    horizon: int, breakpoints: int, gap: float, arms: int, xi: float, bound: float
) -> Problem:
    """Return the problem, or raise if one of its numbers lies outside its domain.

    >>> make_problem(1000, 2, gap=0.1, arms=2, xi=0.5, bound=1.0)
    Traceback (most recent call last):
    driftbandit.InputError: xi must be more than 1/2, where the theorems begin, got 0.5
    """
    T, breaks = rounds_and_breakpoints(horizon, breakpoints)
    largest, distance = bound_and_gap(bound, gap)
    K = whole("arms", arms)
    require(K <= T, "horizon", T, f"be at least {K}, the number of arms")
    return Problem(T, breaks, distance, K, exploration(xi), largest)


def rounds_and_breakpoints(horizon: int, breakpoints: int) -> tuple[int, int]:
    """Return T and Υ, or raise unless there are fewer breakpoints than rounds.

    >>> rounds_and_breakpoints(1e3, 2)
    (1000, 2)
    """
    T, breaks = whole("horizon", horizon), whole("breakpoints", breakpoints, least=0)
    if breaks >= T:
        raise InputError(f"breakpoints must be fewer than the horizon {T}, got {breaks}")
    return T, breaks


def bound_and_gap(bound: float, gap: float) -> tuple[float, float]:
    """Return B and Δ, or raise unless Δ is at most B and large enough to be squared.

    >>> bound_and_gap(1, 0.5)
    (1.0, 0.5)
    """
    largest = real("bound", bound, "(0, 1e100]")
    distance = real("gap", gap, f"(0, {plain(largest)}]")
    require(distance >= 1e-9 * largest, "gap", gap, "be at least 1e-9 of the bound")
    return largest, distance


def exploration(xi: float) -> float:
    """Return ξ, or raise unless it is more than 1/2: at 1/2 the theorems say nothing."""
    value = real("xi", xi, "(0, 1e6]")
    if value <= 0.5:
        raise InputError(f"xi must be more than 1/2, where the theorems begin, got {shown(xi)}")
    return value
