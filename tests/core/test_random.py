"""Random streams: xoshiro256+ as published, the same number by every way of drawing it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from driftbandit.core import random

MASK = 2**64 - 1
RUNS = 5

Streams = NDArray[np.uint64]


def xoshiro(words: list[int]) -> Iterator[int]:
    """Yield the outputs of Blackman and Vigna's xoshiro256plus.c."""
    a, b, c, d = words
    while True:
        yield (a + d) & MASK
        shifted = (b << 17) & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = ((d << 45) | (d >> 19)) & MASK


def expected(stream: Streams, draws: int) -> list[float]:
    """Return (k + ½) · 2⁻⁵² for the upper 52 bits k of the outputs."""
    outputs = xoshiro([int(word) for word in stream])
    return [((next(outputs) >> 12) + 0.5) * 2.0**-52 for _ in range(draws)]


@pytest.fixture
def streams() -> Iterator[Streams]:
    with np.errstate(over="ignore"):  # the words wrap around on purpose
        yield random.streams(7, random.POLICY, 3, RUNS)


def test_one_stream_is_xoshiro256_plus(streams: Streams) -> None:
    truth = expected(streams[:, 0], 200)
    assert [random.uniform(streams[:, 0]) for _ in range(200)] == truth


def test_a_series_is_the_same_numbers_and_leaves_the_same_stream(streams: Streams) -> None:
    truth, row, single = expected(streams[:, 1], 60), np.empty(50), streams[:, 1].copy()
    random.uniform_series(streams[:, 1], row)
    assert row.tolist() == truth[:50]
    assert [random.uniform(single) for _ in range(50)] == truth[:50]
    assert streams[:, 1].tolist() == single.tolist()
    assert random.uniform(single) == truth[50]


def test_many_streams_at_once_are_the_same_numbers(streams: Streams) -> None:
    truth, row = [expected(streams[:, run], 20) for run in range(RUNS)], np.empty(RUNS)
    for draw in range(20):
        random.uniforms(streams, row)
        assert row.tolist() == [numbers[draw] for numbers in truth]


def test_normal_pairs_are_normal_pair_run_by_run(streams: Streams) -> None:
    copied, one, other = streams.copy(), np.empty(RUNS), np.empty(RUNS)
    random.normal_pairs(streams, one, other)
    pairs = [random.normal_pair(copied[:, run]) for run in range(RUNS)]
    assert list(zip(one.tolist(), other.tolist(), strict=True)) == pairs
    assert np.array_equal(streams, copied)


def test_a_stream_depends_on_seed_purpose_and_run_alone() -> None:
    block = random.streams(7, random.POLICY, 3, RUNS)
    assert np.array_equal(random.streams(7, random.POLICY, 5, 1)[:, 0], block[:, 2])
    others = [random.streams(8, random.POLICY, 3, 1), random.streams(7, random.WORLD, 3, 1)]
    assert all((other[:, 0] != block[:, 0]).all() for other in others)


def test_large_seeds_are_streams_of_their_own() -> None:
    seeds = [5, 5 + 2**32, 5 + 2**33, 5 + 2**64, 5 + 2**64 + 2**32]
    states = {random.streams(seed, purpose, 0, 1).tobytes() for seed in seeds for purpose in (0, 1)}
    assert len(states) == 2 * len(seeds)


def test_smaller_seeds_keep_their_streams() -> None:
    words = np.random.SeedSequence([2**32 - 1, random.WORLD]).generate_state(1, np.uint64)
    assert random._key(2**32 - 1, random.WORLD) == words
