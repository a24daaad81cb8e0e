"""Random streams: one xoshiro256+ generator per run and purpose, the same in Python and compiled.

A stream is four 64-bit words. They are a function of (seed, purpose, run) alone, so the luck of a
run does not depend on the other runs, on the policies compared, or on threads.

Reference: Blackman & Vigna, *Scrambled linear pseudorandom number generators*, 2021.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import whole
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import beta_quantile, normal_quantile, two_normals

REWARDS, POLICY, WORLD, WILD = 0, 1, 2, 3
"""The purposes: the luck U_t of rewards, draws of a policy, of a random world, of a wild world."""

_Words = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's output function."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@functools.cache
def _key(seed: int, purpose: int) -> NDArray[np.uint64]:
    """Return the number from which all streams of a seed and purpose start.

    The words of a seed of 2³² or more stand apart from the purpose: one list of words would not say
    where the seed ends, and the rewards of one seed would be a stream of another.
    """
    low, high = seed % 2**32, seed // 2**32
    words = np.random.SeedSequence([low, purpose], spawn_key=(high,) if high else ())
    return words.generate_state(1, np.uint64).astype(np.uint64)


def streams(seed: int, purpose: int, first_run: int, runs: int) -> NDArray[np.uint64]:
    """Return the states of `runs` streams from run `first_run` on, shape (4, runs).

    >>> streams(0, REWARDS, 0, 2).shape
    (4, 2)
    >>> bool((streams(0, REWARDS, 5, 1)[:, 0] == streams(0, REWARDS, 0, 6)[:, 5]).all())
    True
    """
    key = _key(whole("seed", seed, least=0, most=None), purpose)
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
    rng[0], rng[1], rng[2], rng[3] = next_words(a, b, c, d)
    return unit(a, d)


@compilable
def next_words(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> _Words:
    """Return the words after these: one step of xoshiro256+."""
    third, fourth = c ^ a, d ^ b
    turned = (fourth << np.uint64(45)) | (fourth >> np.uint64(19))
    return a ^ fourth, b ^ third, third ^ (b << np.uint64(17)), turned


@compilable
def unit(a: np.uint64, d: np.uint64) -> float:
    """Return the uniform number that a stream of these first and last words has next."""
    return (float(np.int64((a + d) >> np.uint64(12))) + 0.5) * 2.0**-52


@compilable
def uniform_series(rng: NDArray[np.uint64], row: NDArray[np.float64]) -> None:
    """Fill `row` with the next draws of one stream, faster than by calls of `uniform`."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    for k in range(row.shape[0]):
        row[k] = unit(a, d)
        a, b, c, d = next_words(a, b, c, d)
    rng[0], rng[1], rng[2], rng[3] = a, b, c, d


@compilable
def uniforms(rng: NDArray[np.uint64], row: NDArray[np.float64]) -> None:
    """Fill `row` with one uniform draw of each of many streams, `rng` of shape (4, streams)."""
    for lane in range(row.shape[0]):
        row[lane] = uniform(rng[:, lane])


@compilable
def normal(rng: NDArray[np.uint64]) -> float:
    """Draw from the standard normal law by its quantile function."""
    return normal_quantile(uniform(rng))


@compilable
def normal_pair(rng: NDArray[np.uint64]) -> tuple[float, float]:
    """Draw two numbers from the standard normal law; fast in a loop over many streams."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    e, f, g, h = next_words(a, b, c, d)  # both draws before the stream is written: this vectorises
    rng[0], rng[1], rng[2], rng[3] = next_words(e, f, g, h)
    return two_normals(unit(a, d), unit(e, h))


@compilable
def normal_pairs(
    rng: NDArray[np.uint64], one: NDArray[np.float64], other: NDArray[np.float64]
) -> None:
    """Fill two rows with a `normal_pair` of each of many streams, `rng` of shape (4, streams)."""
    for lane in range(one.shape[0]):
        one[lane], other[lane] = normal_pair(rng[:, lane])


@compilable
def geometric(rng: NDArray[np.uint64], rate: float) -> float:
    """Draw the number of rounds until an event of probability `rate` per round: 1, 2, 3, …"""
    if rate >= 1.0:
        return 1.0
    return 1.0 + math.floor(math.log(uniform(rng)) / math.log1p(-rate))


BETA_NUMBERS = 5
"""How many uniform numbers `beta_from` needs."""


@compilable
def beta_from(noise: Sequence[float], a: float, b: float) -> float:
    """Turn five independent uniform numbers into a draw of the beta law with shapes a and b > 0.

    The result is X / (X + Y) for X and Y of the gamma laws with shapes a and b, each made of a
    normal number in one trial of Marsaglia and Tsang's method. If a trial fails (1 in 20 for shape
    1, 1 in 500 for shape 20) or a shape is below 1, the quantile function, which is slow, turns the
    fifth number. Both ways give the law exactly, and which way is taken does not depend on the
    fifth number, so the result has the law exactly.

    Reference: Marsaglia & Tsang, *A simple method for generating gamma variables*, 2000.

    >>> round(beta_from([0.5, 0.5, 0.5, 0.5, 0.5], 3.0, 3.0), 12)
    0.5
    """
    # All are read before any branch: a view that outlives one costs more than the draw.
    u, v, other_u, other_v, last = noise[0], noise[1], noise[2], noise[3], noise[4]
    x, y = _gamma_trial(u, v, a), _gamma_trial(other_u, other_v, b)
    if x > 0.0 and y > 0.0:
        return x / (x + y)
    return beta_quantile(last, a, b)


@compilable
def _gamma_trial(u: float, v: float, shape: float) -> float:
    """Return a draw of the gamma law with a shape of at least 1, or 0 if the trial fails."""
    if shape < 1.0:
        return 0.0
    third = shape - 0.3333333333333333
    z = normal_quantile(u)
    root = 1.0 + z / math.sqrt(9.0 * third)
    if root <= 0.0:
        return 0.0
    cube = root * root * root
    if v < 1.0 - 0.0331 * (z * z) * (z * z):
        return third * cube
    if math.log(v) < 0.5 * z * z + third * (1.0 - cube + math.log(cube)):
        return third * cube
    return 0.0
