"""Finished blocks in a folder, so that a simulation that was stopped goes on where it was.

    job.json                              what determines the bits of the job
    0000012.3f0c…e1.parquet               block 12, one row per policy

The name of a block's file holds a hash of the job, the block, its runs and the file's bytes. A file
that was cut off, damaged or brought in from elsewhere does not fit its name, and its block is
played again. The same job with more runs, or fewer, goes on with the blocks that both have.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from driftbandit.core.errors import InputError, require
from driftbandit.core.files import absent, path_of, prune, replacing
from driftbandit.engine.identity import identity
from driftbandit.engine.job import Job
from driftbandit.engine.player import Piece

JOB = "job.json"
BLOCK = re.compile(r"(\d{7,})\.([0-9a-f]{16})\.parquet")
ARRAYS = ("regret", "suboptimal_plays", "plays", "play_totals", "play_squares")


class Store:
    """The finished blocks of one job in a folder of their own.

    `job` is the job in blocks as wide as those in the folder.
    """

    def __init__(self, folder: str | os.PathLike[str], job: Job) -> None:
        self.folder = path_of("checkpoint", folder, "be the name of a folder")
        there = self._begun()
        self.job = job if there is None else job.with_width(there.get("width"))
        here = identity(self.job)
        text = json.dumps(here, indent=2)
        self.digest = hashlib.sha256(text.encode()).digest()
        self.new, self.new_folders = there is None, absent(self.folder)
        if there is not None:
            self._compare(there, json.loads(text))
        if there is None or there.get("width") != here["width"]:
            with replacing(self.folder / JOB) as partial:
                partial.write_text(text, encoding="utf-8")
        self.paths = self._listed()

    def _begun(self) -> dict[str, Any] | None:
        """Return what determines the job that the folder holds, if any; raise if it holds none."""
        try:
            names = [name for name in os.listdir(self.folder) if not name.startswith(".")]
            there = json.loads((self.folder / JOB).read_text(encoding="utf-8")) if names else None
        except FileNotFoundError:
            if self.folder.is_symlink():
                raise InputError(
                    f"checkpoint {self.folder} is a link to a folder that does not exist"
                ) from None
            if not self.folder.exists():
                return None
            why = f"be a new or empty folder, or one of this job; it has no {JOB}"
            require(False, "checkpoint", str(self.folder), why)
        except (OSError, ValueError, RecursionError) as error:
            reason = getattr(error, "strerror", None) or f"{JOB} is not JSON"
            raise InputError(f"checkpoint {self.folder} cannot be read: {reason}") from None
        fits = there is None or isinstance(there, dict)
        require(fits, "checkpoint", str(self.folder), f"hold a {JOB} that describes a job")
        return there

    def _compare(self, there: dict[str, Any], here: dict[str, Any]) -> None:
        """Raise if the folder holds another job; blocks that are too narrow are played again."""
        difference = _difference("", {**there, "width": here["width"]}, here)
        if difference:
            raise InputError(f"checkpoint {self.folder} holds another job: {difference}")

    def _listed(self) -> dict[int, list[Path]]:
        paths: dict[int, list[Path]] = {}
        for name in sorted(os.listdir(self.folder)):
            if match := BLOCK.fullmatch(name):
                paths.setdefault(int(match[1]), []).append(self.folder / name)
        return paths

    def read(self, block: int) -> list[Piece] | None:
        """Return a finished block, or None if it must be played."""
        for path in self.paths.get(block, ()):
            try:
                content = path.read_bytes()
            except OSError:
                continue
            if path.name == self._name(block, content):
                return _pieces(content, self.job, block)
        return None

    def write(self, block: int, pieces: list[Piece]) -> None:
        """Write a block, whole or not at all."""
        content = _content(pieces, self.job)
        with replacing(self.folder / self._name(block, content)) as partial:
            partial.write_bytes(content)
        self.new = False

    def withdraw(self) -> None:
        """Remove what was written for a job of which no block was ever finished."""
        if self.new:
            (self.folder / JOB).unlink(missing_ok=True)
            prune(self.new_folders)

    def _name(self, block: int, content: bytes) -> str:
        runs = self.job.live(block)
        digest = hashlib.sha256(self.digest + block.to_bytes(8) + runs.to_bytes(8) + content)
        return f"{block:07d}.{digest.hexdigest()[:16]}.parquet"


def _content(pieces: list[Piece], job: Job) -> bytes:
    """Return a Parquet file of one row per policy, every array in a cell, row by row."""
    import polars  # noqa: PLC0415  # loads only where tables are made

    kind = polars.List(polars.Float64)
    arrays = [
        polars.Series(name, [getattr(piece, name).ravel() for piece in pieces], dtype=kind)
        for name in ARRAYS
    ]
    labels = polars.Series("policy", [policy.label for policy in job.policies])
    file = io.BytesIO()
    polars.DataFrame([labels, *arrays]).write_parquet(file, compression="lz4", statistics=False)
    return file.getvalue()


def _pieces(content: bytes, job: Job, block: int) -> list[Piece]:
    import polars  # noqa: PLC0415  # loads only where tables are made

    frame = polars.read_parquet(io.BytesIO(content))
    runs, marks, arms = job.live(block), len(job.marks), job.world.arms
    shapes = [(runs, marks), (runs, arms), (runs, arms), (marks, arms), (marks, arms)]
    return [
        Piece(
            **{
                name: frame[name][row].to_numpy().reshape(shape)
                for name, shape in zip(ARRAYS, shapes, strict=True)
            },
            arms=np.empty((0, runs), dtype=np.int64),
        )
        for row in range(len(job.policies))
    ]


def _difference(name: str, there: Any, here: Any) -> str | None:
    """Say in words where two pieces of plain data first differ."""
    pairs: list[tuple[str, Any, Any]] = []
    if isinstance(there, dict) and isinstance(here, dict):
        keys = [*here, *(key for key in there if key not in here)]
        pairs = [(f"{name}.{key}".strip("."), there.get(key), here.get(key)) for key in keys]
    elif isinstance(there, list) and isinstance(here, list):
        if len(there) != len(here):
            return f"{name} are {len(there)} there and {len(here)} here"
        pairs = [
            (f"{name}[{place}]", *pair) for place, pair in enumerate(zip(there, here, strict=True))
        ]
    elif there != here:
        return f"{name or 'all'} is {_short(there)} there and {_short(here)} here"
    differences = (_difference(*pair) for pair in pairs)
    return next((words for words in differences if words), None)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
