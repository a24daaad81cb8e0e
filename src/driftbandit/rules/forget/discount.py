"""Discounted history: every round, the past loses a fixed share of its weight."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, ClassVar

from driftbandit.core.domain import PositiveShare, Real
from driftbandit.rules.forget.rule import Forget


@dataclasses.dataclass(frozen=True)
class Discount(Forget):
    """Weigh a play that is d rounds old by γ^d.

    N_t(γ, i) = Σ_{s≤t} γ^(t−s) 1{I_s = i},  n_t(γ) = (1 − γ^t) / (1 − γ).

    Reference: Kocsis & Szepesvári 2006; Garivier & Moulines 2008, section 1.2.

    >>> Discount(1.2)
    Traceback (most recent call last):
    driftbandit.InputError: discount must lie in (0, 1], got 1.2
    """

    steady: ClassVar[bool] = True

    discount: PositiveShare

    @staticmethod
    def factor(t: float, discount: float) -> float:
        """Return γ."""
        return discount


@dataclasses.dataclass(frozen=True)
class DoublingDiscount(Forget):
    """A discount for an unknown horizon: γ changes at every power of two.

    For 2^k ≤ t < 2^(k+1), γ = 1 − (2^k)^((β−1)/2) / (4B), where the number of breakpoints grows
    as T^β. The sums are carried on when γ changes; only the new γ applies from then on.

    Reference: Garivier & Moulines 2008, last remark of section 2.

    >>> rule = DoublingDiscount(growth=0.0)
    >>> [round(rule.factor(t, *rule.numbers()), 3) for t in (1, 2, 3, 4, 7, 8)]
    [0.75, 0.823, 0.823, 0.875, 0.875, 0.912]
    """

    growth: Annotated[float, Real("[0, 1)")]
    bound: Annotated[float, Real("(0.25, inf)")] = 1.0

    @staticmethod
    def factor(t: float, growth: float, bound: float) -> float:
        """Return the γ of the epoch that contains round t."""
        epoch = math.ldexp(1.0, math.frexp(t)[1] - 1)
        return 1.0 - math.pow(epoch, 0.5 * (growth - 1.0)) / (4.0 * bound)
