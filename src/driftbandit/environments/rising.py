"""Rising worlds: an arm that was not the best becomes it, drawn at random from a seed.

They are the case of section 4 of Garivier & Moulines: who explores little learns of a rise late.
"""

from __future__ import annotations

import numpy as np

from driftbandit.core import random
from driftbandit.core.errors import whole
from driftbandit.environments.laws import Bernoulli, Beta
from driftbandit.environments.piecewise import Piecewise
from driftbandit.environments.sampling import between, pick, pick_other
from driftbandit.environments.wild import MOST, Stream, coin, log_uniform
from driftbandit.environments.world import World

LEAST = 0.02
"""The smallest jump above the best; there are no further rises when there is no room for it."""


def rise(seed: int) -> World:
    """Return the rising world of a seed.

    K is log-uniform from 2 to 30, T from 1,000 to 1,000,000. Rewards are Bernoulli or, equally
    often, Beta with a concentration log-uniform from 0.5 to 100. The means begin uniform in a range
    anywhere in [0, 0.9] whose width is log-uniform from 0.02 to 0.7.

    Equally often once, or two to four times, at rounds uniform from 0.05 T to 0.95 T, an arm that
    is not the best (any of them, all equally likely) rises above the best, by a jump log-uniform
    from 0.02 to all that is left up to 1. In half of the worlds, arms that rose fall back to where
    they began when the next one rises; in the other half they stay.

    >>> world = rise(1002)
    >>> type(world).__name__, world.arms, world.horizon, world.law, world.breakpoints
    ('Piecewise', 11, 873200, Bernoulli(), (659252,))
    """
    number = whole("seed", seed, least=0, most=None)
    with np.errstate(over="ignore"):  # the stream's words wrap around on purpose
        rng = random.streams(number, random.RISE, 0, 1)[:, 0]
        arms = round(log_uniform(rng, 2, 30))
        horizon = round(log_uniform(rng, 1_000, 1_000_000))
        law = Bernoulli() if coin(rng) else Beta(log_uniform(rng, 0.5, 100.0))
        times = 1 if coin(rng) else 2 + pick(rng, 3)
        rounds = sorted({round(between(rng, 0.05, 0.95) * horizon) for _ in range(times)})
        rows = _rows(rng, arms, len(rounds))
        return Piecewise(rounds[: len(rows) - 1], rows, horizon=horizon, law=law)


def rises(number: int, seed: int = 0) -> dict[str, World]:
    """Return the rising worlds of `number` seeds from `seed` on, by name: seed and arms.

    >>> list(rises(3, seed=7))
    ['rise-7-K18', 'rise-8-K4', 'rise-9-K18']
    """
    first = whole("seed", seed, least=0, most=None)
    worlds = {}
    for each in range(first, first + whole("number", number, most=MOST)):
        world = rise(each)
        worlds[f"rise-{each}-K{world.arms}"] = world
    return worlds


def _rows(rng: Stream, arms: int, times: int) -> list[list[float]]:
    """Draw the means before the first rise and after each."""
    width = log_uniform(rng, 0.02, 0.7)
    low = between(rng, 0.0, 0.9 - width)
    start = [round(between(rng, low, low + width), 4) for _ in range(arms)]
    rows, falls_back = [start], coin(rng)
    for _ in range(times):
        usual, best = (start if falls_back else rows[-1]), max(rows[-1])
        if 1.0 - best <= LEAST:
            break
        row = list(usual)
        risen = pick_other(rng, arms, rows[-1].index(best))
        row[risen] = round(best + log_uniform(rng, LEAST, 1.0 - best), 4)
        rows.append(row)
    return rows
