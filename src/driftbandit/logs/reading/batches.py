"""Rows in pieces of Polars frames, from whatever engine holds them: one small adapter for each."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import InputError, shown

if TYPE_CHECKING:
    import polars as pl

SIZE = 200_000
"""Rows of a piece, as far as the engine lets one choose."""


def batches_of(native: Any) -> Iterator[pl.DataFrame]:
    """Yield the rows of a frame of any supported engine, in its order."""
    home = type(native).__module__.split(".")[0].lstrip("_")
    adapter = ADAPTERS.get(home)
    if adapter is None:
        raise InputError(
            f"source must be a frame of one of {', '.join(ADAPTERS)}, got {shown(native)}"
        )
    return adapter(native)


def _polars(frame: Any) -> Iterator[pl.DataFrame]:
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    if isinstance(frame, pl.LazyFrame):
        yield from frame.collect_batches(chunk_size=SIZE, maintain_order=True)
    else:
        yield from frame.iter_slices(SIZE)


def _pandas(frame: Any) -> Iterator[pl.DataFrame]:
    """Column by column: this needs no PyArrow."""
    for first in range(0, len(frame), SIZE):
        yield _from_pandas(frame.iloc[first : first + SIZE])


def _from_pandas(frame: Any) -> pl.DataFrame:
    import pandas as pd  # noqa: PLC0415  # it is there: the frame is one of its own
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    columns = []
    for name in frame.columns:
        series = frame[name]
        if isinstance(series.dtype, pd.DatetimeTZDtype):
            moments = series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy("datetime64[us]")
            columns.append(pl.Series(name, moments).dt.replace_time_zone("UTC"))
            continue
        if series.dtype.kind in "biufM" and not hasattr(series.dtype, "numpy_dtype"):
            columns.append(pl.Series(name, _narrowed(series.to_numpy()), nan_to_null=True))
            continue
        values = [None if _missing(value) else _in_utc(value) for value in series]
        try:
            columns.append(pl.Series(name, values, strict=False))
        except pl.exceptions.PolarsError:
            kinds = sorted({type(value).__name__ for value in values if value is not None})
            raise InputError(
                f"column {shown(name)} must hold values of one kind that Polars has, "
                f"times all with a zone or all without, got {', '.join(kinds)}"
            ) from None
    return pl.DataFrame(columns)


def _in_utc(value: Any) -> Any:
    """Return a time with a zone in UTC, since zones may differ from row to row."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC)
    return value


def _narrowed(values: NDArray[Any]) -> NDArray[Any]:
    """Return values in a kind that Polars has: no long doubles, and no datetimes by the second."""
    if values.dtype.kind == "M":
        return values.astype("datetime64[us]")
    return values.astype(np.float64) if values.dtype.itemsize > 8 else values


def of_one_kind(frame: Any) -> Any:
    """Return a frame of pandas in which texts among numbers, UUIDs and the like are texts."""
    from pandas.api.types import infer_dtype  # noqa: PLC0415  # it is there: the frame is one of its own

    texts = {}
    for name in filter(_is_text, frame.columns):
        series = frame[name]
        kind = infer_dtype(series, skipna=True) if series.dtype == object else ""
        intervals = _are_intervals(getattr(series.dtype, "categories", series).dtype)
        if intervals or kind == "mixed-integer" or (kind == "mixed" and series.map(_is_uuid).any()):
            texts[name] = series.astype(object).map(str, na_action="ignore")
    return frame.assign(**texts) if texts else frame


def _is_text(name: Any) -> bool:
    return isinstance(name, str)


def _are_intervals(kind: Any) -> bool:
    """Say whether a kind of column is that of the intervals that `cut` makes."""
    import pandas as pd  # noqa: PLC0415  # it is there: the frame is one of its own

    return isinstance(kind, pd.IntervalDtype)


def _is_uuid(value: Any) -> bool:
    return isinstance(value, uuid.UUID)


def _missing(value: Any) -> bool:
    """Say whether pandas means that there is no value: None, NaN, NaT or NA."""
    import pandas as pd  # noqa: PLC0415  # it is there: the frame is one of its own

    if value is None or value is pd.NA:
        return True
    return not isinstance(value, list | np.ndarray) and bool(value != value)  # noqa: PLR0124  # NaN differs from itself


def _arrow(table: Any) -> Iterator[pl.DataFrame]:
    for batch in table.to_batches(max_chunksize=SIZE):
        yield _framed(batch)


def _duckdb(relation: Any) -> Iterator[pl.DataFrame]:
    new = getattr(relation, "to_arrow_reader", None)  # its name from DuckDB 1.4 on
    for batch in (new or relation.fetch_record_batch)(SIZE):
        yield _framed(batch)


def _ibis(table: Any) -> Iterator[pl.DataFrame]:
    """As batches of Ibis; those of its DuckDB by DuckDB, from whose 2.0 on Ibis 12 has none."""
    from ibis.expr.operations import InMemoryTable  # noqa: PLC0415  # it is there

    backend = table.get_backend()
    if backend.name == "duckdb":
        in_memory = table.op().find(InMemoryTable)
        query = None if in_memory else backend.con.sql(backend.compile(table))
        yield from _arrow(table.to_pyarrow()) if query is None else _duckdb(query)
        return
    for batch in table.to_pyarrow_batches(chunk_size=SIZE):
        yield _framed(batch)


def _dask(frame: Any) -> Iterator[pl.DataFrame]:
    for place in range(frame.npartitions):
        yield from _pandas(frame.get_partition(place).compute())


def _pyspark(frame: Any) -> Iterator[pl.DataFrame]:
    """Row by row from one partition after the other: the driver holds one of them."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    names, rows = frame.columns, []
    for row in frame.toLocalIterator():
        rows.append(tuple(row))
        if len(rows) == SIZE:
            yield pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)
            rows = []
    if rows:
        yield pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


def _framed(batch: Any) -> pl.DataFrame:
    """Return an Arrow batch as a frame, or raise where Polars lacks the kind of a column."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    try:
        frame = pl.from_arrow(batch)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        kinds = ", ".join(f"{field.name}: {field.type}" for field in batch.schema)
        raise InputError(
            f"source must have columns of kinds that Polars has, got {kinds}: "
            f"{str(error).splitlines()[0]}"
        ) from None
    assert isinstance(frame, pl.DataFrame)
    return frame


ADAPTERS: dict[str, Callable[[Any], Iterator[pl.DataFrame]]] = {
    "polars": _polars,
    "pandas": _pandas,
    "pyarrow": _arrow,
    "duckdb": _duckdb,
    "ibis": _ibis,
    "dask": _dask,
    "pyspark": _pyspark,
}
"""By the package that a frame's class lives in."""
