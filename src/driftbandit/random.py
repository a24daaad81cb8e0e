"""Random streams: one xoshiro256+ generator per run and purpose, the same in Python and compiled.

A stream is four 64-bit words that are a function of (seed, purpose, run) alone, so that the luck
of a run does not depend on the other runs, on the policies compared, or on threads.

Reference: Blackman & Vigna, *Scrambled linear pseudorandom number generators*, 2021.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from driftbandit.errors import whole
from driftbandit.marking import compilable
from driftbandit.special import normal_quantile

REWARDS, POLICY, WORLD = 0, 1, 2
"""The purposes: the reward's luck U_t, a policy's own draws, a random world's draws."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's output function."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def streams(seed: int, purpose: int, first_run: int, runs: int) -> NDArray[np.uint64]:
    """Return the states of `runs` streams from run `first_run` on, shape (4, runs).

    >>> streams(0, REWARDS, 0, 2).shape
    (4, 2)
    >>> bool((streams(0, REWARDS, 5, 1)[:, 0] == streams(0, REWARDS, 0, 6)[:, 5]).all())
    True
    """
    words = np.random.SeedSequence([whole("seed", seed, least=0, most=None), purpose])
    key = words.generate_state(1, np.uint64)
    run = np.arange(first_run, first_run + runs, dtype=np.uint64)
    base = _mixed(key + _GOLDEN * (run + np.uint64(1)))
    word = np.arange(1, 5, dtype=np.uint64)[:, None]
    return _mixed(base + _GOLDEN * word)


@compilable
def uniform(rng: NDArray[np.uint64]) -> float:
    """Draw from the uniform law on (0, 1) and advance the stream `rng` (four words).

    The value is (k + ½)·2⁻⁵² for a whole k, so it is never 0 nor 1.
    """
    total = rng[0] + rng[3]
    shifted = rng[1] << np.uint64(17)
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= shifted
    rng[3] = (rng[3] << np.uint64(45)) | (rng[3] >> np.uint64(19))
    return (float(np.int64(total >> np.uint64(12))) + 0.5) * 2.0**-52


@compilable
def normal(rng: NDArray[np.uint64]) -> float:
    """Draw from the standard normal law by its quantile function."""
    return normal_quantile(uniform(rng))


@compilable
def geometric(rng: NDArray[np.uint64], rate: float) -> float:
    """Draw the number of rounds until an event of probability `rate` a round: 1, 2, 3, …"""
    if rate >= 1.0:
        return 1.0
    return 1.0 + math.floor(math.log(uniform(rng)) / math.log1p(-rate))
