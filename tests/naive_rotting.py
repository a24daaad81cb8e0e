"""The slow, obvious truth about decaying rewards, on the full history: RAW-UCB and FEWA.

A view of an arm's samples, oldest first, is a dict from window sizes h to the mean over such a
window. The exact policies look at the last h samples for every h; the efficient ones at the last
finished block of h samples, for few h.
"""

from collections.abc import Callable
from math import ceil, fsum, inf, log, sqrt

View = Callable[[list[float]], dict[int, float]]


def all_windows(samples: list[float]) -> dict[int, float]:
    """Return the mean of the last h samples, for h = 1, 2, …, n."""
    return {h: fsum(samples[-h:]) / h for h in range(1, len(samples) + 1)}


def few_windows(ratio: float) -> View:
    """Return the view of blocks of ⌈m^j⌉ samples, the first beginning with the first sample."""

    def view(samples: list[float]) -> dict[int, float]:
        means, n, j = {}, len(samples), 0
        while (h := ceil(ratio**j)) <= n:
            end = n // h * h
            means[h] = fsum(samples[end - h : end]) / h
            j += 1
        return means

    return view


def samples_of(arms: list[int], rewards: list[float], K: int) -> list[list[float]]:
    """Return the rewards of every arm."""
    return [[x for k, x in zip(arms, rewards, strict=True) if k == arm] for arm in range(K)]


def width(h: int, t: int, alpha: float, sigma: float) -> float:
    """Return c_h = √(2 α σ² log t / h)."""
    return sqrt(2 * alpha * sigma**2 * log(t) / h)


def raw_ucb(
    arms: list[int], rewards: list[float], K: int, alpha: float, sigma: float, view: View
) -> list[float]:
    """Return the indices min over h of mean_h + c_h; infinite without a sample."""
    t = len(arms)
    return [
        min([mean + width(h, t, alpha, sigma) for h, mean in view(seen).items()], default=inf)
        for seen in samples_of(arms, rewards, K)
    ]


def fewa(
    arms: list[int], rewards: list[float], K: int, alpha: float, sigma: float, view: View
) -> int:
    """Return the arm: keep those with mean_h ≥ max − 2 c_h, for longer and longer windows.

    As soon as some kept arms have too few samples for the next window, the one with the fewest is
    played, the lowest of equals.
    """
    seen = samples_of(arms, rewards, K)
    if [] in seen:
        return seen.index([])
    views = [view(samples) for samples in seen]
    sizes = sorted({h for view in views for h in view})
    left = list(range(K))
    for h, following in zip(sizes, [*sizes[1:], inf], strict=True):
        least = max(views[k][h] for k in left) - 2 * width(h, len(arms), alpha, sigma)
        left = [k for k in left if views[k][h] >= least]
        short = [k for k in left if following not in views[k]]
        if short:
            return min(short, key=lambda k: len(seen[k]))
    raise AssertionError


def play_fewa(table: list[list[float]], alpha: float, sigma: float, view: View) -> list[int]:
    """Play FEWA on a T × K table of rewards."""
    arms: list[int] = []
    rewards: list[float] = []
    for row in table:
        arm = fewa(arms, rewards, len(row), alpha, sigma, view)
        arms.append(arm)
        rewards.append(row[arm])
    return arms
