"""Whether two results are the same, to the last bit."""

from __future__ import annotations

import numpy as np

from driftbandit import Result

ARRAYS = ("regret", "plays", "suboptimal_plays", "play_share", "share_error")


def assert_same_bits(one: Result, two: Result) -> None:
    assert one.labels == two.labels
    for label in one:
        for name in ARRAYS:
            here, there = getattr(one[label], name), getattr(two[label], name)
            assert np.array_equal(here, there), (label, name)
