"""Arrays that are more than real numbers are refused, and so are rounds that run backwards."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import driftbandit as db

E = db.environments
ROWS = [[0.1, 0.2], [0.3, 0.4]]


@pytest.mark.parametrize(
    "make",
    [
        E.Table,
        lambda rows: E.Piecewise([2], rows),
        lambda rows: E.Stationary(rows[0]),
        lambda rows: db.linear.PiecewiseLinear([2], rows),
    ],
)
@pytest.mark.parametrize(
    ("rows", "got"),
    [
        (np.ma.masked_greater(ROWS, 0.3), "got a masked one"),
        (np.array(ROWS) + 1j, "got complex ones"),
    ],
)
def test_masks_and_imaginary_parts_are_not_dropped(make: Any, rows: Any, got: str) -> None:
    with pytest.raises(db.InputError, match=got):
        make(rows)


@pytest.mark.parametrize("column", [pl.Series, pd.Series, np.array, list, tuple])
def test_a_row_may_be_a_column_of_a_data_frame_or_clicks(column: Any) -> None:
    assert E.Stationary(column([0.1, 0.2])).means == (0.1, 0.2)
    assert E.Stationary(column([True, False])).means == (1.0, 0.0)
    with pytest.raises(db.InputError, match=r"means\[1\] must lie in \[0, 1\], got nan"):
        E.Stationary(column([0.1, math.nan]))


def test_a_file_of_complex_numbers_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "means.npy", np.array(ROWS) + 1j)
    with pytest.raises(db.InputError, match="means must be real numbers, got complex ones"):
        E.Table.read(tmp_path / "means.npy")


def test_rounds_do_not_run_backwards() -> None:
    with pytest.raises(db.InputError, match="last must be at least first, 10, got 5"):
        E.two_swaps().mean_rewards(10, 5)
