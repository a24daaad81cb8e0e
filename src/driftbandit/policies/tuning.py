"""The paper's rules for γ and τ, from what is known about the changes."""

from __future__ import annotations

import math

from driftbandit.core.errors import InputError, real, require, whole
from driftbandit.rules.forget import DoublingDiscount, DoublingWindow

LONGEST = 2**53
"""The rounds of the longest window."""


def discount_rule(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    bound: float = 1.0,
) -> float:
    """Return γ = 1 − √(Υ/T) / (4B), or γ = 1 − √r / (4B) for breakpoints of density r.

    With no breakpoint γ is 1: nothing is forgotten.

    Reference: Garivier & Moulines 2008, the remarks of section 2.

    >>> discount_rule(horizon=10_000, breakpoints=1)
    0.9975
    """
    bound = real("bound", bound, "(0, inf)")
    rate = breakpoint_rate(horizon, breakpoints, density)
    real("bound", bound, f"({math.sqrt(rate) / 4.0:.3g}, inf)")
    return 1.0 - math.sqrt(rate) / (4.0 * bound)


def window_rule(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    bound: float = 1.0,
) -> int:
    """Return τ = 2B √(T log T / Υ), or τ = 2B √(−log r / r) for breakpoints of density r.

    Rounded to a whole number; with no breakpoint τ is T.

    Reference: Garivier & Moulines 2008, the remarks of section 3.

    >>> window_rule(horizon=10_000, breakpoints=2), window_rule(horizon=10_000, breakpoints=0)
    (429, 10000)
    """
    bound = real("bound", bound, "(0, inf)")
    rate = breakpoint_rate(horizon, breakpoints, density)
    if rate == 0.0:
        return whole("horizon", horizon)
    scale = -math.log(rate) if horizon is None else math.log(horizon)
    window = 2.0 * bound * math.sqrt(scale / rate)
    require(window <= LONGEST, "bound", bound, "be smaller: a window has at most 2^53 rounds")
    return max(1, round(window))


def doubling_discount(t: int, growth: float, bound: float = 1.0) -> float:
    """Return γ in round t for an unknown horizon: 1 − (2^k)^((β−1)/2) / (4B), 2^k ≤ t < 2^(k+1).

    `growth` is β: the number of breakpoints grows as T^β.

    Reference: Garivier & Moulines 2008, last remark of section 2.

    >>> doubling_discount(1000, growth=0.0)
    0.988951456543...
    """
    rule = DoublingDiscount(growth, bound)
    return rule.factor(float(whole("t", t)), *rule.numbers())


def doubling_window(t: int, growth: float, bound: float = 1.0) -> int:
    """Return τ in round t for an unknown horizon: the rule for T = 2^k and Υ = 2^(kβ).

    >>> doubling_window(1000, growth=0.0)
    113
    """
    rule = DoublingWindow(growth, bound)
    return int(rule.span(float(whole("t", t)), *rule.numbers()))


def breakpoint_rate(
    horizon: int | None, breakpoints: int | None, density: float | None = None
) -> float:
    """Return the breakpoints a round, Υ/T or as given.

    >>> breakpoint_rate(1000, 5)
    0.005
    """
    if density is not None:
        alone("density", horizon, breakpoints)
        return real("density", density, "(0, 1)")
    if horizon is None or breakpoints is None:
        raise InputError("tuned needs horizon and breakpoints, or density, or growth")
    changes, rounds = whole("breakpoints", breakpoints, least=0), whole("horizon", horizon)
    if changes >= rounds:
        raise InputError(f"breakpoints must be fewer than the horizon {rounds}, got {changes}")
    return changes / rounds


def alone(name: str, *others: object) -> None:
    """Raise if another kind of knowledge is given too."""
    if any(other is not None for other in others):
        raise InputError(f"{name} must be given alone: tuned takes one kind of knowledge")
