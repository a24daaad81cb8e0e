"""A world read from a table: one row of means per round."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.errors import InputError, one_of, shown
from driftbandit.core.files import path_of
from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.parameters import Row, all_rows, rounds_between
from driftbandit.environments.world import World


@dataclass(frozen=True, init=False)
class Table(World):
    """Means declared round by round: row t − 1 of `means` holds in round t.

    With the law `Exact()` the table holds rewards, which are paid as they are.

    Parameters: `means`, one row per round, each with one number in [0, bound] per arm.

    >>> world = Table([[0.5, 0.3], [0.5, 0.4], [0.5, 0.9]])
    >>> world.horizon, world.arms, world.find_breakpoints()
    (3, 2, [2, 3])
    >>> round(world.distance(), 9)
    0.6
    """

    means: tuple[Row, ...] = field(repr=False)

    def __init__(self, means: ArrayLike, *, law: Law = COIN, bound: float = 1.0) -> None:
        """Check and store the means."""
        super().__init__(law=law, bound=bound)
        self._set(means=all_rows("means", means, self.bound))

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.means[0])

    @property
    def horizon(self) -> int:
        """The last round of the table."""
        return len(self.means)

    @cached_property
    def _rows(self) -> NDArray[np.float64]:
        return np.array(self.means)

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        return self._rows[rounds_between(first, last, self.horizon) - 1]

    def levels(self) -> NDArray[np.float64]:
        """Return the means of all rounds."""
        return self._rows

    @classmethod
    def read(cls, path: str | Path, *, law: Law = COIN, bound: float = 1.0) -> Table:
        """Read a CSV (with a header), Parquet or .npy file: a row per round, a column per arm."""
        file = path_of("path", path, "name a file")
        ending = one_of("the file's ending", file.suffix, [".csv", ".parquet", ".npy"])
        if not file.is_file():
            raise InputError(f"path must be a file, got {shown(str(path))}")
        try:
            rows = _array(file) if ending == ".npy" else _columns(file, ending)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise InputError(f"{str(file)!r} cannot be read: {reason}") from None
        return cls(rows, law=law, bound=bound)


def _array(file: Path) -> Any:
    try:
        return np.load(file, allow_pickle=False)
    except (ValueError, EOFError, BadZipFile):
        raise InputError(f"{str(file)!r} is not a readable table: no NumPy array") from None


def _columns(file: Path, ending: str) -> Any:
    import polars as pl  # noqa: PLC0415 (loads only where a file is read)

    try:
        if ending == ".csv":  # infer from all rows: the first fraction may come late
            frame = pl.read_csv(file, infer_schema_length=None)
        else:
            frame = pl.read_parquet(file)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{str(file)!r} is not a readable table: {reason}") from None
    if frame.height == 0:
        raise InputError(f"{str(file)!r} is not a readable table: it has no rows")
    if ending == ".csv" and all(_is_numeric(name) for name in frame.columns):
        raise InputError(f"{str(file)!r} must begin with a header, got {frame.columns}")
    words = [name for name, kind in frame.schema.items() if not kind.is_numeric()]
    if words:
        raise InputError(f"columns of {str(file)!r} must hold numbers only, got {words}")
    rows = frame.to_numpy()
    for name, column in zip(frame.columns, rows.T, strict=True):
        counts = len(column) > 2 and (np.diff(column) == 1.0).all() and column[0] in (0.0, 1.0)
        if not name.strip() or counts:
            raise InputError(
                f"columns of {str(file)!r} must each be an arm with a name, got {name!r}, which "
                f"counts rows or has none: leave it out, as df.to_csv(…, index=False) does"
            )
    return rows


def _is_numeric(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
