"""The named policies: cells of forget × detect × explore under their names in the literature."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

from driftbandit.core.errors import whole
from driftbandit.policies.index.policy import Policy
from driftbandit.policies.tuning import alone, discount_rule, window_rule
from driftbandit.policies.weights import EXP3S, EXP3SIX
from driftbandit.rules.explore import UCB, Gibbs, UCBVariance
from driftbandit.rules.forget import (
    Discount,
    DoublingDiscount,
    DoublingWindow,
    Forget,
    Full,
    Window,
)

Made = ParamSpec("Made")
Known = ParamSpec("Known")
Named_co = TypeVar("Named_co", covariant=True)


class Preset(Generic[Made, Known, Named_co]):
    """A named policy: call it with its parameters, or its `tuned` with what is known instead."""

    def __init__(self, make: Callable[Made, Named_co], tuned: Callable[Known, Named_co]) -> None:
        functools.update_wrapper(self, make)
        self._make = make
        self.tuned = tuned

    def __call__(self, *args: Made.args, **kwargs: Made.kwargs) -> Named_co:
        """Make the policy from its parameters."""
        return self._make(*args, **kwargs)


def UCB1(xi: float = 0.5, bound: float = 1.0, label: str = "UCB-1") -> Policy:
    """UCB-1, full history × never × UCB: X̄_t(i) + B √(ξ log t / N_t(i)).

    The policy for a world that does not change; ξ = 1/2 in the paper, ξ = 2 in Auer et al.

    Fails where the best arm changes: it must first outweigh everything it has learned. In
    `two_swaps` it needs more than 4,000 rounds to return to the first arm.

    Reference: Auer, Cesa-Bianchi & Fischer 2002.

    >>> UCB1(xi=2.0).forget
    Full()
    """
    return Policy(forget=Full(), explore=UCB(xi, bound), label=label)


def _discounted_ucb(
    discount: float,
    xi: float = 0.5,
    bound: float = 1.0,
    padding: float = 2.0,
    label: str = "D-UCB",
) -> Policy:
    """D-UCB, discount × never × UCB: X̄_t(γ, i) + 2B √(ξ log n_t(γ) / N_t(γ, i)).

    γ is `discount`. The factor 2 of the printed padding is `padding`; with padding 1 the policy
    behaves as the paper's figure says. `tuned` knows the horizon and the number of breakpoints,
    or the density of breakpoints, or how their number grows.

    About 1/(1 − γ) rounds are remembered. Fails where gaps are small: it never stops exploring, and
    with padding 2 it explores more than it can afford. With γ = 1 it is UCB-1 with 4ξ in place of
    ξ.

    Reference: Kocsis & Szepesvári 2006; Garivier & Moulines 2008.

    >>> DiscountedUCB.tuned(horizon=10_000, breakpoints=1).forget
    Discount(discount=0.9975)
    """
    return Policy(forget=Discount(discount), explore=UCB(xi, bound, padding), label=label)


def _tuned_discounted_ucb(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    growth: float | None = None,
    xi: float = 0.5,
    bound: float = 1.0,
    padding: float = 2.0,
    label: str = "D-UCB",
) -> Policy:
    """Set γ from (horizon, breakpoints), from the density of breakpoints, or from their growth.

    γ = 1 − √(Υ/T) / (4B); γ = 1 − √r / (4B); or, for Υ growing as T^β and an unknown horizon,
    γ = 1 − (2^k)^((β−1)/2) / (4B) for 2^k ≤ t < 2^(k+1).
    """
    forget = tuned_discount(horizon, breakpoints, density, growth, bound)
    return Policy(forget=forget, explore=UCB(xi, bound, padding), label=label)


def tuned_discount(
    horizon: int | None,
    breakpoints: int | None,
    density: float | None,
    growth: float | None,
    bound: float,
) -> Forget:
    """Return the discount of the paper's tuning rules for what is known."""
    if growth is not None:
        alone("growth", horizon, breakpoints, density)
        return DoublingDiscount(growth, bound)
    return Discount(discount_rule(horizon, breakpoints, density=density, bound=bound))


def _sliding_window_ucb(
    window: int,
    xi: float = 0.5,
    bound: float = 1.0,
    padding: float = 1.0,
    label: str = "SW-UCB",
) -> Policy:
    """SW-UCB, window × never × UCB: X̄_t(τ, i) + B √(ξ log min(t, τ) / N_t(τ, i)).

    τ is `window`, counted in rounds. `tuned` knows the horizon and the number of breakpoints, or
    the density of breakpoints, or how their number grows.

    Fails where the window holds too few plays to tell the arms apart, and where it is longer than
    the stretches between changes. It stores τ plays per run.

    Reference: Garivier & Moulines 2008.

    >>> SlidingWindowUCB.tuned(horizon=10_000, breakpoints=2).forget
    Window(window=429)
    """
    return Policy(forget=Window(window), explore=UCB(xi, bound, padding), label=label)


def _tuned_sliding_window_ucb(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    growth: float | None = None,
    xi: float = 0.5,
    bound: float = 1.0,
    padding: float = 1.0,
    label: str = "SW-UCB",
) -> Policy:
    """Set τ from (horizon, breakpoints), from the density of breakpoints, or from their growth.

    τ = 2B √(T log T / Υ), and τ = T if Υ = 0; τ = 2B √(−log r / r); or, for Υ growing as T^β and
    an unknown horizon, τ = 2B √(2^k log(2^k) / 2^(kβ)) for 2^k ≤ t < 2^(k+1).
    """
    forget = tuned_window(horizon, breakpoints, density, growth, bound)
    return Policy(forget=forget, explore=UCB(xi, bound, padding), label=label)


def tuned_window(
    horizon: int | None,
    breakpoints: int | None,
    density: float | None,
    growth: float | None,
    bound: float,
) -> Forget:
    """Return the window of the paper's tuning rules for what is known."""
    if growth is not None:
        alone("growth", horizon, breakpoints, density)
        return DoublingWindow(growth, bound)
    return Window(window_rule(horizon, breakpoints, density=density, bound=bound))


def _exp3(exploration: float, bound: float = 1.0, label: str = "EXP3") -> EXP3S:
    """EXP3, exponential weights: p_i = (1 − γ) w_i / W + γ / K, w_i ← w_i exp(γ x̂_i / K).

    EXP3.S with sharing 0: it competes with the best single arm, not with a changing one.

    Fails where the best arm changes.

    Reference: Auer, Cesa-Bianchi, Freund & Schapire 1995 and 2002, section 3.

    >>> EXP3.tuned(horizon=10_000, arms=3).exploration
    0.01384...
    """
    return EXP3S(exploration, 0.0, bound, label=label)


def _tuned_exp3(horizon: int, arms: int, bound: float = 1.0, label: str = "EXP3") -> EXP3S:
    """Return γ = min(1, √(K log K / ((e − 1) T))), Corollary 3.2 of Auer et al. 2002."""
    T, K = whole("horizon", horizon), whole("arms", arms, least=2)
    exploration = min(1.0, math.sqrt(K * math.log(K) / ((math.e - 1.0) * T)))
    return EXP3S(exploration, 0.0, bound, label=label)


def _exp3_ix(rate: float, implicit: float, bound: float = 1.0, label: str = "EXP3-IX") -> EXP3SIX:
    """EXP3-IX, exponential weights: p_i = w_i / W, w_i ← w_i exp(−η ℓ 1{i = I} / (p_i + γ)).

    ℓ = 1 − X/B is the loss, η is `rate`, γ is `implicit`. EXP3.SIX with sharing 0: it competes with
    the best single arm, with high probability and without forced plays.

    The γ in the estimate makes it smaller than the truth on average, and far less noisy: that is
    the exploration. As γ goes to 0 it becomes plain exponential weights; η/γ is at most 250.

    Fails where the best arm changes, as EXP3 does; nothing makes it play an arm that it has given
    up.

    Reference: Neu 2015.

    >>> EXP3IX.tuned(horizon=10_000, arms=3).implicit
    0.00427...
    """
    return EXP3SIX(rate, implicit, 0.0, bound, label=label)


def _tuned_exp3_ix(horizon: int, arms: int, bound: float = 1.0, label: str = "EXP3-IX") -> EXP3SIX:
    """Return η = 2γ = √(2 log K / (KT)), of Neu 2015.

    With probability 1 − δ the regret is at most 2√(2KT log K) + (√(2KT / log K) + 1) log(2/δ), for
    every δ at once.
    """
    return EXP3SIX.tuned(horizon, 0, arms, bound, label)


def UCBV(zeta: float = 1.2, c: float = 1.0, bound: float = 1.0, label: str = "UCB-V") -> Policy:
    """UCB-V, full history × never × variance: X̄ + √(2 V ζ log t / N) + 3 c B ζ log t / N.

    Gains where rewards vary little. For rewards of 0 or 1 with means near 1/2 it explores more than
    UCB-1 with ξ = 1/2. Fails where the best arm changes, as UCB-1.

    Reference: Audibert, Munos & Szepesvári 2007.

    >>> UCBV().label
    'UCB-V'
    """
    return Policy(forget=Full(), explore=UCBVariance(zeta, c, bound), label=label)


def Softmax(temperature: float = 0.1, label: str = "softmax") -> Policy:
    """Softmax, full history × never × Gibbs: play arm i with probability ∝ exp(X̄_t(i) / T).

    It has no `bound`. Fails in any world in the long run: the temperature is fixed, so it keeps
    playing bad arms (warm), or gives up a good arm after a bad start (cold).

    Reference: Garivier & Moulines 2008, section 1.1.

    >>> Softmax(0.05).explore
    Gibbs(temperature=0.05)
    """
    return Policy(forget=Full(), explore=Gibbs(temperature), label=label)


DiscountedUCB = Preset(_discounted_ucb, _tuned_discounted_ucb)
SlidingWindowUCB = Preset(_sliding_window_ucb, _tuned_sliding_window_ucb)
EXP3 = Preset(_exp3, _tuned_exp3)
EXP3IX = Preset(_exp3_ix, _tuned_exp3_ix)
