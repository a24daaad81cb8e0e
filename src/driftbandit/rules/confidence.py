"""How sure a linear policy is of its estimate: the radius of its confidence ellipsoid."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import ClassVar

from driftbandit.core.domain import NonNegative, OpenShare, Positive
from driftbandit.rules.rule import Rule


@dataclasses.dataclass(frozen=True)
class Confidence(Rule):
    """The radius β of a round, as one plain function.

    `radius(squares, span, dimension, ridge, …)` is handed Σ_s w_s², the squared weights of the
    rounds remembered (t for the full history), the window τ (infinite if there is none), d and λ,
    and the rule's own numbers. A field `length` says how long an action may be.

    It is never compiled.

    >>> import driftbandit as db
    >>> @dataclasses.dataclass(frozen=True)
    ... class Logarithm(db.linear.Confidence):
    ...     scale: float = 0.5
    ...
    ...     @staticmethod
    ...     def radius(squares, span, dimension, ridge, scale):
    ...         return scale * math.sqrt(dimension * math.log(1.0 + squares))
    >>> db.linear.LinearPolicy(confidence=Logarithm(0.3), label="mine").label
    'mine'
    """

    radius: ClassVar[Callable[..., float]]

    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Return the one function and what it is handed."""
        return {"radius": ("squares", "span", "dimension", "ridge")}


@dataclasses.dataclass(frozen=True)
class _Published(Confidence):
    """The numbers that both published radii are made of."""

    norm: NonNegative = 1.0
    noise: NonNegative = 1.0
    length: Positive = 1.0
    delta: OpenShare = 0.01


@dataclasses.dataclass(frozen=True)
class Ellipsoid(_Published):
    """β = √λ S + σ √(2 log(1/δ) + d log(1 + L² Σ_s w_s² / (λ d))).

    For the full history Σ w² is t, and this is the radius of Abbasi-Yadkori et al.; for a discount
    it is (1 − γ^(2t)) / (1 − γ²), and this is D-LinUCB's.

    Parameters: `norm` S ≥ ‖θ‖, `noise` σ (rewards are σ-sub-Gaussian: ½ is right for rewards in
    [0, 1]), `length` L ≥ ‖a‖ of all actions, `delta` δ, the probability of being wrong.

    Reference: Abbasi-Yadkori, Pál & Szepesvári 2011; Russac, Vernade & Cappé 2019, Theorem 1.

    >>> rule = Ellipsoid(norm=1.0, noise=0.5)
    >>> round(rule.radius(100.0, math.inf, 2.0, 0.1, *rule.numbers()), 3)
    2.642
    """

    @staticmethod
    def radius(
        squares: float,
        span: float,
        dimension: float,
        ridge: float,
        norm: float,
        noise: float,
        length: float,
        delta: float,
    ) -> float:
        """Return β."""
        volume = dimension * math.log1p(length * length * squares / (ridge * dimension))
        return math.sqrt(ridge) * norm + noise * math.sqrt(2.0 * math.log(1.0 / delta) + volume)


@dataclasses.dataclass(frozen=True)
class WindowEllipsoid(_Published):
    """β = √λ S + σ √(d log((1 + τ L² / λ) / δ)), the same in all rounds.

    It needs a window τ. Parameters as for `Ellipsoid`.

    Reference: Cheung, Simchi-Levi & Zhu, *Learning to optimize under non-stationarity*, 2019.

    >>> rule = WindowEllipsoid(norm=1.0, noise=0.5)
    >>> round(rule.radius(100.0, 170.0, 2.0, 0.1, *rule.numbers()), 3)
    2.77
    """

    @staticmethod
    def radius(
        squares: float,
        span: float,
        dimension: float,
        ridge: float,
        norm: float,
        noise: float,
        length: float,
        delta: float,
    ) -> float:
        """Return β."""
        volume = dimension * math.log((1.0 + span * length * length / ridge) / delta)
        return math.sqrt(ridge) * norm + noise * math.sqrt(volume)


@dataclasses.dataclass(frozen=True)
class ConstantRadius(Confidence):
    """β = α, whatever the round: what practice tunes.

    Reference: Li, Chu, Langford & Schapire, *A contextual-bandit approach to personalized news
    article recommendation*, 2010.

    >>> ConstantRadius(0.5)
    ConstantRadius(alpha=0.5)
    """

    alpha: NonNegative = 1.0

    @staticmethod
    def radius(squares: float, span: float, dimension: float, ridge: float, alpha: float) -> float:
        """Return α."""
        return alpha
