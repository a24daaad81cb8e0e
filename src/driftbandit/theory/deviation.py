"""Deviation inequalities for averages of rewards that somebody chose to see.

Rewards X_s ∈ [0, B] with means μ_s are observed in the rounds with ε_s = 1. Whether a round is
played may depend on everything observed before it. With a discount γ let

    S_t = Σ γ^(t−s) ε_s X_s,   M_t = Σ γ^(t−s) ε_s μ_s,   N_t(γ) = Σ γ^(t−s) ε_s,

and let n_t(γ) be N_t(γ) if every round is played. The functions bound the probability that the
ratio (S_t − M_t) / √N_t(γ²) exceeds δ. Before the first play the ratio exceeds nothing. The bounds
also hold for dependent rewards, if μ_s is the mean of X_s given the past.

Reference: Garivier & Moulines 2008, appendices A and B. As printed, the first is false for γ < 1;
see docs/explanation/errata.md.
"""

from __future__ import annotations

import math

from driftbandit.core.errors import flag, real, require, whole
from driftbandit.theory.peeling import Peeling

ROUNDING = 1e-9
"""A range whose ends agree up to rounding is a single value, not an empty range."""


def hoeffding(delta: float, *, bound: float = 1.0) -> float:
    """Return exp(−2δ²/B²), a bound on P(ratio_t > δ) if the rounds to play are fixed in advance.

    Reference: Hoeffding, *Probability inequalities for sums of bounded random variables*, 1963.

    >>> round(hoeffding(1.5), 4)
    0.0111
    """
    return Peeling(0.0).probability(delta, bound)


def deviation(
    delta: float,
    rounds: int,
    *,
    discount: float = 1.0,
    window: int | None = None,
    bound: float = 1.0,
    least: float = 1.0,
    eta: float | None = None,
    form: str = "sharp",
    as_printed: bool = False,
) -> float:
    """Return a bound on P(ratio_t > δ and N_t(γ²) ≥ least) for the one round t = `rounds`.

    The bound is D exp(−(2δ²/B²) g), where D = ⌈L / log(1 + η)⌉ ∨ 1 and
    L = log(n_t(γ²) / (least ∨ γ^(2(t−1)))). The factor g is 4 / ((1 + η)^¼ + (1 + η)^(−¼))² in
    the "sharp" form and 1 − η²/16 in the "simple" one. By default `eta` is the best one.

    N_t(γ²) ≥ 1 whenever round t is played, and after the first play if γ = 1. For γ < 1 and a
    policy that may stop playing the arm, choose `least`: `weight_of(v, discount)` covers every case
    with N_t(γ) ≥ v, and 0 sets no condition. With a `window` of τ rounds all sums are over the
    last τ rounds.

    `as_printed` gives the theorem of appendix A: L = log n_t(γ), no condition on N_t(γ²), and D = 0
    if L = 0. It is not a bound for γ < 1.

    >>> round(deviation(1.5, 1_000), 4), round(deviation(1.5, 1_000, window=50), 4)
    (0.0913, 0.0521)
    >>> round(deviation(1.5, 10_000, discount=0.9, as_printed=True), 3)
    0.032
    >>> round(deviation(1.5, 10_000, discount=0.9, least=0.0), 3)
    1.0
    """
    span = _fixed(rounds, discount, window, least, as_printed)
    return span.probability(delta, bound, eta, form)


def deviation_threshold(
    probability: float,
    rounds: int,
    *,
    discount: float = 1.0,
    window: int | None = None,
    bound: float = 1.0,
    least: float = 1.0,
    eta: float | None = None,
    form: str = "sharp",
) -> float:
    """Return the least δ at which `deviation` is `probability`: δ² = (B²/2) log(D/probability) / g.

    >>> delta = deviation_threshold(0.05, 1_000)
    >>> round(delta, 4), round(deviation(delta, 1_000), 4)
    (1.6088, 0.05)
    """
    return _fixed(rounds, discount, window, least).threshold(probability, bound, eta, form)


def maximal_deviation(
    delta: float,
    rounds: int,
    *,
    discount: float = 1.0,
    window: int | None = None,
    bound: float = 1.0,
    eta: float | None = None,
    form: str = "sharp",
    as_printed: bool = False,
) -> float:
    """Return a bound on P(ratio_t > δ for some t ≤ T), T = `rounds`.

    The bound is that of `deviation`, with L = log(γ^(−2(T−1)) n_T(γ²)) and no condition.
    `as_printed` gives the theorem of appendix B, whose L is larger by −2 log γ.

    With a `window` of τ < T rounds, the first τ rounds are one event with γ = 1, and each later
    round is another one: the bound is (T − τ + 1) D exp(−(2δ²/B²) g) with L = log τ.

    >>> round(maximal_deviation(2.5, 10_000, discount=0.99), 4)
    0.0016
    """
    return _maximal(rounds, discount, window, as_printed).probability(delta, bound, eta, form)


def maximal_threshold(
    probability: float,
    rounds: int,
    *,
    discount: float = 1.0,
    window: int | None = None,
    bound: float = 1.0,
    eta: float | None = None,
    form: str = "sharp",
) -> float:
    """Return the least δ at which `maximal_deviation` is `probability`.

    >>> round(maximal_threshold(0.05, 10_000, discount=0.99), 4)
    2.1034
    """
    return _maximal(rounds, discount, window).threshold(probability, bound, eta, form)


def best_eta(
    delta: float,
    rounds: int,
    *,
    discount: float = 1.0,
    window: int | None = None,
    bound: float = 1.0,
    least: float = 1.0,
    form: str = "sharp",
    as_printed: bool = False,
) -> float:
    """Return the η that minimises `deviation`, e^(L/D) − 1 for a whole number D.

    With `least=0` and no window it minimises `maximal_deviation` too. It is 0 where N_t(γ²) has a
    single possible value, for which every η is as good, and infinite beyond the largest float.

    >>> eta = best_eta(1.5, 1_000)
    >>> round(eta, 4), deviation(1.5, 1_000, eta=eta) == deviation(1.5, 1_000)
    (2.9811, True)
    """
    return _fixed(rounds, discount, window, least, as_printed).best_eta(delta, bound, form)


def weight_of(count: float, discount: float) -> float:
    """Return v² (1 − γ) / (1 + γ), the smallest possible N_t(γ²) where N_t(γ) ≥ v = `count`.

    For any set of ages k: (Σ γ^k)² = Σ γ^(2k) + 2 Σ_j γ^j Σ_{k>j} γ^k, and the last sum is at most
    γ^j γ / (1 − γ), so (Σ γ^k)² ≤ (1 + 2γ / (1 − γ)) Σ γ^(2k).

    >>> round(weight_of(10.0, 0.9), 4)  # every round played for ever: N(γ²) = 1 / (1 − 0.81)
    5.2632
    """
    gamma = real("discount", discount, "(0, 1)")
    v = real("count", count, "(0, inf)")
    return v * v * (1.0 - gamma) / (1.0 + gamma)


def _fixed(
    rounds: int,
    discount: float,
    window: int | None,
    least: float = 1.0,
    as_printed: bool = False,
) -> Peeling:
    """Return the range of N_t(γ²) in round t, from `least` on."""
    rounds, held, log_gamma = _memory(rounds, discount, window)
    least = real("least", least, "[0, inf)")
    if flag("as_printed", as_printed):
        require(least == 1.0, "least", least, "be left out with as_printed")
        return Peeling(log_geometric(log_gamma, held), fewest=0)
    log_least = max(math.log(least) if least else -math.inf, 2.0 * (held - 1) * log_gamma)
    span = log_geometric(2.0 * log_gamma, held) - log_least
    return Peeling(0.0 if -ROUNDING < span < 0.0 else span)


def _maximal(rounds: int, discount: float, window: int | None, as_printed: bool = False) -> Peeling:
    """Return the range of γ^(−2t) N_t(γ²) over the rounds t ≤ T."""
    rounds, held, log_gamma = _memory(rounds, discount, window)
    log_last = log_geometric(2.0 * log_gamma, held)
    if flag("as_printed", as_printed):
        require(window is None, "window", window, "be left out with as_printed")
        return Peeling(log_last - 2.0 * rounds * log_gamma, fewest=0)
    return Peeling(log_last - 2.0 * (held - 1) * log_gamma, events=rounds - held + 1)


def _memory(rounds: int, discount: float, window: int | None) -> tuple[int, int, float]:
    """Return the number of rounds, the number remembered at most, and log γ."""
    rounds, gamma = whole("rounds", rounds), real("discount", discount, "(0, 1]")
    if window is None:
        return rounds, rounds, math.log(gamma)
    require(gamma == 1.0, "discount", discount, "be left out if there is a window")
    return rounds, min(rounds, whole("window", window)), 0.0


def log_geometric(log_ratio: float, terms: int) -> float:
    """Return log(1 + r + … + r^(terms − 1)) for any log r ≤ 0, however near to 0.

    >>> round(math.exp(log_geometric(math.log(0.5), 3)), 12)
    1.75
    """
    if log_ratio == 0.0:
        return math.log(terms)
    return math.log(math.expm1(terms * log_ratio) / math.expm1(log_ratio))
