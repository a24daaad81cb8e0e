from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import driftbandit as db
from driftbandit import environments as env
from driftbandit.core.errors import InputError
from driftbandit.environments import laws


def test_tables_are_read_from_every_kind_of_file(tmp_path: Path) -> None:
    rows = np.array([[0.5, 0.25], [0.0, 1.0], [0.1, 0.3]])
    frame = pl.DataFrame(rows, schema=["red", "blue"], orient="row")
    frame.write_csv(tmp_path / "means.csv")
    frame.write_parquet(tmp_path / "means.parquet")
    np.save(tmp_path / "means.npy", rows)
    for name in ("means.csv", "means.parquet", "means.npy"):
        assert env.Table.read(tmp_path / name, bound=2.0) == env.Table(rows, bound=2.0)


def test_whole_numbers_in_a_file_are_numbers(tmp_path: Path) -> None:
    (tmp_path / "rewards.csv").write_text("a,b\n0,1\n1,0\n")
    world = env.Table.read(str(tmp_path / "rewards.csv"), law=laws.Exact())
    assert world.means == ((0.0, 1.0), (1.0, 0.0))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "a,b\n0.1,0.2\n0.3\n0.1,0.2,0.3\n", "is not a readable table: "),
        ("t.csv", "a,b\n0.1,0.2\n0.3,\n", "means[1][1] must lie in [0, 1], got nan"),
        ("t.csv", "a,b\n0.1,1.2\n", "means[0][1] must lie in [0, 1], got 1.2"),
        ("t.csv", ",a\n0,0.1\n1,0.2\n", "must each be an arm with a name, got ''"),
        ("t.csv", "t,a\n0,0.1\n1,0.2\n2,0.2\n", "an arm with a name, got 't', which counts rows"),
        ("t.csv", "t,a\n1,0.1\n2,0.2\n3,0.2\n", "an arm with a name, got 't', which counts rows"),
        ("t.csv", "a,b\n0.1,x\n", "must hold numbers only, got ['b']"),
        ("t.csv", "a,b\n", "is not a readable table: it has no rows"),
        ("t.csv", "0.1,0.2\n0.3,0.4\n", "must begin with a header, got ['0.1', '0.2']"),
        ("t.csv", "", "is not a readable table: "),
        ("t.parquet", "no", "is not a readable table: "),
        ("t.npy", "no", "is not a readable table: "),
        ("t.txt", "no", "the file's ending must be one of .csv, .parquet, .npy, got '.txt'"),
    ],
)
def test_a_bad_file_is_a_clear_error(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as error:
        env.Table.read(tmp_path / name)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_may_turn_to_fractions_late(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "0,1\n" * 500 + ".5,.5\n")
    assert env.Table.read(tmp_path / "t.csv").mean_rewards(501, 501).tolist() == [[0.5, 0.5]]


def test_a_missing_file_is_a_clear_error() -> None:
    with pytest.raises(InputError, match=r"^path must be a file, got 'none.csv'$"):
        env.Table.read("none.csv")


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.npy"])
def test_a_table_that_may_not_be_read_says_so(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / name).write_text("")
    for module, reader in ((np, "load"), (pl, "read_csv"), (pl, "read_parquet")):
        monkeypatch.setattr(module, reader, forbidden)
    with pytest.raises(db.InputError, match=f"{name}' cannot be read: Permission denied"):
        env.Table.read(tmp_path / name)
