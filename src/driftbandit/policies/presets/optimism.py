"""Named policies that play the arm with the largest upper bound, beyond those of the paper."""

from __future__ import annotations

from typing import Unpack

from driftbandit.core.errors import real
from driftbandit.policies.index.policy import Policy
from driftbandit.policies.presets.changes import discounted, discounting, windowed, windowing
from driftbandit.policies.presets.preset import Cell, preset
from driftbandit.policies.presets.tuned import Bounded, Parameters, sets
from driftbandit.rules import explore
from driftbandit.rules.explore import KLUCB, UCB
from driftbandit.rules.forget import (
    Discount,
    DoublingDiscount,
    DoublingWindow,
    GrowingWindow,
    Window,
)


@preset("kl-ucb", Cell(Policy, explore=KLUCB))
def StationaryKLUCB(c: float = 0.0, bound: float = 1.0, label: str = "KL-UCB") -> Policy:
    """KL-UCB, full history × never × KL-UCB: max {q : N_t(i) kl(X̄_t(i), q) ≤ log t + c log log t}.

    For rewards of 0 or 1 in a world that does not change, its regret is the least possible, in the
    long run. `KLUCB` is the rule on the axis of exploration; this is the policy.

    That regret is Σ Δ / kl(μ, μ*) · log T. For rewards that vary less than coins it explores more
    than it must. Fails where the best arm changes, as UCB-1: in problem 1 of Besson et al. 2022 its
    regret is one and a half times that of SW-KL-UCB.

    Reference: Garivier & Cappé 2011; Cappé, Garivier, Maillard, Munos & Stoltz 2013.

    >>> StationaryKLUCB().explore
    KLUCB(c=0.0, bound=1.0)
    """
    return Policy(explore=KLUCB(c, bound), label=label)


@preset(
    "d-kl-ucb", Cell(Policy, forget=(Discount, DoublingDiscount), explore=KLUCB), tuned=discounted
)
def DiscountedKLUCB(
    discount: float | DoublingDiscount,
    c: float = 0.0,
    bound: float = 1.0,
    label: str = "D-KL-UCB",
) -> Policy:
    """D-KL-UCB, discount × never × KL-UCB: D-UCB with the padding of KL-UCB.

    max {q : N_t(γ, i) kl(X̄_t(γ, i), q) ≤ log n_t(γ) + c log log n_t(γ)}, γ is `discount`. `tuned`
    knows what that of D-UCB does.

    Fails as D-UCB: where gaps are small it never stops exploring.

    Reference: Garivier & Moulines 2008 for the memory, Garivier & Cappé 2011 for the index; in
    Combes & Proutière 2014 and Besson, Kaufmann, Maillard & Seznec 2022.

    >>> DiscountedKLUCB.tuned(horizon=10_000, breakpoints=1).forget
    Discount(discount=0.9975)
    """
    return Policy(discounting(discount), explore=KLUCB(c, bound), label=label)


@preset("sw-kl-ucb", Cell(Policy, forget=(Window, DoublingWindow), explore=KLUCB), tuned=windowed)
def SlidingWindowKLUCB(
    window: int | DoublingWindow, c: float = 0.0, bound: float = 1.0, label: str = "SW-KL-UCB"
) -> Policy:
    """SW-KL-UCB, window × never × KL-UCB: SW-UCB with the padding of KL-UCB.

    max {q : N_t(τ, i) kl(X̄_t(τ, i), q) ≤ log min(t, τ) + c log log min(t, τ)}, τ is `window`.
    `tuned` knows what that of SW-UCB does.

    Fails as SW-UCB: a window that is too short cannot tell the arms apart, and one that is too long
    is slow.

    Reference: Garivier & Moulines 2008 for the memory, Garivier & Cappé 2011 for the index; in
    Combes & Proutière 2014 and Besson, Kaufmann, Maillard & Seznec 2022.

    >>> SlidingWindowKLUCB.tuned(horizon=10_000, breakpoints=4).forget
    Window(window=303)
    """
    return Policy(windowing(window), explore=KLUCB(c, bound), label=label)


@preset("ucb-v", Cell(Policy, explore=explore.UCBV))
def UCBV(zeta: float = 1.2, c: float = 1.0, bound: float = 1.0, label: str = "UCB-V") -> Policy:
    """UCB-V, full history × never × UCB-V: X̄ + √(2 V ζ log t / N) + 3 c B ζ log t / N.

    Gains where rewards vary little. For rewards of 0 or 1 with means near 1/2 it explores more than
    UCB-1 with ξ = 1/2. Fails where the best arm changes, as UCB-1.

    Reference: Audibert, Munos & Szepesvári 2007.

    >>> UCBV().label
    'UCB-V'
    """
    return Policy(explore=explore.UCBV(zeta, c, bound), label=label)


@preset("ucb-tuned", Cell(Policy, explore=explore.UCBTuned))
def UCBTuned(bound: float = 1.0, label: str = "UCB-tuned") -> Policy:
    """UCB-tuned, full history × never × UCB-tuned: the padding knows the rewards' variance.

    X̄_t(i) + B √((log t / N_t(i)) · min(1/4, V_t(i)/B² + √(2 log t / N_t(i)))).

    Often better than UCB-1, without a proof: it explores little, so a run with a bad start may stay
    with a bad arm for long. Fails where the best arm changes, as UCB-1.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, section 4.

    >>> UCBTuned().explore
    UCBTuned(bound=1.0)
    """
    return Policy(explore=explore.UCBTuned(bound), label=label)


@preset("moss", Cell(Policy, explore=explore.MOSS))
def MOSS(horizon: int, bound: float = 1.0, label: str = "MOSS") -> Policy:
    """MOSS, full history × never × MOSS: X̄_t(i) + B √(max(log(T / (K N_t(i))), 0) / N_t(i)).

    Its regret is of the order √(KT) in the worst world. It needs the horizon, and past it explores
    no more. Fails where the best arm changes, as UCB-1.

    Reference: Audibert & Bubeck 2009.

    >>> MOSS(horizon=10_000).explore
    MOSS(horizon=10000, bound=1.0)
    """
    return Policy(explore=explore.MOSS(horizon, bound), label=label)


@preset("moss-anytime", Cell(Policy, explore=explore.AnytimeMOSS))
def AnytimeMOSS(alpha: float = 1.35, bound: float = 1.0, label: str = "MOSS-anytime") -> Policy:
    """MOSS-anytime, full history × never × MOSS-anytime: MOSS with t in place of T.

    X̄_t(i) + B √(½ (1 + α) max(log(t / (K N_t(i))), 0) / N_t(i)).

    It needs no horizon. Fails where the best arm changes, as UCB-1.

    Reference: Degenne & Perchet 2016.

    >>> AnytimeMOSS().explore
    AnytimeMOSS(alpha=1.35, bound=1.0)
    """
    return Policy(explore=explore.AnytimeMOSS(alpha, bound), label=label)


@sets("power")
def growing(growth: float, **others: Unpack[Bounded]) -> Parameters:
    """Return α = (1 − ν) / 2 for a number of breakpoints that grows as T^ν; ν is `growth`."""
    return {"power": 0.5 * (1.0 - real("growth", growth, "[0, 1)"))}


@preset("sw-ucb-sharp", Cell(Policy, forget=GrowingWindow), tuned=growing)
def SWUCBSharp(
    power: float, scale: float = 12.3, bound: float = 1.0, label: str = "SW-UCB#"
) -> Policy:
    """SW-UCB#, growing window × never × UCB: X̄ + B √((1 + α) log t / N) over ⌈λ t^α⌉ rounds.

    α is `power`, λ is `scale`. It needs no horizon. `tuned` knows how the number of breakpoints
    grows. Where means move by O(T^−κ) per round instead, α = min(1, 3κ/4) and λ = 4.3 in the
    source.

    The logarithm is that of t, not of the window. It explores much: ξ = 1 + α is two to three times
    that of SW-UCB, and the window is short at first.

    Reference: Wei & Srivastava 2018.

    >>> SWUCBSharp.tuned(growth=0.5).forget
    GrowingWindow(power=0.25, scale=12.3)
    """
    xi = 1.0 + real("power", power, "[0, 1]")
    return Policy(GrowingWindow(power, scale), explore=UCB(xi, bound), label=label)
