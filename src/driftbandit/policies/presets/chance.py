"""Named policies that explore by chance: Thompson sampling, ε-greedy and softmax."""

from __future__ import annotations

from typing import Unpack

from driftbandit.core.errors import real
from driftbandit.policies.index.policy import Policy
from driftbandit.policies.presets.changes import discounted, discounting, windowed, windowing
from driftbandit.policies.presets.preset import Cell, preset
from driftbandit.policies.presets.tuned import Named, Parameters, sets
from driftbandit.rules.explore import (
    BetaPosterior,
    DecayingGreedy,
    Explore,
    GaussianPosterior,
    Gibbs,
    Greedy,
)
from driftbandit.rules.forget import Discount, DoublingDiscount, DoublingWindow, Window


@preset("thompson", Cell(Policy, explore=BetaPosterior))
def Thompson(
    success: float = 1.0, failure: float = 1.0, bound: float = 1.0, label: str = "Thompson"
) -> Policy:
    """Thompson sampling, full history × never × beta posterior: play the largest draw.

    A draw from Beta(α₀ + S_t(i)/B, β₀ + N_t(i) − S_t(i)/B) for every arm, S_t(i) the sum of its
    rewards; α₀ is `success`, β₀ is `failure`.

    Reference: Thompson 1933; Kaufmann, Korda & Munos 2012.

    >>> Thompson().explore
    BetaPosterior(success=1.0, failure=1.0, bound=1.0)
    """
    return Policy(explore=BetaPosterior(success, failure, bound), label=label)


@preset(
    "d-ts",
    Cell(Policy, forget=(Discount, DoublingDiscount), explore=BetaPosterior),
    tuned=discounted,
)
def DiscountedThompson(
    discount: float | DoublingDiscount,
    success: float = 1.0,
    failure: float = 1.0,
    bound: float = 1.0,
    label: str = "D-TS",
) -> Policy:
    """Discounted Thompson sampling, discount × never × beta posterior.

    Thompson sampling with discounted sums of rewards and plays, γ is `discount`; the prior itself
    is not discounted. `tuned` sets γ as that of D-UCB does; the source of D-TS has no rule.

    Reference: Raj & Kalyani, *Taming non-stationary bandits: a Bayesian approach*, 2017.

    >>> DiscountedThompson(0.95).forget
    Discount(discount=0.95)
    """
    explore = BetaPosterior(success, failure, bound)
    return Policy(discounting(discount), explore=explore, label=label)


@preset(
    "sw-ts", Cell(Policy, forget=(Window, DoublingWindow), explore=BetaPosterior), tuned=windowed
)
def SlidingWindowThompson(
    window: int | DoublingWindow,
    success: float = 1.0,
    failure: float = 1.0,
    bound: float = 1.0,
    label: str = "SW-TS",
) -> Policy:
    """Sliding-window Thompson sampling, window × never × beta posterior: Beta-SWTS.

    Thompson sampling with the plays of the last τ rounds, τ is `window`. An arm without a play in
    the window draws from the prior. `tuned` sets τ as that of SW-UCB does; the rule is not that of
    the source.

    Reference: Trovò, Paladino, Restelli & Gatti, *Sliding-window Thompson sampling for
    non-stationary settings*, 2020.

    >>> SlidingWindowThompson(500).forget
    Window(window=500)
    """
    explore = BetaPosterior(success, failure, bound)
    return Policy(windowing(window), explore=explore, label=label)


@preset("gaussian-thompson", Cell(Policy, explore=GaussianPosterior))
def GaussianThompson(
    deviation: float = 1.0, bound: float = 1.0, label: str = "Gaussian Thompson"
) -> Policy:
    """Gaussian Thompson sampling, full history × never × Gaussian posterior.

    The largest draw from N(X̄_t(i), B² σ² / N_t(i)), σ is `deviation`.

    Reference: Agrawal & Goyal, *Further optimal regret bounds for Thompson sampling*, 2013.

    >>> GaussianThompson(0.5).explore
    GaussianPosterior(deviation=0.5, widest=1.0, bound=1.0)
    """
    return Policy(explore=GaussianPosterior(deviation, 1.0, bound), label=label)


@sets("rate")
def decaying(
    gap: float, c: float = 5.0, *, bound: float = 1.0, **others: Unpack[Named]
) -> Parameters:
    """Return ε_t = min(1, c K B² / (d² t)); d, the `gap`, is at most that of the second-best arm.

    Theorem 3 of Auer, Cesa-Bianchi & Fischer 2002, for which c must be above 5; smaller ones may do
    better in practice.
    """
    bound = real("bound", bound, "(0, inf)")
    share = real("gap", gap, f"(0, {bound:g}]") / bound
    return {"rate": DecayingGreedy(real("c", c, "(0, inf)") / (share * share), bound)}


@preset("epsilon-greedy", Cell(Policy, explore=(Greedy, DecayingGreedy)), tuned=decaying)
def EpsilonGreedy(
    rate: float | DecayingGreedy = 0.1, bound: float = 1.0, label: str = "ε-greedy"
) -> Policy:
    """ε-greedy, full history × never × greedy: any arm with probability ε, else the largest mean.

    ε is `rate`. `tuned` lets it fall with the rounds.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, section 2; Sutton & Barto 1998.

    >>> EpsilonGreedy(0.05).explore
    Greedy(rate=0.05, bound=1.0)
    """
    explore: Explore = rate if isinstance(rate, DecayingGreedy) else Greedy(rate, bound)
    return Policy(explore=explore, label=label)


@preset("softmax", Cell(Policy, explore=Gibbs))
def Softmax(temperature: float = 0.1, label: str = "softmax") -> Policy:
    """Softmax, full history × never × Gibbs: play arm i with probability ∝ exp(X̄_t(i) / T).

    Reference: Garivier & Moulines 2008, section 1.1.

    >>> Softmax(0.05).explore
    Gibbs(temperature=0.05)
    """
    return Policy(explore=Gibbs(temperature), label=label)
