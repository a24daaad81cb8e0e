"""The named linear policies: cells of forget × confidence under their names in the literature."""

from __future__ import annotations

from driftbandit.core.errors import InputError, real, whole
from driftbandit.policies.linear.policy import LinearPolicy
from driftbandit.policies.presets.paper import Preset
from driftbandit.rules.confidence import Confidence, Ellipsoid, WindowEllipsoid
from driftbandit.rules.forget import Discount, Forget, Full, Window


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
    return _composed(Full(), Ellipsoid(norm, noise, length, delta), ridge, label)


def _discounted_linucb(
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
    return _composed(Discount(discount), confidence, ridge, label)


def _tuned_discounted_linucb(
    horizon: int,
    variation: float,
    dimension: int,
    *,
    ridge: float = 0.1,
    norm: float = 1.0,
    noise: float = 1.0,
    length: float = 1.0,
    delta: float = 0.01,
    label: str = "D-LinUCB",
) -> LinearPolicy:
    """Set γ = 1 − (B_T / (dT))^(2/3), B_T being the variation Σ_t ‖θ_{t+1} − θ_t‖."""
    discount = 1.0 - _rate(horizon, variation, dimension)
    return _discounted_linucb(discount, ridge, norm, noise, length, delta, label)


def _sliding_window_linucb(
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
    return _composed(Window(window), confidence, ridge, label)


def _tuned_sliding_window_linucb(
    horizon: int,
    variation: float,
    dimension: int,
    *,
    ridge: float = 0.1,
    norm: float = 1.0,
    noise: float = 1.0,
    length: float = 1.0,
    delta: float = 0.01,
    label: str = "SW-LinUCB",
) -> LinearPolicy:
    """Set τ = (dT / B_T)^(2/3), rounded, at most T; B_T is the variation Σ_t ‖θ_{t+1} − θ_t‖."""
    rate = _rate(horizon, variation, dimension)
    window = horizon if rate * horizon < 1.0 else round(1.0 / rate)
    return _sliding_window_linucb(window, ridge, norm, noise, length, delta, label)


def _composed(forget: Forget, confidence: Confidence, ridge: float, label: str) -> LinearPolicy:
    return LinearPolicy(forget=forget, confidence=confidence, ridge=ridge, label=label)


def _rate(horizon: int, variation: float, dimension: int) -> float:
    """Return (B_T / (dT))^(2/3): how much is forgotten a round."""
    rounds = whole("dimension", dimension) * whole("horizon", horizon)
    travelled = real("variation", variation, "[0, inf)")
    if travelled >= rounds:
        raise InputError(f"variation must be below dimension times horizon, got {variation!r}")
    return float((travelled / rounds) ** (2.0 / 3.0))


DiscountedLinUCB = Preset(_discounted_linucb, _tuned_discounted_linucb)
SlidingWindowLinUCB = Preset(_sliding_window_linucb, _tuned_sliding_window_linucb)
