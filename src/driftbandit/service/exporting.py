"""The log of an experiment as a table, in the formats and the layout that `db.Log` reads."""

from __future__ import annotations

import csv
import io
import itertools
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from driftbandit.service import history
from driftbandit.service.call import Call
from driftbandit.service.deciding import experiment_of
from driftbandit.service.history import COLUMNS
from driftbandit.service.problems import Refusal
from driftbandit.service.store.protocol import Store
from driftbandit.service.worker import Worker

PIECE = 2_000
"""Lines that are encoded, and sent, at a time."""
AT_ONCE = 1 << 20
"""Bytes of a Parquet file that are sent at a time."""

Line = dict[str, Any]


class Export(NamedTuple):
    """A content type, and what yields the table, piece by piece."""

    kind: bytes
    pieces: Callable[[Store], Iterator[bytes]]


def export(worker: Worker, call: Call) -> Export:
    """Return the decisions of an experiment as a table, with their rewards."""
    name, until = experiment_of(worker, call).name, worker.fold.position
    ended = _one_of("rows", call.query.get("rows", "ended"), ROWS) == "ended"
    kind, encode = FORMATS[_one_of("format", call.query.get("format", "jsonl"), list(FORMATS))]

    def pieces(store: Store) -> Iterator[bytes]:
        return encode(history.table(history.rows_of(store, name, until), ended))

    return Export(kind, pieces)


def _one_of(field: str, value: str, options: list[str]) -> str:
    if value not in options:
        allowed = ", ".join(options)
        raise Refusal(422, field, f"{field} must be one of {allowed}, got {value[:100]!r}")
    return value


def _batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    while batch := list(itertools.islice(lines, PIECE)):
        yield batch


def _jsonl(lines: Iterator[Line]) -> Iterator[bytes]:
    for batch in _batches(lines):
        yield b"".join(msgspec.json.encode(line) + b"\n" for line in batch)


def _csv(lines: Iterator[Line]) -> Iterator[bytes]:
    """Yield CSV; the eligible arms are a list in JSON."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for batch in _batches(lines):
        for line in batch:
            writer.writerow({**line, "eligible": msgspec.json.encode(line["eligible"]).decode()})
        yield _taken(text)
    yield _taken(text)


def _taken(text: io.StringIO) -> bytes:
    value = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return value


def _parquet(lines: Iterator[Line]) -> Iterator[bytes]:
    """Yield a Parquet file: it is written whole before the first piece, since its index is last."""
    import polars as pl  # noqa: PLC0415  # loads only where a table is made
    from polars.io.plugins import register_io_source  # noqa: PLC0415

    schema: dict[str, Any] = {
        "id": pl.String, "time": pl.Float64, "arm": pl.String, "propensity": pl.Float64,
        "eligible": pl.List(pl.String), "reward": pl.Float64, "reward_time": pl.Float64,
        "status": pl.String, "policy": pl.String, "version": pl.Int64, "position": pl.Int64,
    }  # fmt: skip

    def frames(
        names: list[str] | None, predicate: Any, most: int | None, size: int | None
    ) -> Iterator[pl.DataFrame]:
        for batch in _batches(lines):
            yield pl.DataFrame(batch, schema=schema)
        yield pl.DataFrame(schema=schema)

    with tempfile.TemporaryFile() as file:
        register_io_source(frames, schema=schema).sink_parquet(file)
        file.seek(0)
        while piece := file.read(AT_ONCE):
            yield piece


QUERY = ("format", "rows")
ROWS = ["ended", "all"]
FORMATS = {
    "jsonl": (b"application/jsonl", _jsonl),
    "csv": (b"text/csv", _csv),
    "parquet": (b"application/vnd.apache.parquet", _parquet),
}
