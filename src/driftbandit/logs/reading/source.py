"""Where rows come from, whatever holds them: names, batches in order, and ids that stand twice."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import InputError, require, shown
from driftbandit.logs.reading import layouts
from driftbandit.logs.reading.batches import batches_of, of_one_kind
from driftbandit.logs.reading.files import CSV, explained, files_of, format_of, scan
from driftbandit.logs.reading.kinds import fitting

if TYPE_CHECKING:
    import narwhals as nw
    import polars as pl

Clock = Callable[["pl.Series"], "pl.Series"]
"""What turns times into seconds."""

ORDERED = ("polars", "pandas", "pyarrow")
"""Frames whose rows have an order; those of a database or a cluster have none."""

MOST_REPEATED = 100_000
"""Ids that stand more than once, at most, that are looked for row by row."""


class Source:
    """The rows of files or of a data frame; nothing is read before it is needed."""

    def __init__(self, frame: nw.LazyFrame[Any], ordered: bool, files: list[Path]) -> None:
        self._frame, self.ordered, self._files = frame, ordered, files
        self.of_text = bool(files) and format_of(files) == CSV
        """Whether all columns are read as text."""
        self.name = files[0].name if len(files) == 1 else ""
        """The name of the one file."""
        with self._explained():
            self.names: list[str] = list(frame.collect_schema().names())

    def batches(self, columns: dict[str, str], clock: Clock | None) -> Iterator[pl.DataFrame]:
        """Yield the columns of these roles, in pieces, renamed to the roles.

        `clock` sorts by time and id, as far as the log has ids. It says what times written as text
        mean; a database sorts them by their letters.
        """
        import narwhals as nw  # noqa: PLC0415  # loads only where a log is read

        renamed = [nw.col(name).alias(role) for role, name in columns.items()]
        keys = [role for role in ("time", "id") if role in columns]
        with self._explained():
            frame = self._frame.select(*renamed)
            native: Any = nw.to_native(frame)
            if clock is not None and self.ordered and frame.collect_schema()["time"] == nw.String:
                native = _sorted_texts(native, keys, clock)
            elif clock is not None:
                native = nw.to_native(frame.sort(*keys))
            yield from batches_of(native)

    def distinct(self, name: str) -> list[Any]:
        """Return the values of a column, in their order; None, the last, where one is missing."""
        import narwhals as nw  # noqa: PLC0415  # loads only where a log is read

        with self._explained():
            kind = self._frame.collect_schema()[name]
            odd = self._frame.implementation.is_pandas() and kind == nw.Unknown  # such as a period
            odd = odd or isinstance(kind, nw.List | nw.Array | nw.Struct | nw.Object)
            require(not odd, "group", name, "name a column of texts, numbers or times")
            counts = self._frame.group_by(name).agg(nw.len().alias("rows")).select(name)
            rows = counts.collect(backend="polars")
        values = {None if value != value else value for value in rows.get_column(name).to_list()}  # noqa: PLR0124  # NaN differs from itself
        return sorted(values, key=lambda value: (value is None, value))

    def where(self, name: str, value: Any) -> Source:
        """Return the rows that have this value in a column."""
        import narwhals as nw  # noqa: PLC0415  # loads only where a log is read

        column = nw.col(name)
        is_it = column == value
        if value is None:
            floats = self._frame.collect_schema()[name].is_float()
            is_it = column.is_null() | column.is_nan() if floats else column.is_null()
        return Source(self._frame.filter(is_it), self.ordered, self._files)

    def repeated(self, name: str) -> set[Any]:
        """Return the values that stand more than once in a column; the source counts them."""
        import narwhals as nw  # noqa: PLC0415  # loads only where a log is read

        try:
            with self._explained():
                counts = self._frame.group_by(name).agg(nw.len().alias("times"))
                there = ~nw.col(name).is_null()
                if self._frame.collect_schema()[name] == nw.String:
                    there = there & (nw.col(name) != "")
                twice = counts.filter((nw.col("times") > 1) & there)
                frame = twice.head(MOST_REPEATED).select(nw.col(name).alias("id"))
                ids: pl.DataFrame = nw.to_native(frame.collect(backend="polars"))
        except TypeError as error:  # pandas counts no sets
            raise InputError(f"id must be one name per row, got {error}") from None
        return set(fitting(ids)["id"].cast(str).to_list())

    def _explained(self) -> contextlib.AbstractContextManager[None]:
        return explained(self._files)


def _sorted_texts(rows: Any, keys: Sequence[str], clock: Clock) -> pl.LazyFrame:
    """Sort rows by times that are text, as the clock reads them."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    lazy = rows if isinstance(rows, pl.LazyFrame) else pl.concat(batches_of(rows)).lazy()
    moments = pl.col("time").map_batches(clock, return_dtype=pl.Float64)
    return lazy.sort(moments, *keys)


def source_of(source: Any, layout: layouts.Layout | None) -> Source:
    """Return the source that a path or a data frame is, or raise."""
    import narwhals as nw  # noqa: PLC0415  # loads only where a log is read

    if isinstance(source, str | os.PathLike):
        files = files_of(source)
        rows = scan(files, layout.schema if layout else None)
        with explained(files):
            frame = nw.from_native(layout.shape(rows) if layout else rows)
            return Source(frame.lazy(), True, files)
    try:
        eager = nw.from_native(source)
    except TypeError:
        raise InputError(
            "source must be a path or a data frame of a library that Narwhals reads, "
            f"got {shown(source)}"
        ) from None
    except nw.exceptions.DuplicateError:
        names = list(getattr(source, "column_names", None) or source.columns)
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"columns must have different names, got {shown(twice)} twice") from None
    engine = str(eager.implementation.value)
    ordered = engine in ORDERED
    if engine == "pandas":
        eager = nw.from_native(of_one_kind(source))
    if layout is not None:
        import polars as pl  # noqa: PLC0415  # loads only where a log is read

        native = nw.to_native(eager)
        if not isinstance(native, pl.DataFrame | pl.LazyFrame):
            raise InputError("layout must be left out for a frame that is not of Polars")
        eager = nw.from_native(layout.shape(native.lazy()))
    return Source(eager.lazy(), ordered, [])
