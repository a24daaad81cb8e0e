"""Thompson sampling: an arm is worth a draw from what is believed of its mean."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import ClassVar

from driftbandit.core.beta_draws import BETA_NUMBERS, beta_from, beta_trial
from driftbandit.core.domain import Positive
from driftbandit.core.numerics import beta_argmax, normal_argmax, normal_draw, normal_quantile
from driftbandit.rules.explore.rule import Explore


@dataclasses.dataclass(frozen=True)
class Thompson(Explore):
    """Thompson sampling for rewards in [0, B]: a draw from Beta(α₀ + S/B, β₀ + N − S/B), times B.

    S = N X̄ is the remembered sum of rewards, α₀ is `success`, β₀ is `failure`. For rewards of 0 and
    B this is the posterior of the mean; other rewards count as a fraction of a success. With a
    discount S and N are discounted sums, and the belief of an arm that is not played fades to the
    prior. An arm without a remembered play draws from the prior; it is not played first.

    Reference: Thompson 1933; Raj & Kalyani 2017 for the discount, Trovò, Paladino, Restelli & Gatti
    2020 for the window.

    >>> rule = Thompson()
    >>> 0.0 < rule.index(0.5, 10.0, 100.0, [0.5, 0.5, 0.7, 0.5, 0.5], *rule.numbers()) < 1.0
    True
    """

    noise: ClassVar[int] = BETA_NUMBERS
    prior: ClassVar[bool] = True

    success: Positive = 1.0
    failure: Positive = 1.0
    bound: Positive = 1.0

    @staticmethod
    def index(
        mean: float,
        count: float,
        clock: float,
        noise: Sequence[float],
        success: float,
        failure: float,
        bound: float,
    ) -> float:
        """Return a draw from the posterior."""
        wins = min(mean / bound, 1.0) * count
        return bound * beta_from(noise, success + wins, failure + (count - wins))

    @staticmethod
    def draft(
        mean: float,
        count: float,
        clock: float,
        noise: Sequence[float],
        success: float,
        failure: float,
        bound: float,
    ) -> float:
        """Return the draw if it succeeds at once."""
        wins = min(mean / bound, 1.0) * count
        return bound * beta_trial(noise, success + wins, failure + (count - wins))

    @staticmethod
    def law(
        means: Sequence[float],
        counts: Sequence[float],
        clock: Sequence[float],
        success: float,
        failure: float,
        bound: float,
    ) -> list[float]:
        """Return the probability of each arm to have the largest draw, to 1e-9.

        That is the law of real numbers. With shapes far below 1, some draws of `index` are rounded
        to 0 or B, and such ties go to the lowest arm: in 2 rounds of 100 for three arms without a
        play and α₀ = β₀ = 0.05, and in fewer than 1 of 1000 for 0.1.

        >>> rule = Thompson()
        >>> law = rule.law([1.0, 0.0], [1.0, 0.0], [2.0, 2.0], *rule.numbers())
        >>> [round(share, 9) for share in law]
        [0.666666667, 0.333333333]
        """
        wins = [min(mean / bound, 1.0) * count for mean, count in zip(means, counts, strict=True)]
        losses = [count - won for count, won in zip(counts, wins, strict=True)]
        return beta_argmax([success + won for won in wins], [failure + lost for lost in losses])


@dataclasses.dataclass(frozen=True)
class GaussianThompson(Explore):
    """Gaussian Thompson sampling: a draw from the normal law N(X̄, B² min(σ/√N, w)²).

    σ is `deviation`, w is `widest`. σ = 1 is what the analyses take for rewards in [0, 1]. w keeps
    an arm that is nearly forgotten, with N far below 1, from being played too often.

    Reference: Agrawal & Goyal 2013; Qi, Wang & Zhu 2023 for the discount (DS-TS, with w = 1/5 in
    practice); Trovò, Paladino, Restelli & Gatti 2020 and Fiandri, Metelli & Trovò 2024 for the
    window.

    >>> rule = GaussianThompson()
    >>> rule.index(0.5, 10.0, 100.0, 0.5, *rule.numbers())
    0.5
    """

    noise: ClassVar[int] = 1

    deviation: Positive = 1.0
    widest: Positive = 1.0
    bound: Positive = 1.0

    @staticmethod
    def index(
        mean: float,
        count: float,
        clock: float,
        noise: float,
        deviation: float,
        widest: float,
        bound: float,
    ) -> float:
        """Return a draw from the normal law around the mean."""
        z = normal_draw(noise)
        if math.isnan(z):
            z = normal_quantile(noise)
        return mean + bound * min(deviation / math.sqrt(count), widest) * z

    @staticmethod
    def draft(
        mean: float,
        count: float,
        clock: float,
        noise: float,
        deviation: float,
        widest: float,
        bound: float,
    ) -> float:
        """Return the draw but for the far tails."""
        return mean + bound * min(deviation / math.sqrt(count), widest) * normal_draw(noise)

    @staticmethod
    def law(
        means: Sequence[float],
        counts: Sequence[float],
        clock: Sequence[float],
        deviation: float,
        widest: float,
        bound: float,
    ) -> list[float]:
        """Return the probability of each arm to have the largest draw, to 1e-9.

        >>> rule = GaussianThompson()
        >>> law = rule.law([0.4, 0.4], [9.0, 2.0], [11.0, 11.0], *rule.numbers())
        >>> [round(share, 9) for share in law]
        [0.5, 0.5]
        """
        widths = [bound * min(deviation / math.sqrt(count), widest) for count in counts]
        return normal_argmax(means, widths)
