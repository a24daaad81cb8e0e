"""The rules for γ and τ that the discounted and the windowed presets share."""

from __future__ import annotations

from typing import Unpack

from driftbandit.policies.presets.tuned import Others, Parameters, sets
from driftbandit.policies.tuning import alone, discount_rule, window_rule
from driftbandit.rules.forget import Discount, DoublingDiscount, DoublingWindow, Forget, Window


@sets("discount")
def discounted(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    growth: float | None = None,
    bound: float = 1.0,
    **others: Unpack[Others],
) -> Parameters:
    """Set γ from (horizon, breakpoints), from the density of breakpoints, or from their growth.

    γ = 1 − √(Υ/T) / (4B); γ = 1 − √r / (4B); or, for Υ growing as T^β and an unknown horizon,
    γ = 1 − (2^k)^((β−1)/2) / (4B) for 2^k ≤ t < 2^(k+1).
    """
    if growth is not None:
        alone("growth", horizon, breakpoints, density)
        return {"discount": DoublingDiscount(growth, bound)}
    return {"discount": discount_rule(horizon, breakpoints, density=density, bound=bound)}


@sets("window")
def windowed(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    growth: float | None = None,
    bound: float = 1.0,
    **others: Unpack[Others],
) -> Parameters:
    """Set τ from (horizon, breakpoints), from the density of breakpoints, or from their growth.

    τ = 2B √(T log T / Υ), and τ = T if Υ = 0; τ = 2B √(−log r / r); or, for Υ growing as T^β and
    an unknown horizon, τ = 2B √(2^k log(2^k) / 2^(kβ)) for 2^k ≤ t < 2^(k+1).
    """
    if growth is not None:
        alone("growth", horizon, breakpoints, density)
        return {"window": DoublingWindow(growth, bound)}
    return {"window": window_rule(horizon, breakpoints, density=density, bound=bound)}


def discounting(discount: float | DoublingDiscount) -> Forget:
    """Return the memory of a discount: a number, or the rule that changes it with the rounds."""
    return discount if isinstance(discount, DoublingDiscount) else Discount(discount)


def windowing(window: int | DoublingWindow) -> Forget:
    """Return the memory of a window: a number, or the rule that changes it with the rounds."""
    return window if isinstance(window, DoublingWindow) else Window(window)
