"""The paper's index policies: UCB-1, D-UCB and SW-UCB."""

from __future__ import annotations

from driftbandit.policies.index.policy import Policy
from driftbandit.policies.presets.changes import discounted, discounting, windowed, windowing
from driftbandit.policies.presets.preset import Cell, preset
from driftbandit.rules.explore import UCB
from driftbandit.rules.forget import Discount, DoublingDiscount, DoublingWindow, Window


@preset("ucb-1", Cell(Policy))
def UCB1(xi: float = 0.5, bound: float = 1.0, label: str = "UCB-1") -> Policy:
    """UCB-1, full history × never × UCB: X̄_t(i) + B √(ξ log t / N_t(i)).

    The policy for a world that does not change; ξ = 1/2 in the paper, ξ = 2 in Auer et al.

    Fails where the best arm changes: it must first outweigh everything it has learned. In
    `two_swaps` it needs more than 4,000 rounds to return to the first arm.

    Reference: Auer, Cesa-Bianchi & Fischer 2002.

    >>> UCB1(xi=2.0).forget
    Full()
    """
    return Policy(explore=UCB(xi, bound), label=label)


@preset("d-ucb", Cell(Policy, forget=(Discount, DoublingDiscount)), tuned=discounted)
def DiscountedUCB(
    discount: float | DoublingDiscount,
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
    return Policy(discounting(discount), explore=UCB(xi, bound, padding), label=label)


@preset("sw-ucb", Cell(Policy, forget=(Window, DoublingWindow)), tuned=windowed)
def SlidingWindowUCB(
    window: int | DoublingWindow,
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
    return Policy(windowing(window), explore=UCB(xi, bound, padding), label=label)
