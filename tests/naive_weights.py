"""The weight policies of the slow, obvious truth, and softmax; `naive` says how they are written.

Weights are kept as logarithms: they never overflow.
"""

from math import ceil, e, exp, fsum, inf, log, sqrt

from naive import argmax, draw


def log_sum(logs: list[float]) -> float:
    """Return log Σ exp(x) over the list."""
    top = max(logs)
    return top if top == -inf else top + log(fsum(exp(x - top) for x in logs))


def mixed(log_weights: list[float], exploration: float) -> list[float]:
    """Return p_i = (1 − γ) w_i / Σ_j w_j + γ / K."""
    K, total = len(log_weights), log_sum(log_weights)
    return [(1 - exploration) * exp(w - total) + exploration / K for w in log_weights]


def rescaled(log_weights: list[float]) -> list[float]:
    """Divide all weights by the largest: no probability changes, and the logarithms stay small."""
    top = max(log_weights)
    return [w - top for w in log_weights]


def exp3(
    arms: list[int], rewards: list[float], K: int, exploration: float, bound: float
) -> list[float]:
    """EXP3 (Auer et al. 2002): w_i ← w_i exp(γ x̂_i / K), x̂_i = x 1{I=i} / p_i."""
    logs = [0.0] * K
    for arm, reward in zip(arms, rewards, strict=True):
        p = mixed(logs, exploration)
        logs[arm] += exploration * (reward / bound / p[arm]) / K
        logs = rescaled(logs)
    return mixed(logs, exploration)


def exp3s(
    arms: list[int],
    rewards: list[float],
    K: int,
    exploration: float,
    sharing: float,
    bound: float,
) -> list[float]:
    """EXP3.S (Auer et al. 2002): w_i ← w_i exp(γ x̂_i / K) + (e α / K) Σ_j w_j, for every i."""
    logs = [0.0] * K
    for arm, reward in zip(arms, rewards, strict=True):
        p = mixed(logs, exploration)
        estimates = [reward / bound / p[i] if i == arm else 0.0 for i in range(K)]
        # The share is taken from the sum of the old weights, before any arm is updated.
        share = log(e * sharing / K) + log_sum(logs) if sharing > 0 else -inf
        logs = [log_sum([logs[i] + exploration * estimates[i] / K, share]) for i in range(K)]
        logs = rescaled(logs)
    return mixed(logs, exploration)


def exp3p(
    arms: list[int],
    rewards: list[float],
    K: int,
    exploration: float,
    confidence: float,
    horizon: int,
    bound: float,
) -> list[float]:
    """EXP3.P (Auer et al. 2002): w_i(1) = exp((αγ/3) √(T/K)), then for every i

    w_i ← w_i exp((γ/3K) (x̂_i + α / (p_i √(KT)))).
    """
    logs = [confidence * exploration / 3 * sqrt(horizon / K)] * K
    for arm, reward in zip(arms, rewards, strict=True):
        p = mixed(logs, exploration)
        for i in range(K):
            estimate = reward / bound / p[i] if i == arm else 0.0
            upper = estimate + confidence / (p[i] * sqrt(K * horizon))
            logs[i] += exploration / (3 * K) * upper
        logs = rescaled(logs)
    return mixed(logs, exploration)


def exponential_weights(
    arms: list[int], rewards: list[float], K: int, rate: float, bound: float
) -> list[float]:
    """Exponential weights of losses: p_i ∝ exp(−η Σ ℓ 1{I=i} / p_i), no exploration at all."""
    losses = [0.0] * K
    for arm, reward in zip(arms, rewards, strict=True):
        p = mixed([-rate * loss for loss in losses], 0.0)
        losses[arm] += (1 - reward / bound) / p[arm]
    return mixed([-rate * loss for loss in losses], 0.0)


def exp3_six(
    arms: list[int],
    rewards: list[float],
    K: int,
    rate: float,
    implicit: float,
    sharing: float,
    bound: float,
) -> list[float]:
    """EXP3.SIX (Neu 2015): ℓ̂_i = ℓ 1{I=i} / (p_i + γ), v_i = p_i exp(−η ℓ̂_i) / Σ_j p_j exp(−η ℓ̂_j),

    p_i ← (1 − α) v_i + α / K.
    """
    p = [1 / K] * K
    for arm, reward in zip(arms, rewards, strict=True):
        loss = (1 - reward / bound) / (p[arm] + implicit)
        v = mixed([log(p[i]) - (rate * loss if i == arm else 0.0) for i in range(K)], 0.0)
        p = [(1 - sharing) * x + sharing / K for x in v]
    return p


def exp3_ix_anytime(arms: list[int], rewards: list[float], K: int, bound: float) -> list[float]:
    """EXP3-IX (Neu 2015) with η_t = 2γ_t = √(log K / (Kt)), p_i ∝ exp(−η_t L̂_i)."""
    losses = [0.0] * K
    for t, (arm, reward) in enumerate(zip(arms, rewards, strict=True), start=1):
        rate = sqrt(log(K) / (K * t))
        p = mixed([-rate * loss for loss in losses], 0.0)
        losses[arm] += (1 - reward / bound) / (p[arm] + rate / 2)
    rate = sqrt(log(K) / (K * (len(arms) + 1)))
    return mixed([-rate * loss for loss in losses], 0.0)


def exp3_pp(
    arms: list[int], rewards: list[float], K: int, alpha: float, beta: float, bound: float
) -> list[float]:
    """EXP3++ (Seldin & Slivkins 2014, Seldin & Lugosi 2017), in losses as they write it."""
    estimates, history = [0.0] * K, list(zip(arms, rewards, strict=True))
    for t in range(1, len(arms) + 2):
        floors = exp3_pp_floors(history[: t - 1], K, alpha, beta, bound)
        rate = sqrt(log(K) / (t * K)) / 2
        rho = mixed([-rate * loss for loss in estimates], 0.0)
        p = [(1 - fsum(floors)) * x + floor for x, floor in zip(rho, floors, strict=True)]
        if t <= len(arms):
            arm, reward = history[t - 1]
            estimates[arm] += (1 - reward / bound) / p[arm]
    return p


def exp3_pp_floors(
    history: list[tuple[int, float]], K: int, alpha: float, beta: float, bound: float
) -> list[float]:
    """Return ε_t(a) = min(1/(2K), ½ √(log K / (tK)), ξ_t(a)), ξ_t(a) = β log t / (t Δ̂_t(a)²)."""
    t = len(history) + 1
    lower, upper = [0.0] * K, [1.0] * K
    for a in range(K):
        losses = [1 - reward / bound for arm, reward in history if arm == a]
        if losses:
            radius = sqrt(alpha * log(t * K ** (1 / alpha)) / (2 * len(losses)))
            lower[a] = max(0.0, fsum(losses) / len(losses) - radius)
            upper[a] = min(1.0, fsum(losses) / len(losses) + radius)
    gaps = [max(0.0, low - min(upper)) for low in lower]
    xi = [beta * log(t) / (t * gap**2) if gap > 1e-9 else inf for gap in gaps]
    return [min(1 / (2 * K), sqrt(log(K) / (t * K)) / 2, x) for x in xi]


def rexp3(
    arms: list[int], rewards: list[float], K: int, exploration: float, batch: int, bound: float
) -> list[float]:
    """Rexp3 (Besbes et al. 2014): EXP3 on the rounds of the current batch alone."""
    begun = len(arms) // batch * batch
    return exp3(arms[begun:], rewards[begun:], K, exploration, bound)


def softmax(arms: list[int], rewards: list[float], K: int, temperature: float) -> list[float]:
    """Gibbs: p_i ∝ exp(X̄_i / temperature); the first arm without a play goes first."""
    means = []
    for i in range(K):
        seen = [x for arm, x in zip(arms, rewards, strict=True) if arm == i]
        if not seen:
            return [1.0 if j == i else 0.0 for j in range(K)]
        means.append(fsum(seen) / len(seen))
    return mixed([mean / temperature for mean in means], 0.0)


def play_exp3_r(
    rewards_table: list[list[float]],
    uniforms: list[float],
    exploration: float,
    interval: int,
    delta: float,
) -> tuple[list[int], int]:
    """Play EXP3.R (Allesiardo & Féraud 2015); return the arms and how often it started over.

    One uniform number says whether to explore, and then which arm is drawn.
    """
    K = len(rewards_table[0])
    logs, arms, alarms = [0.0] * K, [], 0
    seen: list[list[float]] = [[] for _ in range(K)]
    for row, u in zip(rewards_table, uniforms, strict=True):
        p = mixed(logs, exploration)
        if u < exploration:
            arm = draw([1 / K] * K, u / exploration)
            seen[arm].append(row[arm])
        else:
            arm = draw(mixed(logs, 0.0), (u - exploration) / (1 - exploration))
        logs[arm] += exploration * row[arm] / p[arm] / K
        if min(len(x) for x in seen) >= max(exploration * interval / K, 1):
            means = [fsum(x) / len(x) for x in seen]
            epsilon = sqrt(K * log(1 / delta) / (2 * exploration * interval))
            if any(mean - means[argmax(logs)] >= 2 * epsilon for mean in means):
                logs, alarms = [0.0] * K, alarms + 1
            seen = [[] for _ in range(K)]
        arms.append(arm)
    return arms, alarms


def tuned_exp3s(T: int, breakpoints: int, K: int) -> tuple[float, float]:
    """Return γ = min(1, √(K(Υ log(KT) + e) / ((e−1)T))) and α = 1/T, as the paper prints them."""
    return min(1.0, sqrt(K * (breakpoints * log(K * T) + e) / ((e - 1) * T))), 1 / T


def tuned_exp3(T: int, K: int) -> float:
    """Return γ = min(1, √(K log K / ((e−1)T)))."""
    return min(1.0, sqrt(K * log(K) / ((e - 1) * T)))


def tuned_exp3p(T: int, K: int, delta: float) -> tuple[float, float]:
    """Return γ = min(3/5, 2 √((3/5) K log K / T)) and α = 2 √(log(KT/δ))."""
    return min(3 / 5, 2 * sqrt(3 / 5 * K * log(K) / T)), 2 * sqrt(log(K * T / delta))


def tuned_rexp3(T: int, variation: float, K: int) -> tuple[int, float]:
    """Return Δ = ⌈(K log K)^⅓ (T/V)^⅔⌉, at most T, and γ = min(1, √(K log K / ((e−1)Δ)))."""
    batch = min(T, ceil((K * log(K)) ** (1 / 3) * (T / variation) ** (2 / 3)))
    return batch, tuned_exp3(batch, K)


def tuned_exp3_six(T: int, breakpoints: int, K: int) -> tuple[float, float]:
    """Return η = 2γ = √(2C / (KT)) with C = log(K^(Υ+1) (e(T−1)/Υ)^Υ), and α = Υ / (T−1)."""
    paths = K ** (breakpoints + 1)
    if breakpoints:
        paths *= (e * (T - 1) / breakpoints) ** breakpoints
    return sqrt(2 * log(paths) / (K * T)), breakpoints / (T - 1)
