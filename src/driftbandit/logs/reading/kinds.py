"""Which kinds of columns each role of a log takes, in pieces of Polars frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from driftbandit.core.errors import InputError

if TYPE_CHECKING:
    import polars as pl

NUMBERS, TIMES = "hold numbers", "hold numbers, datetimes or texts"
NAMES, LISTS = "be one name per row", "hold lists of names, or texts"

ALLOWED = {
    "id": NAMES,
    "time": TIMES,
    "arm": NAMES,
    "reward": NUMBERS,
    "propensity": NUMBERS,
    "eligible": LISTS,
    "reward_time": TIMES,
}
"""What the column of a role must hold."""


def fitting(frame: pl.DataFrame) -> pl.DataFrame:
    """Return columns, named by their roles, of kinds that can be read; raise for any other.

    >>> import polars as pl
    >>> fitting(pl.DataFrame({"reward": [[1.0]]}))
    Traceback (most recent call last):
    driftbandit.InputError: reward must hold numbers, got a column of List(Float64)
    """
    return frame.with_columns(_fitting(frame[role], ALLOWED[role]) for role in frame.columns)


def _fitting(values: pl.Series, allowed: str) -> pl.Series:
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    kind = values.dtype
    if kind in (pl.Categorical, pl.Enum):
        return values.cast(pl.String)
    if kind in (pl.Int128, pl.UInt128) and allowed == NAMES:
        return values.cast(pl.String)  # Python's whole numbers fit into no column of 64 bits
    if kind.is_float() and allowed == NAMES:
        return values.fill_nan(None)
    if kind == pl.Binary and allowed == NAMES:
        return values.bin.encode("hex")
    if not (kind in (pl.String, pl.Null) or kind.is_numeric() or _special(kind, allowed)):
        raise InputError(f"{values.name} must {allowed}, got a column of {_words(values)}")
    return values


def _special(kind: pl.DataType, allowed: str) -> bool:
    """Say whether a kind other than text and numbers fits."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    if allowed == NUMBERS:
        return kind == pl.Boolean
    if allowed == TIMES:
        return kind in (pl.Datetime, pl.Date)
    if allowed == LISTS and isinstance(kind, pl.List | pl.Array):
        return not (kind.inner.is_nested() or kind.inner == pl.Object)
    return not (kind.is_nested() or kind in (pl.Object, pl.Duration, pl.Time))


def _words(values: pl.Series) -> str:
    """Return what a column holds, by the class of its first value where Polars knows no kind."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    if values.dtype != pl.Object:
        return str(values.dtype)
    first = next((value for value in values if value is not None), None)
    return type(first).__name__
