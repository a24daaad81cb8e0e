"""All that the theorems say about one problem, side by side."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from driftbandit.core.errors import one_of, real, require
from driftbandit.policies import EXP3S
from driftbandit.policies.tuning import discount_rule, window_rule
from driftbandit.theory import discounted, exp3s, lower, ucb1, windowed
from driftbandit.theory.asked import Asked, asked
from driftbandit.theory.bound import Bound, same_regret
from driftbandit.theory.divergence import kl_bernoulli
from driftbandit.theory.optimum import best_discount, best_window

PRINTED, HOLDS, BEST, GIVEN = "as printed", "holds", "holds, best choice", "holds, as given"
FORMULAS = {
    "UCB-1": "plays ≤ 1 + ⌈4B²ξ log T / Δ²⌉ + Σ P(the index misleads)",
    "UCB-1 (Auer et al.)": "plays ≤ 8B² log T / Δ² + 1 + π²/3",
    "D-UCB": "plays ≤ 1 + ⌈(T−K)/m⌉ ⌈A(γ) γ^(1−m)⌉ + Υ ⌈D(γ)⌉ + Σ P(the index misleads)",
    "SW-UCB": "plays ≤ 1 + ⌈(T−K)/τ⌉ ⌈4B²ξ log τ / Δ²⌉ + τ Υ + Σ P(the index misleads)",
    "EXP3.S": "regret ≤ B (K ((Υ+1) log(K/α) + eαT) / γ + (e−1) γ T)",
    "any policy": "max(regret without, with the period) ≥ the r for which, at N = r/Δ plays, "
    "r = δ (τ − N/M − τ √(αN/(2M)))",
}


LETTERS = {
    "D-UCB": "m = ⌈1/(1−γ)⌉; A(γ) = 16B²ξ log n_T(γ) / Δ²; D(γ): rounds a breakpoint spoils",
    "EXP3.S": "γ is exploration, α = 1/T sharing",
    "any policy": "δ: how far above the best the coin jumps; α: divergence of its two laws; "
    "M periods of τ = ⌊T/M⌋ rounds, M the worst",
}
"""What the letters of a formula mean that are not among those of the problem."""


class Statement(NamedTuple):
    """What is said of a policy with some parameter: on its plays, if so, and on its regret."""

    policy: str
    form: str
    parameter: str
    plays: Bound | None
    regret: Bound

    @property
    def formula(self) -> str:
        """The formula of the form that holds."""
        return FORMULAS[self.policy]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        plays = None if self.plays is None else self.plays.to_dict()
        told = {"formula": self.formula, "plays": plays, "regret": self.regret.to_dict()}
        return {"policy": self.policy, "form": self.form, "parameter": self.parameter, **told}


def statements(
    horizon: int,
    breakpoints: int,
    gap: float,
    policies: str | Sequence[str] = (),
    *,
    largest_gap: float | None = None,
    arms: int = 2,
    xi: float = 0.6,
    bound: float = 1.0,
    window: int | None = None,
    discount: float | None = None,
) -> list[Statement]:
    """Return what the theorems say of the named policies (default: all), and of any policy.

    An arm that is not the best lies at least `gap` below it, and at most `largest_gap`, by default
    the same. The parameters are those of the
    paper's rules, the ones that make the bound least, and those given. The lower bound needs two
    breakpoints, and takes coins.

    >>> [(s.policy, s.form) for s in statements(10**6, 0, 0.2, ["ucb-1"])]
    [('UCB-1', 'holds'), ('UCB-1 (Auer et al.)', 'holds')]
    """
    given = asked(horizon, breakpoints, gap, arms, xi, bound)
    widest = given.gap if largest_gap is None else largest_gap
    widest = real("largest_gap", widest, f"[{given.gap:g}, {given.bound:g}]")
    makers: dict[str, Callable[[], Iterator[Statement]]] = {
        "ucb-1": lambda: _ucb1(given, widest),
        "d-ucb": lambda: _discounted(given, widest, discount),
        "sw-ucb": lambda: _windowed(given, widest, window),
        "exp3.s": lambda: _exp3s(given, widest),
    }
    names = [policies] if isinstance(policies, str) else policies
    chosen = [one_of("policy", name, makers) for name in names] or list(makers)
    for name, value, whose in (("discount", discount, "d-ucb"), ("window", window, "sw-ucb")):
        fits = value is None or whose in chosen
        require(fits, name, value, f"be left out unless {whose} is asked about")
    return [*(each for name in chosen for each in makers[name]()), *_any_policy(given)]


def _ucb1(given: Asked, widest: float) -> Iterator[Statement]:
    T, changes, gap, arms, xi, bound = given
    if changes == 0:  # its theorems are for a world that does not change
        ours, theirs = ucb1.plays(T, gap, arms, xi, bound), ucb1.auer(T, gap, bound)
        yield _stated("UCB-1", HOLDS, f"xi={xi:g}", ours, given, widest)
        yield _stated("UCB-1 (Auer et al.)", HOLDS, "xi=2", theirs, given, widest)


def _windowed(given: Asked, widest: float, window: int | None) -> Iterator[Statement]:
    T, changes, gap, arms, xi, bound = given

    def stated(form: str, tau: int, printed: bool = False) -> Statement:
        plays = windowed.plays(T, changes, gap, tau, arms, xi, bound, as_printed=printed)
        return _stated("SW-UCB", form, f"window={tau}", plays, given, widest)

    if window is not None:
        yield stated(GIVEN, window)
    rule = window_rule(T, changes, bound=bound)
    yield stated(PRINTED, rule, printed=True)
    yield stated(HOLDS, rule)
    yield stated(BEST, int(best_window(T, changes, gap, arms, xi, bound).value))


def _discounted(given: Asked, widest: float, discount: float | None) -> Iterator[Statement]:
    T, changes, gap, arms, xi, bound = given

    def stated(form: str, gamma: float, printed: bool = False) -> Statement:
        plays = discounted.plays(T, changes, gap, gamma, arms, xi, bound, as_printed=printed)
        return _stated("D-UCB", form, f"discount={gamma:.10g}", plays, given, widest)

    if discount is not None:
        yield stated(GIVEN, discount)
    rule = discount_rule(T, changes, bound=bound)
    if rule < 1.0:
        yield stated(PRINTED, rule, printed=True)
        yield stated(HOLDS, rule)
    yield stated(BEST, best_discount(T, changes, gap, arms, xi, bound).value)


def _exp3s(given: Asked, widest: float) -> Iterator[Statement]:
    T, changes, _, arms, _, bound = given
    for form, found, segments in (
        (PRINTED, exp3s.regret(T, changes, arms, bound=bound, as_printed=True), changes),
        (HOLDS, exp3s.regret(T, changes, arms, bound=bound), changes),
        (BEST, exp3s.tuned(T, changes, arms, bound), changes + 1),
    ):
        far = f"no mean is ever more than {widest:g} below the best"
        known = dataclasses.replace(found, trivial=widest * T, assumes=(*found.assumes, far))
        gamma = EXP3S.tuned(T, segments, arms).exploration
        yield Statement("EXP3.S", form, f"exploration={gamma:.4g}", None, known)


def _any_policy(given: Asked) -> Iterator[Statement]:
    """Yield the lower bound for coins: the worst lies a gap below the best, and then above it."""
    gap = given.gap / given.bound
    worst = max(0.0, 0.5 - gap)
    best = worst + gap
    new = best + min(gap, (1.0 - best) / 2.0)
    if new <= best or given.changes < 2:
        return
    alpha, coins = kl_bernoulli(worst, new), f"coins {best:g}, {worst:g}→{new:g}"
    for form, printed in ((PRINTED, True), (HOLDS, False)):
        found = lower.any_policy(given.T, gap, new - best, alpha, as_printed=printed)
        scaled = dataclasses.replace(found, value=given.bound * found.value)
        yield Statement("any policy", form, coins, None, scaled)


def _stated(
    policy: str, form: str, parameter: str, plays: Bound, given: Asked, widest: float
) -> Statement:
    regret = same_regret(plays, given.arms, widest, given.T)
    return Statement(policy, form, parameter, plays, regret)
