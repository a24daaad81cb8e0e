"""Named policies that play the arm with the largest upper bound, beyond those of the paper."""

from __future__ import annotations

from driftbandit.core.errors import real
from driftbandit.policies.index.policy import Policy
from driftbandit.policies.presets.paper import Preset, tuned_discount, tuned_window
from driftbandit.rules.explore import KLUCB, UCB, AnytimeMinimax, Minimax, TunedUCB
from driftbandit.rules.forget import Discount, Full, GrowingWindow, Window


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
    return Policy(forget=Full(), explore=KLUCB(c, bound), label=label)


def _discounted_klucb(
    discount: float, c: float = 0.0, bound: float = 1.0, label: str = "D-KL-UCB"
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
    return Policy(forget=Discount(discount), explore=KLUCB(c, bound), label=label)


def _tuned_discounted_klucb(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    growth: float | None = None,
    c: float = 0.0,
    bound: float = 1.0,
    label: str = "D-KL-UCB",
) -> Policy:
    """Set γ as `DiscountedUCB.tuned` does."""
    forget = tuned_discount(horizon, breakpoints, density, growth, bound)
    return Policy(forget=forget, explore=KLUCB(c, bound), label=label)


def _sliding_window_klucb(
    window: int, c: float = 0.0, bound: float = 1.0, label: str = "SW-KL-UCB"
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
    return Policy(forget=Window(window), explore=KLUCB(c, bound), label=label)


def _tuned_sliding_window_klucb(
    horizon: int | None = None,
    breakpoints: int | None = None,
    *,
    density: float | None = None,
    growth: float | None = None,
    c: float = 0.0,
    bound: float = 1.0,
    label: str = "SW-KL-UCB",
) -> Policy:
    """Set τ as `SlidingWindowUCB.tuned` does."""
    forget = tuned_window(horizon, breakpoints, density, growth, bound)
    return Policy(forget=forget, explore=KLUCB(c, bound), label=label)


def UCBTuned(bound: float = 1.0, label: str = "UCB-tuned") -> Policy:
    """UCB-tuned, full history × never × tuned UCB: the padding knows the rewards' variance.

    X̄_t(i) + B √((log t / N_t(i)) · min(1/4, V_t(i)/B² + √(2 log t / N_t(i)))).

    Often better than UCB-1, without a proof: it explores little, so a run with a bad start may stay
    with a bad arm for long. Fails where the best arm changes, as UCB-1.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, section 4.

    >>> UCBTuned().explore
    TunedUCB(bound=1.0)
    """
    return Policy(forget=Full(), explore=TunedUCB(bound), label=label)


def MOSS(horizon: int, bound: float = 1.0, label: str = "MOSS") -> Policy:
    """MOSS, full history × never × minimax: X̄_t(i) + B √(max(log(T / (K N_t(i))), 0) / N_t(i)).

    Its regret is of the order √(KT) in the worst world. It needs the horizon, and past it explores
    no more. Fails where the best arm changes, as UCB-1.

    Reference: Audibert & Bubeck 2009.

    >>> MOSS(horizon=10_000).explore
    Minimax(horizon=10000, bound=1.0)
    """
    return Policy(forget=Full(), explore=Minimax(horizon, bound), label=label)


def AnytimeMOSS(alpha: float = 1.35, bound: float = 1.0, label: str = "MOSS-anytime") -> Policy:
    """MOSS-anytime, full history × never × anytime minimax: MOSS with t in place of T.

    X̄_t(i) + B √(½ (1 + α) max(log(t / (K N_t(i))), 0) / N_t(i)).

    It needs no horizon. Fails where the best arm changes, as UCB-1.

    Reference: Degenne & Perchet 2016.

    >>> AnytimeMOSS().explore
    AnytimeMinimax(alpha=1.35, bound=1.0)
    """
    return Policy(forget=Full(), explore=AnytimeMinimax(alpha, bound), label=label)


def _sw_ucb_sharp(
    power: float, scale: float = 12.3, bound: float = 1.0, label: str = "SW-UCB#"
) -> Policy:
    """SW-UCB#, growing window × never × UCB: X̄ + B √((1 + α) log t / N) over ⌈λ t^α⌉ rounds.

    α is `power`, λ is `scale`. It needs no horizon. `tuned` knows how the number of breakpoints
    grows. Where means move by O(T^−κ) a round instead, α = min(1, 3κ/4) and λ = 4.3 in the source.

    The logarithm is that of t, not of the window. It explores much: ξ = 1 + α is two to three times
    that of SW-UCB, and the window is short at first.

    Reference: Wei & Srivastava 2018.

    >>> SWUCBSharp.tuned(growth=0.5).forget
    GrowingWindow(power=0.25, scale=12.3)
    """
    xi = 1.0 + real("power", power, "[0, 1]")
    return Policy(forget=GrowingWindow(power, scale), explore=UCB(xi, bound), label=label)


def _tuned_sw_ucb_sharp(
    growth: float, scale: float = 12.3, bound: float = 1.0, label: str = "SW-UCB#"
) -> Policy:
    """Return α = (1 − ν) / 2 for a number of breakpoints that grows as T^ν; ν is `growth`."""
    power = 0.5 * (1.0 - real("growth", growth, "[0, 1)"))
    return _sw_ucb_sharp(power, scale, bound, label)


DiscountedKLUCB = Preset(_discounted_klucb, _tuned_discounted_klucb)
SlidingWindowKLUCB = Preset(_sliding_window_klucb, _tuned_sliding_window_klucb)
SWUCBSharp = Preset(_sw_ucb_sharp, _tuned_sw_ucb_sharp)
