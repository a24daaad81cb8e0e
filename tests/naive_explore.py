"""The slow, obvious truth of exploration beyond UCB, on the full history, as `naive` does it.

An index is a function of an arm's weighted mean, variance and count, of the clock, of the arm's own
random numbers of the round, and of the number of arms.
"""

from collections.abc import Callable
from math import ceil, cos, fsum, inf, log, pi, sin, sqrt

from scipy import special

from driftbandit.core.random import descendant
from naive import Rule, weights_and_clock

Index = Callable[[float, float, float, float, list[float], int], float]


def kl(p: float, q: float) -> float:
    """Return the divergence of rewards of 0 and 1 with means p and q, 0 log 0 = 0."""
    if q in (0.0, 1.0):
        return 0.0 if p == q else inf
    return float(special.rel_entr(p, q) + special.rel_entr(1.0 - p, 1.0 - q))


def klucb(p: float, most: float) -> float:
    """Return max {q : kl(p, q) ≤ most} by halving."""
    low, high = p, 1.0
    for _ in range(100):
        q = (low + high) / 2
        low, high = (q, high) if kl(p, q) <= most else (low, q)
    return low


def klucb_index(c: float, bound: float) -> Index:
    """Return B max {q : N kl(X̄/B, q) ≤ log n + c log log n} (Garivier & Cappé 2011)."""

    def index(
        mean: float, variance: float, count: float, clock: float, noise: list[float], K: int
    ) -> float:
        level = log(clock) + (c * log(log(clock)) if log(clock) > 1 else 0.0)
        return bound * klucb(min(1.0, mean / bound), level / count)

    return index


def tuned_index(bound: float) -> Index:
    """Return X̄ + B √((log n / N) min(1/4, V/B² + √(2 log n / N))) (Auer et al. 2002)."""
    return lambda mean, variance, count, clock, noise, K: (
        mean
        + bound
        * sqrt(log(clock) / count * min(1 / 4, variance / bound**2 + sqrt(2 * log(clock) / count)))
    )


def moss_index(T: int, bound: float) -> Index:
    """Return X̄ + B √(max(log(T / (K N)), 0) / N) (Audibert & Bubeck 2009)."""
    return lambda mean, variance, count, clock, noise, K: (
        mean + bound * sqrt(max(log(T / (K * count)), 0.0) / count)
    )


def anytime_moss_index(alpha: float, bound: float) -> Index:
    """Return X̄ + B √((1 + α)/2 · max(log(n / (K N)), 0) / N) (Degenne & Perchet 2016)."""
    return lambda mean, variance, count, clock, noise, K: (
        mean + bound * sqrt((1 + alpha) / 2 * max(log(clock / (K * count)), 0.0) / count)
    )


def gamma_trial(z: float, u: float, shape: float) -> float | None:
    """Return d v, v = (1 + z/√(9d))³, d = shape − 1/3, if log u < z²/2 + d − d v + d log v."""
    d = shape - 1 / 3
    v = (1 + z / sqrt(9 * d)) ** 3
    return d * v if v > 0 and log(u) < z * z / 2 + d - d * v + d * log(v) else None


def gamma_draw(z: float, u: float, shape: float, seed: float, side: int) -> float:
    """Return a gamma number; trials after the first take every other descendant of the seed."""
    number, x = 2 + side, gamma_trial(z, u, shape if shape >= 1 else shape + 1)
    while x is None:
        z, u = float(special.ndtri(descendant(seed, number))), descendant(seed, number + 2)
        number, x = number + 4, gamma_trial(z, u, shape if shape >= 1 else shape + 1)
    return x if shape >= 1 else x * float(descendant(seed, side)) ** (1 / shape)


def normal_pair(u: float, turn: float) -> tuple[float, float]:
    """Return a point of the plane; turns begin at −π/4, every other quarter is passed backwards."""
    quarter, place = divmod(4 * turn, 1)
    middle, way = ((0.0, 1.0), (0.5, -1.0), (1.0, -1.0), (-0.5, 1.0))[int(quarter)]
    angle, distance = pi * (middle + way * (place - 0.5) / 2), sqrt(-2 * log(u))
    return distance * cos(angle), distance * sin(angle)


def beta_draw(noise: list[float], a: float, b: float) -> float:
    """Return X / (X + Y) for gamma numbers X and Y."""
    z, other = normal_pair(noise[0], noise[1])
    x, y = gamma_draw(z, noise[2], a, noise[4], 0), gamma_draw(other, noise[3], b, noise[4], 1)
    return x / (x + y)


def beta_index(success: float, failure: float, bound: float) -> Index:
    """Return B times a draw from Beta(α₀ + S/B, β₀ + N − S/B)."""
    return lambda mean, variance, count, clock, noise, K: (
        bound
        * beta_draw(
            noise, success + mean * count / bound, failure + max(count - mean * count / bound, 0.0)
        )
    )


def gaussian_index(deviation: float, widest: float, bound: float) -> Index:
    """Return a draw from N(X̄, (B min(σ/√N, w))²)."""
    return lambda mean, variance, count, clock, noise, K: (
        mean + bound * min(deviation / sqrt(count), widest) * float(special.ndtri(noise[0]))
    )


def growing_window(t: int, power: float, scale: float) -> int:
    """Return ⌈λ t^α⌉."""
    rounds: float = scale * float(t) ** power
    return ceil(round(rounds, 9))  # 4.000000000000001 is 4


def indices(
    arms: list[int],
    rewards: list[float],
    noise: list[list[float]],
    factor: Rule,
    span: Rule,
    index: Index,
    prior: bool = False,
    ageing: bool = False,
) -> list[float]:
    """Return the K indices of the next round; +∞ without a remembered play, but for a prior."""
    weights, clock = weights_and_clock(len(arms), factor, span)
    if ageing:
        clock = weights_and_clock(len(arms), factor, lambda t: inf)[1]
    K, values = len(noise), []
    for i in range(K):
        seen = [(w, x) for w, arm, x in zip(weights, arms, rewards, strict=True) if arm == i]
        count = fsum(w for w, _ in seen)
        if count == 0:
            values.append(index(0.0, 0.0, 0.0, max(clock, 1.0), noise[i], K) if prior else inf)
            continue
        mean = fsum(w * x for w, x in seen) / count
        variance = max(0.0, fsum(w * x * x for w, x in seen) / count - mean * mean)
        values.append(index(mean, variance, count, max(clock, 1.0), noise[i], K))
    return values


def epsilon_greedy(means: list[float], noise: list[float], rate: float) -> int:
    """Return the arm with the largest number if its power K, the coin, is above 1 − ε."""
    K, top = len(means), max(noise)
    return noise.index(top) if top**K > 1 - rate else means.index(max(means))
