"""The slow, obvious truth: every policy as its paper writes it, on the full history.

A policy is a function of what was played and seen in rounds 1..t−1. Index policies return the
K indices of round t, weight policies (in `naive_weights`) the K probabilities. Nothing is updated
in place, nothing is remembered between calls, nothing is shared with the package: the fast code is
held against this.

Rounds are 1-based, arms 0-based. The first K rounds play each arm once. Later an arm with no
remembered play has the index +∞, and ties go to the lowest arm.
"""

from collections.abc import Callable
from itertools import accumulate
from math import cos, fsum, inf, log, pi, sqrt

Policy = Callable[[list[int], list[float], int], list[float]]
Index = Callable[[float, float, float, float], float]  # mean, variance, count, clock
Rule = Callable[[int], float]  # a function of the round

# --- the indices ---------------------------------------------------------------------------------


def ucb_index(xi: float, bound: float, padding: float) -> Index:
    """Return X̄ + padding · B √(ξ log n / N) as a function of mean, variance, count, clock."""
    return lambda mean, variance, count, clock: (
        mean + padding * bound * sqrt(xi * log(clock) / count)
    )


def ucb_v_index(zeta: float, c: float, bound: float) -> Index:
    """Return X̄ + √(2 V E / N) + 3 c B E / N with E = ζ log n (Audibert, Munos, Szepesvári)."""
    return lambda mean, variance, count, clock: (
        mean
        + sqrt(2 * variance * zeta * log(clock) / count)
        + 3 * c * bound * zeta * log(clock) / count
    )


# --- the index policies, each from its own formula -----------------------------------------------


def ucb1(
    arms: list[int], rewards: list[float], K: int, xi: float, bound: float, padding: float = 1.0
) -> list[float]:
    """UCB-1: plain means over all t rounds so far, B √(ξ log t / N_t(i))."""
    index = ucb_index(xi, bound, padding)
    indices = []
    for i in range(K):
        seen = [x for arm, x in zip(arms, rewards, strict=True) if arm == i]
        n = len(seen)
        indices.append(index(fsum(seen) / n, 0.0, n, len(arms)) if n else inf)
    return indices


def discounted_ucb(
    arms: list[int],
    rewards: list[float],
    K: int,
    discount: float,
    xi: float,
    bound: float,
    padding: float = 2.0,
) -> list[float]:
    """D-UCB: weights γ^(t−s), 2B √(ξ log n_t(γ) / N_t(γ, i)), n_t(γ) = Σ_i N_t(γ, i)."""
    index = ucb_index(xi, bound, padding)
    t = len(arms)
    history = list(zip(range(1, t + 1), arms, rewards, strict=True))
    counts = [fsum(discount ** (t - s) for s, arm, _ in history if arm == i) for i in range(K)]
    sums = [fsum(discount ** (t - s) * x for s, arm, x in history if arm == i) for i in range(K)]
    clock = fsum(counts)
    return [index(x / n, 0.0, n, clock) if n else inf for x, n in zip(sums, counts, strict=True)]


def sliding_window_ucb(
    arms: list[int],
    rewards: list[float],
    K: int,
    window: int,
    xi: float,
    bound: float,
    padding: float = 1.0,
) -> list[float]:
    """SW-UCB: means over rounds (t−τ+1)∨1 .. t, B √(ξ log(t∧τ) / N_t(τ, i))."""
    # t∧τ is exactly how many rounds the window holds, so this is UCB-1 on the window alone.
    return ucb1(arms[-window:], rewards[-window:], K, xi, bound, padding)


def ucb_v(
    arms: list[int], rewards: list[float], K: int, zeta: float, c: float, bound: float
) -> list[float]:
    """UCB-V on the full history, V_t(i) the average of (x − X̄)² over the plays of arm i."""
    index = ucb_v_index(zeta, c, bound)
    indices = []
    for i in range(K):
        seen = [x for arm, x in zip(arms, rewards, strict=True) if arm == i]
        if not seen:
            indices.append(inf)
            continue
        mean = fsum(seen) / len(seen)
        variance = fsum((x - mean) ** 2 for x in seen) / len(seen)
        indices.append(index(mean, variance, len(seen), len(arms)))
    return indices


# --- any discount × any window × any index -------------------------------------------------------


def weights_and_clock(t: int, factor: Rule, span: Rule) -> tuple[list[float], float]:
    """Return the weights of the plays of rounds 1..t at the end of round t, and the clock n_t.

    Play s weighs Π_{u=s+1..t} factor(u) while it is remembered, that is while s > u − span(u)
    held at every round u since: what has left the window stays out when the window grows.
    n_0 = 0, n_t = min(factor(t) n_{t−1} + 1, span(t)).
    """
    clock, forgotten = 0.0, 0.0
    for u in range(1, t + 1):
        clock = min(factor(u) * clock + 1, span(u))
        forgotten = max(forgotten, u - span(u))
    weights = [0.0] * t
    weight = 1.0
    for s in range(t, 0, -1):
        weights[s - 1] = weight if s > forgotten else 0.0
        weight *= factor(s)
    return weights, clock


def index_policy(
    arms: list[int], rewards: list[float], K: int, factor: Rule, span: Rule, index: Index
) -> list[float]:
    """Return the indices from weighted means, variances Σwx²/N − X̄² (at least 0) and counts."""
    weights, clock = weights_and_clock(len(arms), factor, span)
    indices = []
    for i in range(K):
        seen = [(w, x) for w, arm, x in zip(weights, arms, rewards, strict=True) if arm == i]
        count = fsum(w for w, _ in seen)
        if count == 0:
            indices.append(inf)
            continue
        mean = fsum(w * x for w, x in seen) / count
        variance = max(0.0, fsum(w * x * x for w, x in seen) / count - mean * mean)
        indices.append(index(mean, variance, count, clock))
    return indices


def epoch_start(t: int) -> int:
    """Return 2^k for 2^k ≤ t < 2^(k+1)."""
    power = 1
    while 2 * power <= t:
        power *= 2
    return power


def doubling_discount(t: int, beta: float, bound: float) -> float:
    """Return γ = 1 − (4B)⁻¹ (2^k)^((β−1)/2), the discount of round t when T is not known."""
    return float(1 - epoch_start(t) ** ((beta - 1) / 2) / (4 * bound))


def doubling_window(t: int, beta: float, bound: float) -> int:
    """Return τ = 2B √(n log n / n^β) for n = 2^k, the largest of the epochs up to round t."""
    starts = [2**k for k in range(epoch_start(t).bit_length())]
    return max(whole_window(2 * bound * sqrt(n * log(n) / n**beta)) for n in starts)


def discounted_ucb_doubling(
    arms: list[int],
    rewards: list[float],
    K: int,
    beta: float,
    xi: float,
    bound: float,
    padding: float = 2.0,
) -> list[float]:
    """D-UCB with the doubling trick; the sums are carried on when the discount changes."""
    index = ucb_index(xi, bound, padding)
    return index_policy(
        arms, rewards, K, lambda t: doubling_discount(t, beta, bound), lambda t: inf, index
    )


def sliding_window_doubling(
    arms: list[int],
    rewards: list[float],
    K: int,
    beta: float,
    xi: float,
    bound: float,
    padding: float = 1.0,
) -> list[float]:
    """SW-UCB with the doubling trick; the window grows by new rounds, it brings none back."""
    index = ucb_index(xi, bound, padding)
    return index_policy(
        arms, rewards, K, lambda t: 1.0, lambda t: doubling_window(t, beta, bound), index
    )


# --- playing -------------------------------------------------------------------------------------


def argmax(indices: list[float]) -> int:
    """Return the lowest arm that has the largest index."""
    return indices.index(max(indices))


def draw(probabilities: list[float], u: float) -> int:
    """Return the arm i with P(0..i−1) ≤ u < P(0..i); the last arm where rounding leaves none."""
    for i, cumulative in enumerate(accumulate(probabilities)):
        if u < cumulative:
            return i
    return len(probabilities) - 1


def play(policy: Policy, rewards_table: list[list[float]]) -> list[int]:
    """Play an index policy on a T × K table of rewards; return the arm of each round.

    For t from 1 to K, arm t; then the largest index.
    """
    arms: list[int] = []
    rewards: list[float] = []
    for row in rewards_table:
        t, K = len(arms) + 1, len(row)
        arm = t - 1 if t <= K else argmax(policy(arms, rewards, K))
        arms.append(arm)
        rewards.append(row[arm])
    return arms


def play_drawn(
    policy: Policy, rewards_table: list[list[float]], uniforms: list[float]
) -> list[int]:
    """Play a weight policy on a T × K table of rewards with one uniform number per round."""
    arms: list[int] = []
    rewards: list[float] = []
    for row, u in zip(rewards_table, uniforms, strict=True):
        arm = draw(policy(arms, rewards, len(row)), u)
        arms.append(arm)
        rewards.append(row[arm])
    return arms


def regret(means: list[list[float]], arms: list[int]) -> float:
    """Return the pseudo-regret Σ_t μ_t(*) − μ_t(I_t)."""
    return fsum(max(row) - row[arm] for row, arm in zip(means, arms, strict=True))


def suboptimal_plays(means: list[list[float]], arms: list[int], K: int) -> list[int]:
    """Return Ñ_T(i) = Σ_t 1{I_t = i ≠ i*_t}; every arm with the largest mean is a best arm."""
    plays = [0] * K
    for row, arm in zip(means, arms, strict=True):
        plays[arm] += row[arm] < max(row)
    return plays


# --- the worlds of the paper ---------------------------------------------------------------------


def two_swaps_mean(t: int, arm: int) -> float:
    """First example: 0.5, 0.3, and 0.4 but 0.9 for 3000 ≤ t < 5000."""
    if arm == 2:
        return 0.9 if 3000 <= t < 5000 else 0.4
    return [0.5, 0.3][arm]


def periodic_mean(t: int, arm: int, T: int, R: float) -> float:
    """Second example: 0.5 + 0.4 cos(6πRt/T), and 1/2."""
    return [0.5 + 0.4 * cos(6 * pi * R * t / T), 0.5][arm]


# --- the tuning rules ----------------------------------------------------------------------------


def whole_window(window: float) -> int:
    """Return the nearest whole number of rounds, at least one."""
    return max(1, round(window))


def tuned_discount(T: int, breakpoints: int, bound: float) -> float:
    """Return γ = 1 − (4B)⁻¹ √(Υ/T)."""
    return 1 - sqrt(breakpoints / T) / (4 * bound)


def tuned_discount_density(r: float, bound: float) -> float:
    """Return γ = 1 − √r / (4B) for breakpoints of density r."""
    return 1 - sqrt(r) / (4 * bound)


def tuned_window(T: int, breakpoints: int, bound: float) -> int:
    """Return τ = 2B √(T log T / Υ), and T when there is no breakpoint."""
    return whole_window(2 * bound * sqrt(T * log(T) / breakpoints)) if breakpoints else T


def tuned_window_density(r: float, bound: float) -> int:
    """Return τ = 2B √(−log r / r) for breakpoints of density r."""
    return whole_window(2 * bound * sqrt(-log(r) / r))
