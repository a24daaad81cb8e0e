"""Parquet files of one log whose columns are of different kinds, though they hold the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import InputError, shown

if TYPE_CHECKING:
    import polars as pl

LARGEST = 2**53
"""Up to here a float holds every whole number."""


def scan_parts(files: list[Path]) -> pl.LazyFrame:
    """Return the rows of Parquet files, with columns in one kind that holds the values of all.

    pandas makes floats of whole numbers among which one is missing, so that parts of one log
    differ. A whole number that a float does not hold is then missing. Other differences are left
    for Polars to refuse.
    """
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    schemas = [dict(pl.scan_parquet(path, glob=False).collect_schema()) for path in files]
    for path, schema in zip(files, schemas, strict=True):
        _require_clock_of(schemas[0], schema, path, files[0])
    names = list(schemas[0])
    kinds = {name: {schema[name] for schema in schemas if name in schema} for name in names}
    common = {name: _common(each) for name, each in kinds.items() if len(each) > 1}
    if None in common.values() or not common or any(set(each) != set(names) for each in schemas):
        return pl.scan_parquet(files, glob=False)
    parts = [
        pl.scan_parquet(path, glob=False)
        .with_columns(_cast(name, schema[name], common[name]) for name in common)
        .select(names)
        for path, schema in zip(files, schemas, strict=True)
    ]
    return pl.concat(parts)


def _require_clock_of(
    first: dict[str, Any], schema: dict[str, Any], path: Path, against: Path
) -> None:
    """Raise where one file has times with a zone and another has not: Polars reads both as UTC."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    for name, kind in schema.items():
        zones = [
            each.time_zone for each in (first.get(name), kind) if isinstance(each, pl.Datetime)
        ]
        if len(zones) == 2 and (zones[0] is None) != (zones[1] is None):
            raise InputError(
                f"{shown(str(path))} must have times with a zone in {shown(name)} where "
                f"{shown(against.name)} has, and none where it has none, got {kind}"
            )


def _common(kinds: set[Any]) -> Any:
    """Return a kind that holds the values of all these, None if there is none.

    >>> import polars as pl
    >>> _common({pl.Int64(), pl.Float64()}), _common({pl.Int64(), pl.String()})
    (Float64, None)
    """
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    known = [kind for kind in kinds if kind != pl.Null]
    if len(known) == 1:
        return known[0]
    if all(kind.is_integer() for kind in known) and not _huge(known):
        return pl.Int64()
    if all(kind.is_float() or kind.is_integer() for kind in known) and not _huge(known):
        return pl.Float64()
    if all(isinstance(kind, pl.String | pl.Categorical | pl.Enum) for kind in known):
        return pl.String()
    zones = {kind.time_zone if isinstance(kind, pl.Datetime) else kind for kind in known}
    if all(isinstance(kind, pl.Datetime) for kind in known) and len(zones) == 1:
        return pl.Datetime("us", zones.pop())
    return None


def _huge(kinds: Sequence[Any]) -> bool:
    """Say whether one of these kinds has whole numbers beyond those of 64 bits and a sign."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    return any(isinstance(kind, pl.UInt64 | pl.Int128 | pl.UInt128) for kind in kinds)


def _cast(name: str, kind: Any, to: Any) -> pl.Expr:
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    column = pl.col(name)
    if kind == pl.Int64 and to.is_float():
        column = pl.when(column.is_between(-LARGEST, LARGEST)).then(column)
    return column.cast(to).alias(name)
