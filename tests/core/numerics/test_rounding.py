"""Floors and ceilings of what rounding pushes over a whole number."""

from __future__ import annotations

import math

import pytest

import driftbandit as db
from driftbandit.core.numerics import ceiling_of, floor_of


@pytest.mark.parametrize("arms", [3, 7, 9, 200])
def test_quotients_of_decimals_are_the_whole_numbers_they_mean(arms: int) -> None:
    for percent in range(1, 100):
        exact = arms * 100 / percent
        assert floor_of(arms / (percent / 100)) == math.floor(exact)
        assert ceiling_of(arms / (percent / 100)) == math.ceil(exact)


def test_a_number_between_is_left_alone() -> None:
    assert (floor_of(2.999999), ceiling_of(3.000001)) == (2.0, 4.0)
    assert (floor_of(-0.5), ceiling_of(-0.5), floor_of(0.0)) == (-1.0, 0.0, 0.0)


def test_the_printed_bound_counts_whole_spans() -> None:
    left, width = 0.999**1000, -math.log(0.001)
    slices = math.ceil(width / math.log(1 + 4 * math.sqrt(1 - 1 / 1.2)))
    exact = 16 * 0.6 / (left * 0.5**2) * 1 + 2 * slices / (width * (1 - left))
    assert 10**6 * (1 - 0.999) > 1000.0
    assert db.theory.discounted.B(0.999, 10**6, 0.5) == pytest.approx(exact, rel=1e-9)
