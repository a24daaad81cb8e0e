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
from driftbandit.special import CENTRAL, central_quantile, normal_quantile

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
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    third, fourth = c ^ a, d ^ b
    rng[0] = a ^ fourth
    rng[1] = b ^ third
    rng[2] = third ^ (b << np.uint64(17))
    rng[3] = (fourth << np.uint64(45)) | (fourth >> np.uint64(19))
    return (float(np.int64((a + d) >> np.uint64(12))) + 0.5) * 2.0**-52


@compilable
def uniforms(rng: NDArray[np.uint64], row: NDArray[np.float64]) -> None:
    """Fill `row` with one uniform draw of each of many streams, `rng` of shape (4, streams)."""
    for lane in range(row.shape[0]):
        row[lane] = uniform(rng[:, lane])


@compilable
def normal(rng: NDArray[np.uint64]) -> float:
    """Draw from the standard normal law by its quantile function, to a relative 2e-12."""
    luck = uniform(rng)
    return central_quantile(luck) if abs(luck - 0.5) <= CENTRAL else normal_quantile(luck)


@compilable
def normals(rng: NDArray[np.uint64], luck: NDArray[np.float64], row: NDArray[np.float64]) -> None:
    """Fill `row` with one normal draw of each of many streams; `luck` is room for as many numbers.

    The draws are those of `normal`. One in a thousand is far out and is computed again.
    """
    uniforms(rng, luck)
    far = 0
    for lane in range(row.shape[0]):
        far += int(abs(luck[lane] - 0.5) > CENTRAL)
        row[lane] = central_quantile(luck[lane])
    if far > 0:
        for lane in range(row.shape[0]):
            if abs(luck[lane] - 0.5) > CENTRAL:
                row[lane] = normal_quantile(luck[lane])


@compilable
def geometric(rng: NDArray[np.uint64], rate: float) -> float:
    """Draw the number of rounds until an event of probability `rate` a round: 1, 2, 3, …"""
    if rate >= 1.0:
        return 1.0
    return 1.0 + math.floor(math.log(uniform(rng)) / math.log1p(-rate))
