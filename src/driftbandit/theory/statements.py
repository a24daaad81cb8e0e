"""All that the theorems say about one problem, side by side."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from driftbandit.errors import one_of
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
    "any policy": "regret ≥ δ (τ − N/M − τ √(αN/(2M))), with the worst period of τ = ⌊T/M⌋ rounds",
}


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
    policies: Sequence[str] = (),
    *,
    arms: int = 2,
    xi: float = 0.6,
    bound: float = 1.0,
    window: int | None = None,
    discount: float | None = None,
) -> list[Statement]:
    """Return what the theorems say of the named policies (default: all), and of any policy.

    Every arm that is not the best is taken to lie `gap` below it. The parameters are those of the
    paper's rules, the ones that make the bound least, and those given. The lower bound needs two
    breakpoints, and takes coins.

    >>> [(s.policy, s.form) for s in statements(10**6, 0, 0.2, ["ucb-1"])]
    [('UCB-1', 'holds'), ('UCB-1 (Auer et al.)', 'holds')]
    """
    given = asked(horizon, breakpoints, gap, arms, xi, bound)
    makers: dict[str, Callable[[], Iterator[Statement]]] = {
        "ucb-1": lambda: _ucb1(given),
        "d-ucb": lambda: _discounted(given, discount),
        "sw-ucb": lambda: _windowed(given, window),
        "exp3.s": lambda: _exp3s(given),
    }
    chosen = [one_of("policy", name.lower(), makers) for name in policies] or list(makers)
    return [*(each for name in chosen for each in makers[name]()), *_any_policy(given)]


def _ucb1(given: Asked) -> Iterator[Statement]:
    T, changes, gap, arms, xi, bound = given
    if changes == 0:  # its theorems are for a world that does not change
        yield _stated("UCB-1", HOLDS, f"xi={xi:g}", ucb1.plays(T, gap, arms, xi, bound), given)
        yield _stated("UCB-1 (Auer et al.)", HOLDS, "xi=2", ucb1.auer(T, gap, bound), given)


def _windowed(given: Asked, window: int | None) -> Iterator[Statement]:
    T, changes, gap, arms, xi, bound = given

    def stated(form: str, tau: int, printed: bool = False) -> Statement:
        plays = windowed.plays(T, changes, gap, tau, arms, xi, bound, as_printed=printed)
        return _stated("SW-UCB", form, f"window={tau}", plays, given)

    if window is not None:
        yield stated(GIVEN, window)
    rule = window_rule(T, changes, bound=bound)
    yield stated(PRINTED, rule, printed=True)
    yield stated(HOLDS, rule)
    yield stated(BEST, int(best_window(T, changes, gap, arms, xi, bound).value))


def _discounted(given: Asked, discount: float | None) -> Iterator[Statement]:
    T, changes, gap, arms, xi, bound = given

    def stated(form: str, gamma: float, printed: bool = False) -> Statement:
        plays = discounted.plays(T, changes, gap, gamma, arms, xi, bound, as_printed=printed)
        return _stated("D-UCB", form, f"discount={gamma:.7g}", plays, given)

    if discount is not None:
        yield stated(GIVEN, discount)
    rule = discount_rule(T, changes, bound=bound)
    if rule < 1.0:
        yield stated(PRINTED, rule, printed=True)
        yield stated(HOLDS, rule)
    yield stated(BEST, best_discount(T, changes, gap, arms, xi, bound).value)


def _exp3s(given: Asked) -> Iterator[Statement]:
    T, changes, gap, arms, _, bound = given
    for form, found, segments in (
        (PRINTED, exp3s.regret(T, changes, arms, bound=bound, as_printed=True), changes),
        (HOLDS, exp3s.regret(T, changes, arms, bound=bound), changes),
        (BEST, exp3s.tuned(T, changes, arms, bound), changes + 1),
    ):
        known = dataclasses.replace(found, trivial=gap * T)
        yield Statement("EXP3.S", form, f"tuned to {segments} segments", None, known)


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


def _stated(policy: str, form: str, parameter: str, plays: Bound, given: Asked) -> Statement:
    regret = same_regret(plays, given.arms, given.gap, given.T)
    return Statement(policy, form, parameter, plays, regret)
