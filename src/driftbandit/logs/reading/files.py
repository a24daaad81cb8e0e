"""Files: CSV, Parquet and JSON lines, one, many, or a folder of them, none of them loaded whole."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import InputError, shown
from driftbandit.core.files import path_of
from driftbandit.logs.reading.parts import scan_parts

if TYPE_CHECKING:
    import polars as pl

CSV, PARQUET, LINES = "CSV", "Parquet", "JSON lines"

FORMATS = {
    ".csv": CSV,
    ".parquet": PARQUET,
    ".jsonl": LINES,
    ".ndjson": LINES,
    ".dsjson": LINES,
}
"""The format of a file by its ending."""

TWICE = re.compile(r"_duplicated_\d+$")
"""How Polars ends the name of a column that stands again in the head of a CSV file."""

MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, which some programs write before a text."""

MAGIC = {
    b"PAR1": PARQUET,
    b"\x1f\x8b": "gzip",
    b"\xff\xfe": "UTF-16, not UTF-8",
    b"\xfe\xff": "UTF-16, not UTF-8",
}
"""How files of other kinds begin."""

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
"""How the name of something elsewhere begins, such as s3://."""

HEAD = 4_096
"""Bytes that tell what a file holds."""


def files_of(source: str | os.PathLike[str]) -> list[Path]:
    """Return the files that a path, a pattern with * or a folder names, sorted by name."""
    path = path_of("source", source, "name a file, a folder or a pattern such as 'logs/*.csv'")
    if ADDRESS.match(str(source)):
        raise InputError(
            f"source must be the path of a file, got the address {shown(str(source))}: read it "
            "with Polars, such as pl.scan_parquet or pl.scan_csv, and give the frame"
        )
    try:
        return _files_at(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"source cannot be read, got {shown(str(path))}: {reason}") from None


def _files_at(path: Path) -> list[Path]:
    if path.is_dir():
        shown_files = (each for each in sorted(path.iterdir()) if each.name[0] != ".")
        files = [each for each in shown_files if each.suffix.lower() in FORMATS]
        if not files:
            raise InputError(f"source must be a folder with logs in it, got {shown(str(path))}")
    elif path.is_file():
        files = [path]
    else:
        files = [Path(name) for name in sorted(glob.glob(str(path), recursive=True))]
        if not files:
            raise InputError(f"source must be a file that exists, got {shown(str(path))}")
    return files


def format_of(files: list[Path]) -> str:
    """Return the one format of all files, or raise."""
    formats = {FORMATS.get(path.suffix.lower(), "") for path in files}
    if "" in formats:
        odd = next(path for path in files if path.suffix.lower() not in FORMATS)
        raise InputError(
            f"the ending of a log must be one of {', '.join(FORMATS)}, got {shown(odd.name)}"
        )
    if len(formats) > 1:
        raise InputError(f"the files of a log must have one format, got {sorted(formats)}")
    return formats.pop()


def scan(files: list[Path], schema: dict[str, Any] | None = None) -> pl.LazyFrame:
    """Return the rows of the files as a Polars frame that reads them when asked.

    All columns of CSV are read as text: what is no number is then a bad row and no bad file.
    `schema` is that of the fields that are wanted from JSON lines.
    """
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    form = format_of(files)
    if form == LINES and not any(path.stat().st_size for path in files):
        raise InputError(f"{shown(str(files[0]))} is not a readable log: it is empty")
    with explained(files):
        for path in files:
            _require_content(path, form)
        if form == CSV:
            frame = pl.scan_csv(files, infer_schema=False, glob=False)
        elif form == PARQUET:
            frame = scan_parts(files)
        else:
            frame = _scan_lines(files, schema)
        names = frame.collect_schema().names()
    again = [name for name in names if TWICE.sub("", name) in names and TWICE.search(name)]
    if form == CSV and again:
        twice = shown(TWICE.sub("", again[0]))
        raise InputError(f"columns must have different names, got {twice} twice")
    if not names:
        raise InputError(f"{shown(str(files[0]))} is not a readable log: it is empty")
    return frame


def _scan_lines(files: list[Path], schema: dict[str, Any] | None) -> pl.LazyFrame:
    """Return the rows of JSON lines, whose kinds of columns all lines of all files decide."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    names = [glob.escape(str(path)) for path in files]  # Polars takes them for patterns
    if schema is None and len(files) > 1:
        filled = [name for name, path in zip(names, files, strict=True) if path.stat().st_size]
        schemas = [pl.scan_ndjson(name, infer_schema_length=None) for name in filled]
        empty = [pl.DataFrame(schema=each.collect_schema()) for each in schemas]
        schema = dict(pl.concat(empty, how="diagonal_relaxed").schema)
    return pl.scan_ndjson(names, schema=schema, infer_schema_length=None)


def _require_content(path: Path, form: str) -> None:
    """Raise where a file does not hold what its ending says."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    content = _content(head)
    if head.strip() and content != form:
        raise InputError(
            f"{shown(str(path))} must hold {form}, as its ending says, but holds {content}"
        )


def _content(head: bytes) -> str:
    """Return what a file holds that begins with these bytes.

    >>> _content(b"PAR1"), _content(b' {"time": 0}'), _content(b"time,arm")
    ('Parquet', 'JSON lines', 'CSV')
    """
    begins = next((what for magic, what in MAGIC.items() if head.startswith(magic)), None)
    if begins is not None:
        return begins
    if b"\0" in head:
        return "no text"
    if b"\r" in head and b"\n" not in head:
        return "lines that end with carriage returns alone"
    text = head.removeprefix(MARK).lstrip()
    if text.startswith(b"{"):
        return f"{LINES} after a byte order mark" if head.startswith(MARK) else LINES
    return "a list in JSON" if re.match(rb"\[\s*[{\]]", text) else CSV


@contextmanager
def explained(files: list[Path]) -> Iterator[None]:
    """Turn what Polars says of files, or of a frame, that it cannot read into one line."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    form = f"a readable log of {format_of(files)}" if files else ""
    try:
        yield
    except pl.exceptions.NoDataError:
        empty = next((path for path in files if not path.stat().st_size), None)
        what = shown(str(empty)) if empty else "source"
        raise InputError(f"{what} is not a readable log: it is empty") from None
    except _unreadable() as error:
        reason = str(error).strip().splitlines()[0]
        if not files:
            raise InputError(f"source cannot be read: {reason}") from None
        if len(files) > 1:
            _blame(files)
        raise InputError(f"{shown(str(files[0]))} is not {form}: {reason}") from None


def _unreadable() -> tuple[type[Exception], ...]:
    """Return what engines raise where a source cannot be read, those that are loaded."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read
    from narwhals.exceptions import NarwhalsError  # noqa: PLC0415  # as well

    names = {"duckdb": "Error", "pyarrow": "ArrowException"}
    loaded = (getattr(sys.modules[each], names[each]) for each in names if each in sys.modules)
    return pl.exceptions.PolarsError, NarwhalsError, OSError, UnicodeDecodeError, *loaded


def _blame(files: list[Path]) -> None:
    """Raise for the first of many files that cannot be read, alone or beside the first one."""
    first: dict[str, Any] = {}
    for path in files:
        with explained([path]):
            frame = scan([path])
            schema: dict[str, Any] = dict(frame.collect_schema())
            for _ in frame.collect_batches():
                pass
        first = first or schema
        if schema != first and format_of(files) != LINES:
            raise InputError(
                f"{shown(str(path))} must have the columns of {shown(files[0].name)}, "
                f"{_words(first)}, got {_words(schema)}"
            )


def _words(schema: dict[str, Any]) -> str:
    """Return the columns of a file; kinds too, unless all are read as text."""
    kinds = {} if {str(kind) for kind in schema.values()} == {"String"} else schema
    names = (f"{name} ({kinds[name]})" if kinds else name for name in schema)
    return ", ".join(names)
