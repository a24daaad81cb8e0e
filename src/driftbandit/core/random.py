"""Random streams: one xoshiro256+ generator per run and purpose, the same in Python and compiled.

A stream is four 64-bit words. They are a function of (seed, purpose, run) alone, so the luck of a
run does not depend on the other runs, on the policies compared, or on threads.

Reference: Blackman & Vigna, *Scrambled linear pseudorandom number generators*, 2021.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import whole
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import normal_quantile, two_normals

REWARDS, POLICY, WORLD, WILD, RISE = 0, 1, 2, 3, 4
"""The purposes: the luck U_t of rewards, draws of a policy, of a random, wild or rising world."""

_Words = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's output function."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def sequence(seed: int, purpose: int) -> np.random.SeedSequence:
    """Return what NumPy's generators start from; no two pairs are the same.

    The words of a seed of 2³² or more stand apart from the purpose: one list of words would not say
    where the seed ends, and the rewards of one seed would be a stream of another.
    """
    low, high = seed % 2**32, seed // 2**32
    return np.random.SeedSequence([low, purpose], spawn_key=(high,) if high else ())


@functools.cache
def _key(seed: int, purpose: int) -> NDArray[np.uint64]:
    """Return the number from which all streams of a seed and purpose start."""
    return sequence(seed, purpose).generate_state(1, np.uint64).astype(np.uint64)


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


def uniform_list(seed: int, purpose: int, run: int, number: int) -> list[float]:
    """Return the first uniform draws of a run's stream, without compiled code.

    >>> stream = streams(7, REWARDS, 3, 1)[:, 0]
    >>> with np.errstate(over="ignore"):
    ...     uniform_list(7, REWARDS, 3, 2) == [uniform(stream), uniform(stream)]
    True
    """
    a, b, c, d = streams(seed, purpose, run, 1)[:, 0].tolist()
    words, draws = 2**64 - 1, []
    for _ in range(number):  # as `next_words` does, with whole numbers that have no end
        draws.append((((a + d & words) >> 12) + 0.5) * 2.0**-52)
        c, d, shifted = c ^ a, d ^ b, b << 17 & words
        a, b = a ^ d, b ^ c
        c, d = c ^ shifted, (d << 45 & words) | d >> 19
    return draws


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


_LOW = 0xFFFFFFFF
"""The bits of a 32-bit word."""


@compilable
def descendant(u: float, number: int) -> float:
    """Return a number of the sequence of uniform numbers of (0, 1) that u begins; 0 is the first.

    A draw that must be repeated needs more numbers, nobody knows how many. They come from a number
    of its own, so that every draw takes as many from its stream. Two halves of u and the number are
    mixed by a 32-bit hash with little bias; products fit into 64 bits or are cut to 32.

    Reference: Wellons, *Prospecting for hash functions*, 2018, for the constants of `_mixed_word`.

    >>> 0.0 < descendant(0.25, 0) < 1.0, descendant(0.25, 0) == descendant(0.25, 1)
    (True, False)
    """
    bits = int(u * 2.0**52)
    low, high = bits & 0x3FFFFFF, bits >> 26
    step = _mixed_word((0x9E3779B9 * (number + 1)) & _LOW)
    one = _mixed_word(_mixed_word(low ^ step) ^ high)
    other = _mixed_word(_mixed_word(high ^ step ^ 0x55555555) ^ (low << 5))
    return (float((one << 20) | (other >> 12)) + 0.5) * 2.0**-52


@compilable
def _mixed_word(x: int) -> int:
    """Return a 32-bit word in which every bit depends on all bits of x."""
    x = ((x ^ (x >> 16)) * 0x21F0AAAD) & _LOW
    x = ((x ^ (x >> 15)) * 0x735A2D97) & _LOW
    return x ^ (x >> 15)
