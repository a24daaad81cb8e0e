"""Named policies that explore by chance: Thompson sampling, ε-greedy and softmax."""

from __future__ import annotations

from typing import Unpack

from driftbandit.core.errors import plain, real
from driftbandit.policies.index.policy import Policy
from driftbandit.policies.presets.changes import discounted, discounting, windowed, windowing
from driftbandit.policies.presets.preset import Cell, preset
from driftbandit.policies.presets.tuned import Named, Parameters, sets
from driftbandit.rules import explore
from driftbandit.rules.explore import DecayingGreedy
from driftbandit.rules.forget import Discount, DoublingDiscount, DoublingWindow, Window


@preset("thompson", Cell(Policy, explore=explore.Thompson))
def Thompson(
    success: float = 1.0, failure: float = 1.0, bound: float = 1.0, label: str = "Thompson"
) -> Policy:
    """Thompson sampling, full history × never × Thompson: play the largest draw.

    A draw from Beta(α₀ + S_t(i)/B, β₀ + N_t(i) − S_t(i)/B) for every arm, S_t(i) the sum of its
    rewards; α₀ is `success`, β₀ is `failure`.

    Arms are not played in turn first: one that was never played draws from the prior Beta(α₀, β₀).

    Among the best where nothing changes. Fails badly where the best arm changes: its draws hardly
    vary once it is certain, and in problem 1 of Besson et al. 2022 it does worse than KL-UCB.

    Reference: Thompson 1933; Kaufmann, Korda & Munos 2012.

    >>> Thompson().explore
    Thompson(success=1.0, failure=1.0, bound=1.0)
    """
    return Policy(explore=explore.Thompson(success, failure, bound), label=label)


@preset(
    "d-ts",
    Cell(Policy, forget=(Discount, DoublingDiscount), explore=explore.Thompson),
    tuned=discounted,
)
def DiscountedThompson(
    discount: float | DoublingDiscount,
    success: float = 1.0,
    failure: float = 1.0,
    bound: float = 1.0,
    label: str = "D-TS",
) -> Policy:
    """Discounted Thompson sampling, discount × never × Thompson.

    Thompson sampling with discounted sums of rewards and plays, γ is `discount`; the prior itself
    is not discounted. `tuned` sets γ as that of D-UCB does; the source of D-TS has no rule.

    So an arm that is not played draws from the prior again in the end. The source takes γ = 0.75,
    which is too forgetful for most worlds. Fails with a small γ: it then believes little, and plays
    every arm often.

    Reference: Raj & Kalyani, *Taming non-stationary bandits: a Bayesian approach*, 2017.

    >>> DiscountedThompson(0.95).forget
    Discount(discount=0.95)
    """
    rule = explore.Thompson(success, failure, bound)
    return Policy(discounting(discount), explore=rule, label=label)


@preset(
    "sw-ts", Cell(Policy, forget=(Window, DoublingWindow), explore=explore.Thompson), tuned=windowed
)
def SlidingWindowThompson(
    window: int | DoublingWindow,
    success: float = 1.0,
    failure: float = 1.0,
    bound: float = 1.0,
    label: str = "SW-TS",
) -> Policy:
    """Sliding-window Thompson sampling, window × never × Thompson: Beta-SWTS.

    Thompson sampling with the plays of the last τ rounds, τ is `window`. An arm without a play in
    the window draws from the prior. `tuned` sets τ as that of SW-UCB does; the rule is not that of
    the source.

    Fails as SW-UCB. Fiandri, Metelli & Trovò 2024 correct its analysis.

    Reference: Trovò, Paladino, Restelli & Gatti, *Sliding-window Thompson sampling for
    non-stationary settings*, 2020.

    >>> SlidingWindowThompson(500).forget
    Window(window=500)
    """
    rule = explore.Thompson(success, failure, bound)
    return Policy(windowing(window), explore=rule, label=label)


@preset("gaussian-thompson", Cell(Policy, explore=explore.GaussianThompson))
def GaussianThompson(
    deviation: float = 1.0, bound: float = 1.0, label: str = "Gaussian Thompson"
) -> Policy:
    """Gaussian Thompson sampling, full history × never × Gaussian Thompson.

    The largest draw from N(X̄_t(i), B² σ² / N_t(i)), σ is `deviation`.

    With a discount, as `Policy(forget=Discount(0.99), explore=GaussianPosterior(widest=0.2))`, this
    is DS-TS of Qi, Wang & Zhu 2023; with a window it is γ-SWGTS of Trovò et al. 2020, where σ² is
    1/γ.

    It explores more than Thompson sampling for rewards of 0 or 1. Fails where the best arm changes,
    as UCB-1.

    Reference: Agrawal & Goyal, *Further optimal regret bounds for Thompson sampling*, 2013.

    >>> GaussianThompson(0.5).explore
    GaussianThompson(deviation=0.5, widest=1.0, bound=1.0)
    """
    return Policy(explore=explore.GaussianThompson(deviation, 1.0, bound), label=label)


@sets("rate")
def decaying(
    gap: float, c: float = 5.0, *, bound: float = 1.0, **others: Unpack[Named]
) -> Parameters:
    """Return ε_t = min(1, c K B² / (d² t)); d, the `gap`, is at most that of the second-best arm.

    Theorem 3 of Auer, Cesa-Bianchi & Fischer 2002, for which c must be above 5; smaller ones may do
    better in practice.
    """
    bound = real("bound", bound, "(0, inf)")
    share = real("gap", gap, f"(0, {plain(bound)}]") / bound
    return {"rate": DecayingGreedy(real("c", c, "(0, inf)") / (share * share), bound)}


@preset(
    "epsilon-greedy", Cell(Policy, explore=(explore.EpsilonGreedy, DecayingGreedy)), tuned=decaying
)
def EpsilonGreedy(
    rate: float | DecayingGreedy = 0.1, bound: float = 1.0, label: str = "ε-greedy"
) -> Policy:
    """ε-greedy, full history × never × ε-greedy: any arm with probability ε, else the largest mean.

    ε is `rate`. `tuned` lets it fall with the rounds.

    Fails in any world in the long run if ε stays fixed: a share ε of the plays is wasted. Where the
    best arm changes, the mean over the whole past hides it; give it another memory.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, section 2; Sutton & Barto 1998.

    >>> EpsilonGreedy(0.05).explore
    EpsilonGreedy(rate=0.05, bound=1.0)
    """
    if isinstance(rate, DecayingGreedy):
        return Policy(explore=rate, label=label)
    return Policy(explore=explore.EpsilonGreedy(rate, bound), label=label)


@preset("softmax", Cell(Policy, explore=explore.Softmax))
def Softmax(temperature: float = 0.1, label: str = "softmax") -> Policy:
    """Softmax, full history × never × softmax: play arm i with probability ∝ exp(X̄_t(i) / T).

    It has no `bound`. Fails in any world in the long run: the temperature is fixed, so it keeps
    playing bad arms (warm), or gives up a good arm after a bad start (cold).

    Reference: Garivier & Moulines 2008, section 1.1.

    >>> Softmax(0.05).explore
    Softmax(temperature=0.05)
    """
    return Policy(explore=explore.Softmax(temperature), label=label)
