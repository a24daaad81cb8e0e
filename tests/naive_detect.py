"""The slow, obvious truth about starting over: every test anew on all samples, as its paper has it.

A detector is a function of the samples of one arm since it was last forgotten: it says whether the
newest one raises an alarm. Nothing is kept between calls, and nothing is shared with the package.
Samples Z_1, …, Z_n are a list, oldest first.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil, exp, floor, fsum, inf, log, sqrt

import naive

Alarm = Callable[[list[float]], bool]
Force = Callable[[int, int, int, float], int]  # rounds since, restarts, arms, luck


def mean(samples: list[float]) -> float:
    """Return the average."""
    return fsum(samples) / len(samples)


# --- tests of one arm's samples ------------------------------------------------------------------


def walks(steps: list[float], drift: float) -> tuple[float, float]:
    """Return where the walks up and down are after all steps; both stay at zero or above."""
    up = down = 0.0
    for step in steps:
        up, down = max(0.0, up + step - drift), max(0.0, down - step - drift)
    return up, down


def cusum(samples: list[float], warmup: int, drift: float, threshold: float) -> bool:
    """CUSUM around the mean of the first M samples, which do not walk."""
    if len(samples) <= warmup:
        return False
    centre = mean(samples[:warmup])
    return max(walks([x - centre for x in samples[warmup:]], drift)) > threshold


def page_hinkley(samples: list[float], drift: float, threshold: float) -> bool:
    """CUSUM around the running mean: the k-th step is Z_k − (Z_1 + … + Z_k) / k."""
    steps = [x - mean(samples[: k + 1]) for k, x in enumerate(samples)]
    return max(walks(steps, drift)) > threshold


def two_halves(samples: list[float], window: int, threshold: float) -> bool:
    """|sum of the last w/2 − sum of the w/2 before| > b, once there are w."""
    half = window // 2
    if len(samples) < window:
        return False
    return abs(fsum(samples[-half:]) - fsum(samples[-window:-half])) > threshold


def kl(p: float, q: float) -> float:
    """Return p log(p/q) + (1−p) log((1−p)/(1−q)), with 0 log 0 = 0."""
    return sum(a * log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)


def bernoulli_statistic(samples: list[float], s: int) -> float:
    """s kl(μ̂_1:s, μ̂_1:n) + (n−s) kl(μ̂_s+1:n, μ̂_1:n); 0 if all samples are equal."""
    n, total = len(samples), mean(samples)
    if len(set(samples)) == 1:
        return 0.0
    return s * kl(mean(samples[:s]), total) + (n - s) * kl(mean(samples[s:]), total)


def gaussian_statistic(samples: list[float], s: int, sigma: float) -> float:
    """The same with (x − y)² / 2σ² in the place of kl."""
    n, total = len(samples), mean(samples)
    before, after = mean(samples[:s]) - total, mean(samples[s:]) - total
    return (s * before**2 + (n - s) * after**2) / (2 * sigma**2)


def borders(n: int, M: int = 8) -> list[int]:
    """Return the cuts tried after n samples: borders of buckets that grow with age.

    Each sample is a bucket. As soon as 2M buckets have one size, the M oldest of them are joined.
    """
    sizes: list[int] = []  # oldest first
    for _ in range(n):
        sizes.append(1)
        size = 1
        while sizes.count(size) == 2 * M:
            first = sizes.index(size)
            sizes[first : first + M] = [2 * size] * (M // 2)
            size *= 2
    return [sum(sizes[:k]) for k in range(1, len(sizes))]


def glr_level(n: int, delta: float) -> float:
    """β(n, δ) = log(3 n√n / δ)."""
    return log(3 * n * sqrt(n) / delta)


def bernoulli_glr(samples: list[float], delta: float, every: int) -> bool:
    """Whether, at every so many samples, some cut has a statistic of at least β."""
    n = len(samples)
    if n % every:
        return False
    return any(bernoulli_statistic(samples, s) >= glr_level(n, delta) for s in borders(n))


def gaussian_glr(samples: list[float], delta: float, sigma: float, every: int) -> bool:
    """The same for Gaussian samples, with (1 + 1/n) β."""
    n = len(samples)
    if n % every:
        return False
    least = (1 + 1 / n) * glr_level(n, delta)
    return any(gaussian_statistic(samples, s, sigma) >= least for s in borders(n))


def adwin(samples: list[float], delta: float, every: int) -> bool:
    """|μ̂_before − μ̂_after| ≥ √(2 σ² log(2/δ') / m) + 2 log(2/δ') / 3m, δ' = δ / log n."""
    n = len(samples)
    if n % every or n < 3:
        return False
    variance = mean([x * x for x in samples]) - mean(samples) ** 2
    doubt = log(2 / (delta / log(n)))
    for s in borders(n):
        m = 1 / (1 / s + 1 / (n - s))
        cut = sqrt(2 / m * variance * doubt) + 2 / (3 * m) * doubt
        if abs(mean(samples[:s]) - mean(samples[s:])) >= cut:
            return True
    return False


# --- forced exploration --------------------------------------------------------------------------


def at_random(since: int, restarts: int, K: int, u: float, rate: float) -> int:
    """With probability α one of K arms: the interval (0, α) is cut into K equal parts."""
    if u >= rate:
        return -1
    return max(arm for arm in range(K) if arm <= u / rate * K)


def meant(x: float) -> float:
    """Return the number without what floating point adds to it: 7 / 0.07 is meant to be 100."""
    return round(x, 6)


def sweeps(since: int, restarts: int, K: int, u: float, rate: float) -> int:
    """A = (t − τ) mod ⌊K/γ⌋; if A is one of 1..K, play the A-th arm."""
    period = floor(meant(K / rate))
    A = since % period
    A = A if A > 0 else period  # where the period is K itself, 0 stands for the last arm
    return A - 1 if A <= K else -1


def growing_sweeps(since: int, restarts: int, K: int, u: float, rate: float) -> int:
    """The same with α_k = α √k, at most 1, in the k-th episode."""
    return sweeps(since, restarts, K, u, min(1.0, rate * sqrt(restarts + 1)))


def diminishing_sweeps(since: int, restarts: int, K: int, u: float, rate: float) -> int:
    """Sweeps begin where √u has grown by K/2α, and never before the last one is over."""
    start = 0
    while (sqrt(start) + K / (2 * rate)) ** 2 < start + K:
        if start <= since - 1 < start + K:
            return since - 1 - start
        start += K
    first, i = start, 0
    while start <= since - 1:
        if since - 1 < start + K:
            return since - 1 - start
        i += 1
        gap = i * K / (2 * rate)
        start = ceil(meant(first + 2 * sqrt(first) * gap + gap**2))
    return -1


# --- playing -------------------------------------------------------------------------------------


def calm(samples: list[float]) -> bool:
    """Never raise an alarm."""
    return False


def free(since: int, restarts: int, K: int, u: float) -> int:
    """Never force an arm."""
    return -1


@dataclass
class Player:
    """Full history × a detector × UCB × forced exploration, on the full history."""

    K: int
    alarm: Alarm = calm
    everywhere: bool = True
    counts_plays: bool = False
    restarts_before: list[int] = field(default_factory=list)
    force: Force = free
    xi: float = 0.5
    arms: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    restarts: list[tuple[int, list[int]]] = field(default_factory=list)  # after which round, whom

    def born(self, arm: int) -> int:
        """Return the last round after which the arm was forgotten."""
        return max([t for t, whom in self.restarts if arm in whom], default=0)

    def samples(self, arm: int) -> list[float]:
        """Return the arm's rewards since then."""
        plays = list(zip(self.arms, self.rewards, strict=True))[self.born(arm) :]
        return [x for played, x in plays if played == arm]

    def index(self, arm: int) -> float:
        """Return X̄ + √(ξ log n / n_i), over what is known of the arm.

        n is t − τ_i, or the plays known of all arms, Σ_j n_j, where these count.
        """
        seen = self.samples(arm)
        if not seen:
            return inf
        clock = len(self.arms) - self.born(arm)
        if self.counts_plays:
            clock = sum(len(self.samples(other)) for other in range(self.K))
        return naive.ucb_index(self.xi, 1.0, 1.0)(mean(seen), 0.0, len(seen), clock)

    def forced(self, u: float) -> int:
        """Return the arm that must be played in the next round, or −1."""
        t = len(self.arms) + 1
        if t <= self.K:
            return t - 1
        last = max([at for at, _ in self.restarts], default=0)
        return self.force(t - last, len(self.restarts), self.K, u)

    def right(self, arm: int, u: float) -> bool:
        """Say whether the arm may be played next: forced, or of the largest index up to rounding.

        Arms with clocks of their own tie where log 4 / 2 = log 2 / 1, whatever rounding says.
        """
        forced = self.forced(u)
        if forced >= 0:
            return arm == forced
        indices = [self.index(i) for i in range(self.K)]
        best = naive.argmax(indices)
        return arm == best or (indices[best] < inf and indices[arm] >= indices[best] - 1e-9)

    def learn(self, arm: int, reward: float) -> None:
        """Take in a reward; forget the arm, or all arms, if there is reason to."""
        self.arms.append(arm)
        self.rewards.append(reward)
        t = len(self.arms)
        alarm, planned = self.alarm(self.samples(arm)), t + 1 in self.restarts_before
        if alarm or planned:
            all_arms = self.everywhere or planned
            self.restarts.append((t, list(range(self.K)) if all_arms else [arm]))


def plays_right(
    player: Player, table: list[list[float]], uniforms: list[float], arms: list[int]
) -> bool:
    """Say whether these arms may be played on a T × K table of rewards, one number u a round."""
    for row, u, arm in zip(table, uniforms, arms, strict=True):
        if not player.right(arm, u):
            return False
        player.learn(arm, row[arm])
    return True


# --- the tuning rules ----------------------------------------------------------------------------


def tuned_glr(T: int, K: int) -> tuple[float, float]:
    """Return δ = 1/√T and α_0 = √(K log T / T), the number of changes unknown."""
    return 1 / sqrt(T), sqrt(K * log(T) / T)


def tuned_glr_known(T: int, changes: int, K: int, everywhere: bool) -> tuple[float, float]:
    """Return δ = 1/√(ΥT) and α = 0.05 √(Υ log T / T), with KΥ for Υ where restarts are local."""
    count = changes if everywhere else K * changes
    return 1 / sqrt(count * T), 0.05 * sqrt(count * log(T) / T)


def tuned_cusum(T: int, changes: int) -> tuple[float, float]:
    """Return h = log(T/Υ) and α = √((Υ/T) log(T/Υ))."""
    return log(T / changes), sqrt(changes / T * log(T / changes))


def tuned_m_ucb(T: int, changes: int, K: int, change: float) -> tuple[int, float, float]:
    """Return w ≥ (4/δ²)(√log(2KT²) + √log(2T))², even, b and γ, with M − 1 = Υ changes."""
    w = ceil(4 / change**2 * (sqrt(log(2 * K * T**2)) + sqrt(log(2 * T))) ** 2)
    w += w % 2
    b = sqrt(w * log(2 * K * T**2) / 2)
    return w, b, min(1.0, sqrt(changes * K * (2 * b + 3 * sqrt(w)) / (2 * T)))


def tuned_period(T: int, variation: float, K: int) -> int:
    """Return Δ_T = ⌈(K log K)^(1/3) (T/V_T)^(2/3)⌉."""
    return min(T, ceil(exp(log(K * log(K)) / 3 + 2 * log(T / variation) / 3)))
