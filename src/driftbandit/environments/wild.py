"""Wild worlds: drawn at random from a seed, to judge a policy on problems that nobody selected.

Kind, size, means, pace of change and reward law are drawn, so no policy was tuned for them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from driftbandit.core import random
from driftbandit.core.errors import one_of, whole
from driftbandit.environments.brownian import Brownian
from driftbandit.environments.decay import Decay
from driftbandit.environments.laws import Bernoulli, Beta, Law
from driftbandit.environments.piecewise import Piecewise
from driftbandit.environments.random_jumps import RandomJumps
from driftbandit.environments.sampling import between, pick
from driftbandit.environments.seasonal import Seasonal
from driftbandit.environments.world import World

MOST = 100_000
"""Worlds at once: a minute."""

Stream = NDArray[np.uint64]
Maker = Callable[[Stream, int, int, Law], World]


def wild(seed: int, kind: str | None = None) -> World:
    """Return the wild world of a seed, or of a seed and a kind.

    K is log-uniform from 2 to 50, T from 1,000 to 50,000. Rewards are Bernoulli or, equally often,
    Beta with a concentration log-uniform from 0.5 to 100. All means lie in a range anywhere in
    [0, 1] whose width is log-uniform from 0.02 to 0.8. The kinds take turns with the seed:

    - `jumps`: all arms draw new means, at a rate log-uniform from 10⁻⁵ to 10⁻¹ per round;
    - `one-arm`: one arm at a time draws a new mean, at such a rate;
    - `rotting`: means decay, each with a half-life log-uniform from T/100 to 10 T; or, equally
      often, in 1 to 50 (log-uniform) drops of one arm each;
    - `seasonal`: waves of one period, T/50 to 2 T (log-uniform), each with its own peak;
    - `brownian`: steps of 0.001 to 0.1 (log-uniform) of the range;
    - `surge`: the worst arm is best for T/50 to T/2 rounds (log-uniform), or until the end;
    - `still`: nothing changes.

    A row of means is uniform in the range or, equally often, one arm is at the top and the others
    are in the lower half. `jumps`, `one-arm` and `brownian` are random worlds: runs differ.

    >>> world = wild(1002)
    >>> type(world).__name__, world.arms, world.horizon, world.law
    ('RandomJumps', 15, 3487, Beta(concentration=65.19))
    """
    number = whole("seed", seed, least=0, most=None)
    make = KINDS[kind_of(number) if kind is None else one_of("kind", kind, KINDS)]
    with np.errstate(over="ignore"):  # the stream's words wrap around on purpose
        rng = random.streams(number, random.WILD, 0, 1)[:, 0]
        arms = round(log_uniform(rng, 2, 50))
        horizon = round(log_uniform(rng, 1_000, 50_000))
        law = Bernoulli() if coin(rng) else Beta(log_uniform(rng, 0.5, 100.0))
        return make(rng, arms, horizon, law)


def wilds(number: int, seed: int = 0) -> dict[str, World]:
    """Return the wild worlds of `number` seeds from `seed` on, by name: seed, kind and arms.

    >>> list(wilds(3, seed=7))
    ['wild-7-jumps-K25', 'wild-8-one-arm-K17', 'wild-9-rotting-K9']
    """
    first = whole("seed", seed, least=0, most=None)
    worlds = {}
    for each in range(first, first + whole("number", number, most=MOST)):
        world = wild(each)
        worlds[f"wild-{each}-{kind_of(each)}-K{world.arms}"] = world
    return worlds


def kind_of(seed: int) -> str:
    """Return the kind of a seed's world: kinds take turns, so that all are equally frequent."""
    return list(KINDS)[seed % len(KINDS)]


def log_uniform(rng: Stream, low: float, high: float) -> float:
    """Draw a number whose logarithm is uniform, rounded to four digits."""
    return float(f"{math.exp(between(rng, math.log(low), math.log(high))):.4g}")


def coin(rng: Stream) -> bool:
    """Toss a fair coin."""
    return pick(rng, 2) == 1


def _span(rng: Stream) -> tuple[float, float]:
    """Draw the range of the means."""
    width = log_uniform(rng, 0.02, 0.8)
    low = between(rng, 0.0, 1.0 - width)
    return round(low, 4), round(low + width, 4)


def _row(rng: Stream, arms: int, low: float, high: float) -> list[float]:
    return [round(between(rng, low, high), 4) for _ in range(arms)]


def _means(rng: Stream, arms: int) -> list[float]:
    """Draw means that are uniform in a range, or one arm far above the others."""
    low, high = _span(rng)
    if coin(rng):
        return _row(rng, arms, low, high)
    means = _row(rng, arms, low, 0.5 * (low + high))
    means[pick(rng, arms)] = high
    return means


def _jumps(rng: Stream, arms: int, horizon: int, law: Law, together: bool = True) -> World:
    low, high = _span(rng)
    rate = log_uniform(rng, 1e-5, 1e-1)
    return RandomJumps(arms, rate, together, low, high, horizon, law=law)


def _one_arm(rng: Stream, arms: int, horizon: int, law: Law) -> World:
    return _jumps(rng, arms, horizon, law, together=False)


def _rotting(rng: Stream, arms: int, horizon: int, law: Law) -> World:
    start = _means(rng, arms)
    if coin(rng):
        end = [round(mean * between(rng, 0.0, 1.0), 4) for mean in start]
        lives = [log_uniform(rng, horizon / 100, 10 * horizon) for _ in range(arms)]
        return Decay(start, end, lives, horizon, law=law)
    drops = round(log_uniform(rng, 1, 50))
    rounds = sorted({2 + pick(rng, horizon - 1) for _ in range(drops)})
    rows = [start]
    for _ in rounds:
        rows.append(list(rows[-1]))
        arm = pick(rng, arms)
        rows[-1][arm] = round(rows[-1][arm] * between(rng, 0.0, 1.0), 4)
    return Piecewise(rounds, rows, horizon=horizon, law=law)


def _seasonal(rng: Stream, arms: int, horizon: int, law: Law) -> World:
    low, high = _span(rng)
    ends = [sorted(_row(rng, 2, low, high)) for _ in range(arms)]
    peak = _row(rng, arms, 0.0, 1.0)
    period = log_uniform(rng, horizon / 50, horizon * 2)
    return Seasonal([a for a, _ in ends], [b for _, b in ends], peak, period, horizon, law=law)


def _brownian(rng: Stream, arms: int, horizon: int, law: Law) -> World:
    low, high = _span(rng)
    sigma = log_uniform(rng, (high - low) / 1_000, (high - low) / 10)
    return Brownian(arms, sigma, low, high, horizon, law=law)


def _surge(rng: Stream, arms: int, horizon: int, law: Law) -> World:
    low, high = _span(rng)
    usual = _row(rng, arms, low, 0.5 * (low + high))
    surged = list(usual)
    surged[usual.index(min(usual))] = high
    start = round(between(rng, 0.1, 0.75) * horizon)
    end = start + round(log_uniform(rng, 0.02, 0.5) * horizon)
    if end > horizon:
        return Piecewise([start], [usual, surged], horizon=horizon, law=law)
    return Piecewise([start, end], [usual, surged, usual], horizon=horizon, law=law)


def _still(rng: Stream, arms: int, horizon: int, law: Law) -> World:
    return Piecewise([], [_means(rng, arms)], horizon=horizon, law=law)


KINDS: dict[str, Maker] = {
    "jumps": _jumps,
    "one-arm": _one_arm,
    "rotting": _rotting,
    "seasonal": _seasonal,
    "brownian": _brownian,
    "surge": _surge,
    "still": _still,
}
"""The function that draws a world, by kind."""
