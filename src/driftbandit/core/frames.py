"""Rows of results as polars frames, and as plain data for JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

Row = Mapping[str, Any]


def frame(rows: Iterable[Row]) -> polars.DataFrame:
    """Return the rows as a frame.

    >>> frame([{"policy": "UCB-1", "mean": 2.5}]).shape
    (1, 2)
    """
    import polars  # noqa: PLC0415  # loads only where tables are needed

    return polars.DataFrame(list(rows), infer_schema_length=None)


def plain(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the rows with None for NaN and infinity, which JSON does not have.

    >>> plain([{"policy": "uniform", "ratio": math.inf}])
    [{'policy': 'uniform', 'ratio': None}]
    """
    return [{name: _plain(value) for name, value in row.items()} for row in rows]


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def strict(content: Any) -> Any:
    """Return plain data of any depth with None for NaN and infinity.

    >>> strict({"ratios": [1.0, math.nan]})
    {'ratios': [1.0, None]}
    """
    if isinstance(content, dict):
        return {key: strict(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [strict(value) for value in content]
    return _plain(content)
