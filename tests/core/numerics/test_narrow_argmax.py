"""The largest of draws from laws that are narrower than numbers lie apart."""

from __future__ import annotations

import pytest

from driftbandit.core.numerics.argmax import normal_argmax


@pytest.mark.parametrize("deviation", [1e-17, 1e-60, 1e-100])
def test_laws_that_are_points_share_where_they_tie(deviation: float) -> None:
    assert normal_argmax([0.5, 0.75, 0.25], [deviation] * 3) == [0.0, 1.0, 0.0]
    assert normal_argmax([0.5, 0.25, 0.5], [deviation] * 3) == [0.5, 0.0, 0.5]


def test_a_wide_law_beside_a_point_keeps_its_share() -> None:
    assert normal_argmax([0.5, 0.5], [1e-60, 1.0]) == pytest.approx([0.5, 0.5])
