"""Tables of text."""

from __future__ import annotations

import math

import pytest

from driftbandit.core.table import aligned, form_of, markdown

HEAD, ROWS = ["rule", "index", "n"], [["UCB", "X̄ + c", "10"], ["KL", "", "7"]]


def test_columns_are_aligned_and_lines_end_with_text() -> None:
    assert aligned(HEAD, ROWS, right=1) == [
        "rule  index   n",
        "UCB   X̄ + c  10",  # the bar takes no column
        "KL            7",
    ]
    assert aligned(HEAD, ROWS)[2] == "KL           7"
    assert aligned(["a", "long name"], [["1", ""]]) == ["a  long name", "1"]


def test_all_columns_may_stand_to_the_right() -> None:
    assert aligned(["a", "bb"], [["10", "2"]], right=2) == [" a  bb", "10   2"]


def test_a_table_without_rows_is_its_head() -> None:
    assert aligned(HEAD, []) == ["rule  index  n"]
    assert markdown(HEAD, []) == ["| rule | index | n |", "| --- | --- | --- |"]


@pytest.mark.parametrize(
    ("numbers", "form"),
    [
        ([], ".4f"), ([0.0], ".4f"), ([math.nan, 0.3], ".4f"), ([0.02, 1e-17], ".4f"),
        ([1e6], ".4f"), ([1e-5, 0.0], ".4g"), ([1e100, math.inf], ".4g"),
    ],
)  # fmt: skip
def test_numbers_show_digits_that_count(numbers: list[float], form: str) -> None:
    assert form_of(numbers) == form


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        aligned(HEAD, [["UCB"]])
