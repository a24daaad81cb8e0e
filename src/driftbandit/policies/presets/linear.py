"""The named linear policies: cells of forget × confidence under their names in the literature."""

from __future__ import annotations

from typing import Unpack

from driftbandit.core.errors import InputError, real, shown, whole
from driftbandit.policies.linear.policy import LinearPolicy
from driftbandit.policies.presets.preset import Cell, preset
from driftbandit.policies.presets.tuned import Others, Parameters, sets
from driftbandit.rules.confidence import Ellipsoid, WindowEllipsoid
from driftbandit.rules.forget import Discount, Window


@preset("lin-ucb", Cell(LinearPolicy))
def LinUCB(
    ridge: float = 0.1,
    norm: float = 1.0,
    noise: float = 1.0,
    length: float = 1.0,
    delta: float = 0.01,
    label: str = "LinUCB",
) -> LinearPolicy:
    """LinUCB, full history × ellipsoid: aᵀθ̂ + β √(aᵀ V⁻¹ a).

    The policy for a θ that does not change. λ is `ridge`; S, σ, L and δ are those of `Ellipsoid`.

    Fails when θ changes: it averages old and new, for as long again as the old held.

    Reference: Li, Chu, Langford & Schapire 2010; Abbasi-Yadkori, Pál & Szepesvári 2011.

    >>> LinUCB(noise=0.5).forget
    Full()
    """
    confidence = Ellipsoid(norm, noise, length, delta)
    return LinearPolicy(confidence=confidence, ridge=ridge, label=label)


@sets("discount")
def discounted(
    horizon: int, variation: float, dimension: int, **others: Unpack[Others]
) -> Parameters:
    """Set γ = 1 − (B_T / (dT))^(2/3), B_T being the variation Σ_t ‖θ_{t+1} − θ_t‖."""
    return {"discount": 1.0 - _rate(horizon, variation, dimension)}


@preset("d-lin-ucb", Cell(LinearPolicy, forget=Discount), tuned=discounted)
def DiscountedLinUCB(
    discount: float,
    ridge: float = 0.1,
    norm: float = 1.0,
    noise: float = 1.0,
    length: float = 1.0,
    delta: float = 0.01,
    label: str = "D-LinUCB",
) -> LinearPolicy:
    """D-LinUCB, discount × ellipsoid: aᵀθ̂ + β √(aᵀ V⁻¹ Ṽ V⁻¹ a).

    γ is `discount`: V ← γV + aaᵀ + (1−γ)λI and Ṽ ← γ²Ṽ + aaᵀ + (1−γ²)λI. `tuned` knows the horizon,
    the dimension and how far θ travels.

    Slow to turn round after a jump: old rounds never quite disappear.

    The program published with the paper computes with V where the paper has Ṽ. Its ellipsoid is
    wider, by up to √2. In the two experiments of the paper this gives a regret of 976 ± 13 and 234
    ± 6; the algorithm as printed has 1024 ± 16 and 174 ± 8 (30 runs of plain programs, 95 %
    intervals), and so has this package.

    Reference: Russac, Vernade & Cappé, *Weighted linear bandits for non-stationary environments*,
    2019.

    >>> DiscountedLinUCB.tuned(horizon=6_000, variation=5.414, dimension=2).forget
    Discount(discount=0.99411...)
    """
    confidence = Ellipsoid(norm, noise, length, delta)
    return LinearPolicy(Discount(discount), confidence=confidence, ridge=ridge, label=label)


@sets("window")
def windowed(
    horizon: int, variation: float, dimension: int, **others: Unpack[Others]
) -> Parameters:
    """Set τ = (dT / B_T)^(2/3), rounded, at most T; B_T is the variation Σ_t ‖θ_{t+1} − θ_t‖."""
    rate = _rate(horizon, variation, dimension)
    return {"window": horizon if rate * horizon < 1.0 else round(1.0 / rate)}


@preset("sw-lin-ucb", Cell(LinearPolicy, forget=Window, confidence=WindowEllipsoid), tuned=windowed)
def SlidingWindowLinUCB(
    window: int,
    ridge: float = 0.1,
    norm: float = 1.0,
    noise: float = 1.0,
    length: float = 1.0,
    delta: float = 0.01,
    label: str = "SW-LinUCB",
) -> LinearPolicy:
    """SW-LinUCB, window × window ellipsoid: aᵀθ̂ + β √(aᵀ V⁻¹ a), sums over the last τ rounds.

    τ is `window`. `tuned` knows the horizon, the dimension and how far θ travels.

    It explores more than D-LinUCB with 1/(1 − γ) = τ: a discount averages noise as a window of 2τ
    does.

    Reference: Cheung, Simchi-Levi & Zhu, *Learning to optimize under non-stationarity*, 2019.

    >>> SlidingWindowLinUCB.tuned(horizon=6_000, variation=5.414, dimension=2).forget
    Window(window=170)
    """
    confidence = WindowEllipsoid(norm, noise, length, delta)
    return LinearPolicy(Window(window), confidence=confidence, ridge=ridge, label=label)


def _rate(horizon: int, variation: float, dimension: int) -> float:
    """Return (B_T / (dT))^(2/3): how much is forgotten per round."""
    rounds = whole("dimension", dimension) * whole("horizon", horizon)
    travelled = real("variation", variation, "[0, inf)")
    if travelled >= rounds:
        raise InputError(f"variation must be below dimension times horizon, got {shown(variation)}")
    return float((travelled / rounds) ** (2.0 / 3.0))
