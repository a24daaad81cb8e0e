"""Named policies that explore by chance: Thompson sampling and ε-greedy."""

from __future__ import annotations

from driftbandit.core.errors import real
from driftbandit.policies.index.policy import Policy
from driftbandit.policies.presets.paper import Preset, tuned_discount, tuned_window
from driftbandit.rules.explore import BetaPosterior, DecayingGreedy, GaussianPosterior, Greedy
from driftbandit.rules.forget import Discount, Full, Window


def Thompson(
    success: float = 1.0, failure: float = 1.0, bound: float = 1.0, label: str = "Thompson"
) -> Policy:
    """Thompson sampling, full history × never × beta posterior: play the largest draw.

    A draw from Beta(α₀ + S_t(i)/B, β₀ + N_t(i) − S_t(i)/B) for every arm, S_t(i) the sum of its
    rewards; α₀ is `success`, β₀ is `failure`.

    Arms are not played in turn first: one that was never played draws from the prior Beta(α₀, β₀).

    Among the best where nothing changes. Fails badly where the best arm changes: its draws hardly
    vary once it is certain, and in problem 1 of Besson et al. 2022 it does worse than KL-UCB.

    Reference: Thompson 1933; Kaufmann, Korda & Munos 2012.

    >>> Thompson().explore
    BetaPosterior(success=1.0, failure=1.0, bound=1.0)
    """
    return Policy(forget=Full(), explore=BetaPosterior(success, failure, bound), label=label)


def _discounted_thompson(
    discount: float,
    success: float = 1.0,
    failure: float = 1.0,
    bound: float = 1.0,
    label: str = "D-TS",
) -> Policy:
    """Discounted Thompson sampling, discount × never × beta posterior.

    Thompson sampling with discounted sums of rewards and plays, γ is `discount`; the prior itself
    is not discounted. `tuned` knows what that of D-UCB does.

    So an arm that is not played draws from the prior again in the end. The source takes γ = 0.75,
    which is too forgetful for most worlds. Fails with a small γ: it then believes little, and plays
    every arm often.

    Reference: Raj & Kalyani, *Taming non-stationary bandits: a Bayesian approach*, 2017.

    >>> DiscountedThompson(0.95).forget
    Discount(discount=0.95)
    """
    explore = BetaPosterior(success, failure, bound)
    return Policy(forget=Discount(discount), explore=explore, label=label)


def _tuned_discounted_thompson(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    growth: float | None = None,
    success: float = 1.0,
    failure: float = 1.0,
    bound: float = 1.0,
    label: str = "D-TS",
) -> Policy:
    """Set γ as `DiscountedUCB.tuned` does; the source of D-TS has no rule."""
    forget = tuned_discount(horizon, breakpoints, density, growth, bound)
    return Policy(forget=forget, explore=BetaPosterior(success, failure, bound), label=label)


def _sliding_window_thompson(
    window: int,
    success: float = 1.0,
    failure: float = 1.0,
    bound: float = 1.0,
    label: str = "SW-TS",
) -> Policy:
    """Sliding-window Thompson sampling, window × never × beta posterior: Beta-SWTS.

    Thompson sampling with the plays of the last τ rounds, τ is `window`. An arm without a play in
    the window draws from the prior. `tuned` knows what that of SW-UCB does.

    Fails as SW-UCB. Fiandri, Metelli & Trovò 2024 correct its analysis.

    Reference: Trovò, Paladino, Restelli & Gatti, *Sliding-window Thompson sampling for
    non-stationary settings*, 2020.

    >>> SlidingWindowThompson(500).forget
    Window(window=500)
    """
    explore = BetaPosterior(success, failure, bound)
    return Policy(forget=Window(window), explore=explore, label=label)


def _tuned_sliding_window_thompson(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    growth: float | None = None,
    success: float = 1.0,
    failure: float = 1.0,
    bound: float = 1.0,
    label: str = "SW-TS",
) -> Policy:
    """Set τ as `SlidingWindowUCB.tuned` does; the rule is not that of the source."""
    forget = tuned_window(horizon, breakpoints, density, growth, bound)
    return Policy(forget=forget, explore=BetaPosterior(success, failure, bound), label=label)


def GaussianThompson(
    deviation: float = 1.0, bound: float = 1.0, label: str = "Gaussian Thompson"
) -> Policy:
    """Gaussian Thompson sampling, full history × never × Gaussian posterior.

    The largest draw from N(X̄_t(i), B² σ² / N_t(i)), σ is `deviation`.

    With a discount, as `Policy(forget=Discount(0.99), explore=GaussianPosterior(widest=0.2))`, this
    is DS-TS of Qi, Wang & Zhu 2023; with a window it is γ-SWGTS of Trovò et al. 2020, where σ² is
    1/γ.

    It explores more than Thompson sampling for rewards of 0 or 1. Fails where the best arm changes,
    as UCB-1.

    Reference: Agrawal & Goyal, *Further optimal regret bounds for Thompson sampling*, 2013.

    >>> GaussianThompson(0.5).explore
    GaussianPosterior(deviation=0.5, widest=1.0, bound=1.0)
    """
    return Policy(forget=Full(), explore=GaussianPosterior(deviation, 1.0, bound), label=label)


def _epsilon_greedy(rate: float = 0.1, bound: float = 1.0, label: str = "ε-greedy") -> Policy:
    """ε-greedy, full history × never × greedy: any arm with probability ε, else the largest mean.

    ε is `rate`. `tuned` lets it fall with the rounds.

    Fails in any world in the long run if ε stays fixed: a share ε of the plays is wasted. Where the
    best arm changes, the mean over the whole past hides it; give it another memory.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, section 2; Sutton & Barto 1998.

    >>> EpsilonGreedy(0.05).explore
    Greedy(rate=0.05, bound=1.0)
    """
    return Policy(forget=Full(), explore=Greedy(rate, bound), label=label)


def _tuned_epsilon_greedy(
    gap: float, c: float = 5.0, bound: float = 1.0, label: str = "ε-greedy"
) -> Policy:
    """Return ε_t = min(1, c K B² / (d² t)); d, the `gap`, is at most that of the second-best arm.

    Theorem 3 of Auer, Cesa-Bianchi & Fischer 2002, for which c must be above 5; smaller ones may do
    better in practice.
    """
    bound = real("bound", bound, "(0, inf)")
    share = real("gap", gap, f"(0, {bound:g}]") / bound
    scale = real("c", c, "(0, inf)") / (share * share)
    return Policy(forget=Full(), explore=DecayingGreedy(scale, bound), label=label)


DiscountedThompson = Preset(_discounted_thompson, _tuned_discounted_thompson)
SlidingWindowThompson = Preset(_sliding_window_thompson, _tuned_sliding_window_thompson)
EpsilonGreedy = Preset(_epsilon_greedy, _tuned_epsilon_greedy)
