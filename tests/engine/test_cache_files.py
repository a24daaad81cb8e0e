"""The files of the compile cache: damaged, unreadable, or without a folder to lie in."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numba
import pytest
from numba.core import caching

from driftbandit.engine import cache, compiler, first_use

SOURCE = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder with a module in it, where no cache folder of the user is in reach."""
    (tmp_path / "doubling.py").write_text(SOURCE)
    (tmp_path / "blocked").write_text("a file, so that no folder can be made below it")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "blocked"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "blocked"))
    monkeypatch.setattr(cache, "_written", set())
    monkeypatch.delitem(sys.modules, "doubling", raising=False)
    yield tmp_path
    sys.modules.pop("doubling", None)


def module(folder: Path) -> ModuleType:
    """Import the module as a new process would."""
    spec = importlib.util.spec_from_file_location("doubling", folder / "doubling.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = sys.modules["doubling"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def doubled(folder: Path) -> int:
    """Compile the function, or load it, and call it; return how much was compiled."""
    dispatcher = compiler.compiled(module(folder).double, 1)
    with first_use.counted() as count:
        assert dispatcher(21) == 42
    return count.number


def files(folder: Path, kind: str) -> list[Path]:
    return list(folder.rglob(f"*.{kind}"))


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("size", [0, 1, 40])
def test_a_damaged_file_is_made_again(
    folder: Path, kind: str, size: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doubled(folder) > 0
    assert doubled(folder) == 0
    (path,) = files(folder / "__pycache__", kind)
    path.write_bytes(path.read_bytes()[:size])
    assert doubled(folder) > 0
    assert "was damaged: compiling it again" in capsys.readouterr().err
    assert doubled(folder) == 0


@pytest.mark.parametrize("home", [True, False])
def test_code_of_a_folder_that_cannot_be_written_to_is_used(
    folder: Path, home: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doubled(folder) > 0
    monkeypatch.setattr(caching.InTreeCacheLocator, "ensure_cache_path", refuse)
    if home:
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "home"))
    assert doubled(folder) == 0


def test_code_of_other_sources_in_such_a_folder_does_not_hinder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doubled(folder) > 0
    (folder / "doubling.py").write_text(SOURCE + "# now longer\n")
    monkeypatch.setattr(caching.InTreeCacheLocator, "ensure_cache_path", refuse)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "home"))
    assert doubled(folder) > 0
    assert doubled(folder) == 0
    assert "cannot keep" not in capsys.readouterr().err


def test_a_temporary_folder_is_used_if_it_is_ours_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
    (folder / "__pycache__").write_text("blocked")
    (folder / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "temporary"))
    assert doubled(folder) > 0
    assert doubled(folder) == 0
    (private,) = (folder / "temporary").iterdir()
    assert private.stat().st_mode & 0o777 == 0o700
    private.chmod(0o777)
    assert doubled(folder) > 0
    assert "no folder for compiled code can be written to" in capsys.readouterr().err


def test_no_folder_is_named_after_a_home_that_nobody_knows(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as without HOME and a name
    monkeypatch.setattr(caching.InTreeCacheLocator, "ensure_cache_path", refuse)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.chdir(folder)
    assert doubled(folder) > 0
    assert not (folder / "~").exists()
    assert files(folder, "nbi")


def test_without_any_folder_it_compiles_and_says_so_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
    (folder / "__pycache__").write_text("blocked")
    for _ in range(2):
        assert doubled(folder) > 0
    text = capsys.readouterr().err
    assert text.count("no folder for compiled code") == 1
    assert "notebook" not in text


def test_a_full_disk_costs_a_note(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(caching.IndexDataCacheFile, "save", refuse)
    assert doubled(folder) > 0
    assert "cannot keep compiled code in" in capsys.readouterr().err


def refuse(*arguments: object) -> None:
    raise OSError(28, "No space left on device")
