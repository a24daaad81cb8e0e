"""Files: CSV, Parquet and JSON lines, one, many, or a folder of them, none of them loaded whole."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftbandit.core.errors import InputError, shown
from driftbandit.core.files import path_of

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

HEAD = 4_096
"""Bytes that tell what a file holds."""


def files_of(source: str | os.PathLike[str]) -> list[Path]:
    """Return the files that a path, a pattern with * or a folder names, sorted by name."""
    path = path_of("source", source, "name a file, a folder or a pattern such as 'logs/*.csv'")
    try:
        return _files_at(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"source cannot be read, got {shown(str(path))}: {reason}") from None


def _files_at(path: Path) -> list[Path]:
    if path.is_dir():
        files = [each for each in sorted(path.iterdir()) if each.suffix.lower() in FORMATS]
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
            frame = pl.scan_csv(files, infer_schema=False)
        elif form == PARQUET:
            frame = pl.scan_parquet(files)
        else:
            frame = pl.scan_ndjson(files, schema=schema, infer_schema_length=10_000)
        names = frame.collect_schema().names()
    again = [name for name in names if TWICE.sub("", name) in names and TWICE.search(name)]
    if form == CSV and again:
        twice = shown(TWICE.sub("", again[0]))
        raise InputError(f"columns must have different names, got {twice} twice")
    if not names:
        raise InputError(f"{shown(str(files[0]))} is not a readable log: it is empty")
    return frame


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
    if head.startswith(b"PAR1"):
        return PARQUET
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16, not UTF-8"
    if b"\0" in head:
        return "no text"
    return LINES if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else CSV


@contextmanager
def explained(files: list[Path]) -> Iterator[None]:
    """Turn what Polars says of a file that it cannot read into one line."""
    import polars as pl  # noqa: PLC0415  # loads only where a log is read

    what = shown(str(files[0])) if len(files) == 1 else f"one of {len(files)} files"
    try:
        yield
    except pl.exceptions.NoDataError:
        raise InputError(f"{what} is not a readable log: it is empty") from None
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError) as error:
        reason = str(error).strip().splitlines()[0]
        form = format_of(files)
        raise InputError(f"{what} is not a readable log of {form}: {reason}") from None
