"""Times in a log: epochs, datetimes with a zone, or text."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import InputError, shown

if TYPE_CHECKING:
    import polars as pl

UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
"""Parts of a second that an epoch may count."""

FAR = 1e11
"""Seconds since 1970 until the year 5138: what lies beyond counts something smaller."""

RECENT = 1e9, 4e9
"""Seconds since 1970 of the years 2001 to 2096, when logs begin."""

OFFSET = r"(?:\s*(Z|z|UTC|GMT)|([+-](?:0\d|1[0-4])(?::?[0-5]\d)?))$"
"""How a text ends that says its zone: in words of its own, or hours and minutes from UTC."""

YEAR_FIRST = r"^\d{4}\D"
"""How a text begins that has one meaning: 01/02/2024 is in January or in February."""


def seconds(values: pl.Series, unit: str, zone: str | None) -> pl.Series:
    """Return times as seconds since 1970, null where they cannot be read.

    >>> import polars as pl
    >>> texts = pl.Series(["1970-01-02T00:00:00Z", "1970-01-02 01:00+01:00", "12.5", "soon"])
    >>> seconds(texts, "s", None).to_list()
    [86400.0, 86400.0, 12.5, None]
    """
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    kind = values.dtype
    if kind.is_numeric():
        return _epochs(values.cast(pl.Float64), unit)
    if kind in (pl.Datetime, pl.Date):
        return _zoned(values, zone)
    if kind == pl.Null:
        return values.cast(pl.Float64)
    texts = values.cast(pl.String, strict=False).str.strip_chars()
    numbers = _epochs(texts.cast(pl.Float64, strict=False), unit)
    rest = texts.set(numbers.is_not_null(), None)
    if rest.null_count() == len(rest):
        return numbers
    return pl.select(pl.coalesce(numbers, _written(rest, zone))).to_series()


def _epochs(values: pl.Series, unit: str) -> pl.Series:
    finite = values.filter(values.is_finite().fill_null(False))
    if unit == "s" and _are_dates(finite):
        raise InputError(
            f"time must be seconds since 1970, or a date in text such as '2024-01-31', got a date "
            f"in digits, {finite[0]:.0f}"
        )
    moments = values / UNITS[unit]
    largest = (finite / UNITS[unit]).abs().max()
    if isinstance(largest, float) and largest > FAR:
        raise InputError(
            f"time must lie within 3,000 years of 1970, got {largest:g} s: give the unit of the "
            "epoch, unit='ms', 'us' or 'ns'"
        )
    return moments


def require_unit(start: float, unit: str) -> None:
    """Raise where epochs count something longer than the unit: they begin in January 1970.

    >>> require_unit(1_700_000.0, "ms")
    Traceback (most recent call last):
    driftbandit.InputError: unit must be that of the times, got 'ms': they begin in January 1970, \
and would in 2023 with unit='s'
    """
    for longer, parts in UNITS.items():
        moment = start * UNITS[unit] / parts
        if parts < UNITS[unit] and RECENT[0] <= moment <= RECENT[1]:
            year = datetime.fromtimestamp(moment, UTC).year
            raise InputError(
                f"unit must be that of the times, got {unit!r}: they begin in January 1970, and "
                f"would in {year} with unit={longer!r}"
            )


def _are_dates(values: pl.Series) -> bool:
    """Say whether all numbers read as a date, such as 20240131, or one with a time of day."""
    days = values if (values < 1e9).all() else values // 1e6
    years, months, date = days // 1e4, days // 100 % 100, days % 100
    fits = years.is_between(1900, 2100) & months.is_between(1, 12) & date.is_between(1, 31)
    return len(values) > 0 and bool((fits & (values % 1 == 0)).all())


def _zoned(values: pl.Series, zone: str | None) -> pl.Series:
    """Return datetimes as seconds; those without a zone are of `zone`."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    if getattr(values.dtype, "time_zone", None) is None:
        stamps = values.cast(pl.Datetime("us"))
        if zone is None and stamps.null_count() < len(stamps):
            raise _no_zone(stamps.drop_nulls()[0])
        values = stamps.dt.replace_time_zone(
            zone or "UTC", ambiguous="earliest", non_existent="null"
        )
    return values.dt.timestamp("us").cast(pl.Float64) / 1e6


def _written(texts: pl.Series, zone: str | None) -> pl.Series:
    """Return times written as text, with an offset, or else of `zone`."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    in_words = texts.str.extract(OFFSET, 1).is_not_null()
    offsets = texts.str.extract(OFFSET, 2).set(in_words, "+00")
    # "2024-01-02" ends like an offset: one must follow a time
    offsets = offsets.set(~texts.str.contains(r"\d:\d.*" + OFFSET).fill_null(False), None)
    bare = pl.select(
        pl.when(offsets.is_null()).then(texts).otherwise(texts.str.replace(OFFSET, ""))
    ).to_series()
    bare = bare.set(bare.str.contains(r"\d:\d.*[+-]").fill_null(False), None)  # no such offset
    stamps = _stamps(bare.str.strip_chars().str.replace("[Tt]", " "))
    naive = stamps.is_not_null() & offsets.is_null()
    if zone is None and naive.any():
        raise _no_zone(texts.filter(naive)[0])
    local = _zoned(stamps.set(~naive, None), zone or "UTC")
    universal = stamps.set(naive, None).dt.timestamp("us").cast(pl.Float64) / 1e6
    digits = offsets.str.replace(":", "")
    minutes = digits.str.slice(1, 2).cast(pl.Int64) * 60 + digits.str.slice(3, 2).cast(
        pl.Int64, strict=False
    ).fill_null(0)
    sign = pl.select(pl.when(digits.str.starts_with("-")).then(-60.0).otherwise(60.0)).to_series()
    return pl.select(pl.coalesce(universal - sign * minutes, local)).to_series()


def _stamps(texts: pl.Series) -> pl.Series:
    """Return datetimes without a zone, null where a text is none that begins with the year."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    dated = texts.set(~texts.str.contains(YEAR_FIRST).fill_null(False), None)
    try:
        return dated.str.to_datetime(time_unit="us", strict=False)
    except pl.exceptions.ComputeError:  # not one of them looks like a date
        return pl.Series(texts.name, [None] * len(texts), dtype=pl.Datetime("us"))


def _no_zone(value: Any) -> InputError:
    return InputError(
        f"time must have a time zone, got {shown(str(value))}: name it, such as "
        "zone='Europe/Berlin' (--zone Europe/Berlin)"
    )
