"""What the theorems say about one problem, side by side."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from driftbandit.core.arrays import listed
from driftbandit.core.errors import one_of, plain, real, require, whole
from driftbandit.policies import EXP3S
from driftbandit.policies.presets.preset import other_names
from driftbandit.policies.tuning import discount_rule, window_rule
from driftbandit.theory import discounted, exp3s, lower, ucb1, windowed
from driftbandit.theory.bound import Bound, same_regret
from driftbandit.theory.divergence import kl_bernoulli
from driftbandit.theory.optimum import best_discount, best_window
from driftbandit.theory.problem import Problem, make_problem

PRINTED, HOLDS, BEST, GIVEN = "as printed", "holds", "holds, best choice", "holds, as given"
FORMULAS = {
    "UCB-1": "plays ≤ 1 + ⌈4B²ξ log T / Δ²⌉ + Σ P(the index misleads)",
    "UCB-1 (Auer et al.)": "plays ≤ 8B² log T / Δ² + 1 + π²/3",
    "D-UCB": "plays ≤ 1 + ⌈(T−K)/m⌉ ⌈A(γ) γ^(1−m)⌉ + Υ ⌈D(γ)⌉ + Σ P(the index misleads)",
    "SW-UCB": "plays ≤ 1 + ⌈(T−K)/τ⌉ ⌈4B²ξ log τ / Δ²⌉ + τ Υ + Σ P(the index misleads)",
    "EXP3.S": "regret ≤ B (K ((Υ+1) log(K/α) + eαT) / γ + (e−1) γ T)",
    "any policy": "max(regret without the period, regret with it) ≥ r, the solution of "
    "r = δ (τ − N/M − τ √(αN/(2M))) with N = r/Δ",
}
"""The formula of each policy's bound, in the form that holds."""

LETTERS = {
    "D-UCB": "m = ⌈1/(1−γ)⌉; A(γ) = 16B²ξ log n_T(γ) / Δ²; D(γ): rounds a breakpoint spoils",
    "EXP3.S": "γ is the exploration, α = 1/T the sharing",
    "any policy": "δ: how far above the best the coin jumps; α: divergence of its two laws; "
    "M periods of τ = ⌊T/M⌋ rounds, with the M that maximises the bound",
}
"""The letters of a formula that the problem does not define."""


class Statement(NamedTuple):
    """A bound for a policy and a parameter: on its regret and, where there is one, on its plays."""

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
        return {
            "policy": self.policy,
            "form": self.form,
            "parameter": self.parameter,
            "formula": self.formula,
            "plays": plays,
            "regret": self.regret.to_dict(),
        }


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
    """Return what the theorems say about the named policies (default: all), and about any policy.

    An arm that is not the best lies at least `gap` and at most `largest_gap` below it, by default
    exactly `gap`. Each bound is stated for the parameter of the paper's rule, for the one that
    minimises it, and for `window` or `discount` if you set them. The lower bound is for Bernoulli
    rewards and needs two breakpoints.

    >>> [(s.policy, s.form) for s in statements(10**6, 0, 0.2, ["ucb-1"])]
    [('UCB-1', 'holds'), ('UCB-1 (Auer et al.)', 'holds')]
    """
    problem = make_problem(horizon, breakpoints, gap, arms, xi, bound)
    widest = problem.gap if largest_gap is None else largest_gap
    widest = real("largest_gap", widest, f"[{plain(problem.gap)}, {plain(problem.bound)}]")
    makers: dict[str, Callable[[], Iterator[Statement]]] = {
        "ucb-1": lambda: _ucb1(problem, widest),
        "d-ucb": lambda: _discounted(problem, widest, discount),
        "sw-ucb": lambda: _windowed(problem, widest, window),
        "exp3.s": lambda: _exp3s(problem, widest),
    }
    texts = [policies] if isinstance(policies, str) else policies
    names = listed("policies", texts, "be names of policies")
    chosen = [one_of("policy", name, makers, also=other_names()) for name in names] or list(makers)
    for name, value, whose in (("discount", discount, "d-ucb"), ("window", window, "sw-ucb")):
        fits = value is None or whose in chosen
        require(fits, name, value, f"be left out unless {whose} is among the policies")
    return [*(each for name in chosen for each in makers[name]()), *_any_policy(problem)]


def _ucb1(problem: Problem, widest: float) -> Iterator[Statement]:
    T, breaks, gap, arms, xi, bound = problem
    if breaks == 0:  # its theorems are for a world that does not change
        ours, theirs = ucb1.plays(T, gap, arms, xi, bound), ucb1.auer(T, gap, bound)
        yield _stated("UCB-1", HOLDS, f"xi={xi:g}", ours, problem, widest)
        yield _stated("UCB-1 (Auer et al.)", HOLDS, "xi=2", theirs, problem, widest)


def _windowed(problem: Problem, widest: float, window: int | None) -> Iterator[Statement]:
    T, breaks, gap, arms, xi, bound = problem

    def stated(form: str, tau: int, printed: bool = False) -> Statement:
        plays = windowed.plays(T, breaks, gap, tau, arms, xi, bound, as_printed=printed)
        return _stated("SW-UCB", form, f"window={tau}", plays, problem, widest)

    if window is not None:
        yield stated(GIVEN, whole("window", window))
    rule = window_rule(T, breaks, bound=bound)
    yield stated(PRINTED, rule, printed=True)
    yield stated(HOLDS, rule)
    yield stated(BEST, int(best_window(T, breaks, gap, arms, xi, bound).value))


def _discounted(problem: Problem, widest: float, discount: float | None) -> Iterator[Statement]:
    T, breaks, gap, arms, xi, bound = problem

    def stated(form: str, gamma: float, printed: bool = False) -> Statement:
        plays = discounted.plays(T, breaks, gap, gamma, arms, xi, bound, as_printed=printed)
        return _stated("D-UCB", form, f"discount={gamma:.10g}", plays, problem, widest)

    if discount is not None:
        yield stated(GIVEN, discounted.discount_of(discount))
    rule = discount_rule(T, breaks, bound=bound)
    if rule < 1.0:
        yield stated(PRINTED, rule, printed=True)
        yield stated(HOLDS, rule)
    yield stated(BEST, best_discount(T, breaks, gap, arms, xi, bound).value)


def _exp3s(problem: Problem, widest: float) -> Iterator[Statement]:
    T, breaks, _, arms, _, bound = problem
    for form, regret, segments in (
        (PRINTED, exp3s.regret(T, breaks, arms, bound=bound, as_printed=True), breaks),
        (HOLDS, exp3s.regret(T, breaks, arms, bound=bound), breaks),
        (BEST, exp3s.tuned(T, breaks, arms, bound), breaks + 1),
    ):
        far = f"no mean is ever more than {widest:g} below the best"
        capped = dataclasses.replace(regret, trivial=widest * T, assumes=(*regret.assumes, far))
        gamma = EXP3S.tuned(T, segments, arms).exploration
        yield Statement("EXP3.S", form, f"exploration={gamma:.4g}", None, capped)


def _any_policy(problem: Problem) -> Iterator[Statement]:
    """Yield the lower bound for coins: the worst arm lies a gap below the best, then above it."""
    gap = problem.gap / problem.bound
    worst = max(0.0, 0.5 - gap)
    best = worst + gap
    new = best + min(gap, (1.0 - best) / 2.0)
    if new <= best or problem.breakpoints < 2:
        return
    alpha, coins = kl_bernoulli(worst, new), f"coins {best:g}, {worst:g}→{new:g}"
    for form, printed in ((PRINTED, True), (HOLDS, False)):
        regret = lower.any_policy(problem.T, gap, new - best, alpha, as_printed=printed)
        scaled = dataclasses.replace(regret, value=problem.bound * regret.value)
        yield Statement("any policy", form, coins, None, scaled)


def _stated(
    policy: str, form: str, parameter: str, plays: Bound, problem: Problem, widest: float
) -> Statement:
    regret = same_regret(plays, problem.arms, widest, problem.T)
    return Statement(policy, form, parameter, plays, regret)
