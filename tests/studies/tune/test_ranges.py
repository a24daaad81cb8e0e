"""Ranges: values at places, places of values."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from driftbandit.core.errors import InputError
from driftbandit.studies.tune.ranges import Range, Values, default_ranges, make_domain


@given(u=st.floats(0.0, 1.0), name=st.sampled_from(sorted(default_ranges(5_000))))
def test_a_value_lies_where_it_was_asked_for(u: float, name: str) -> None:
    domain = default_ranges(5_000)[name]
    value = domain.at(u)
    assert domain.low <= value <= domain.high
    if not domain.whole:
        assert domain.place(value) == pytest.approx(u, abs=2e-3)


@pytest.mark.parametrize("scale", ["log", "near one", "linear"])
def test_the_ends_are_reached(scale: str) -> None:
    domain = Range(0.25, 0.75, scale)
    assert (domain.at(0.0), domain.at(1.0)) == (0.25, 0.75)
    assert (domain.place(0.25), domain.place(0.75)) == (0.0, 1.0)


def test_a_place_beyond_a_scale_is_infinite() -> None:
    assert Range(0.5, 0.9, "near one").place(1.0) == math.inf
    assert Range(0.5, 0.9).place(0.0) == -math.inf
    assert Values((1, 2)).place(3) == math.inf


@given(values=st.lists(st.integers(), min_size=1, max_size=9, unique=True))
def test_a_list_is_tried_value_by_value(values: list[int]) -> None:
    domain = Values(tuple(values))
    assert [domain.at((k + 0.5) / len(values)) for k in range(len(values))] == values
    assert [domain.at(domain.place(value)) for value in values] == values


def test_a_pair_without_a_name_is_guessed() -> None:
    assert make_domain("mine", (1, 100), None) == Range(1, 100, "log", whole=True)
    assert make_domain("mine", (0.0, 1.0), None) == Range(0.0, 1.0, "linear")
    assert make_domain("xi", (1, 2), default_ranges(10)["xi"]) == Range(1, 2, "log")


@pytest.mark.parametrize(
    "values", [range(10, 30, 10), np.array([10, 20]), [np.int64(10), np.int32(20)], iter((10, 20))]
)
def test_values_come_in_any_ordered_collection_and_are_plain_numbers(values: Any) -> None:
    domain = make_domain("window", values, None)
    assert domain == Values((10, 20))
    assert json.loads(domain.to_json())["values"] == [10, 20]


def test_the_ends_of_a_range_are_plain_numbers() -> None:
    domain = make_domain("mine", (np.int64(1), Fraction(5, 2)), None)
    assert json.loads(domain.to_json())["low"] == 1
    assert domain == Range(1, 2.5, "log")


@pytest.mark.parametrize("values", [{10, 20}, np.array(["1", "2"]), np.array([[1, 2]]), "10,20"])
def test_what_has_no_order_or_is_no_number_is_refused(values: Any) -> None:
    with pytest.raises(InputError, match=r"search of window: (values|a value) to try must"):
        make_domain("window", values, None)


def test_a_scale_is_checked() -> None:
    with pytest.raises(InputError, match="scale must be one of log, near one, linear, got 'lag'"):
        Range(0.1, 0.2, "lag")
