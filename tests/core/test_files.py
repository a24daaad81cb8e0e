"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from driftbandit.core.errors import InputError
from driftbandit.core.files import filling, reachable, replacing


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with replacing(target) as partial:
        assert partial.parent == target.parent
        assert partial.suffix == ".txt"
        partial.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


def _interrupted(path: Path, error: BaseException) -> None:
    with replacing(path) as partial:
        partial.write_text("half")
        raise error


@pytest.mark.parametrize("error", [RuntimeError("broken"), KeyboardInterrupt()])
def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, error: BaseException) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(type(error)):
        _interrupted(target, error)
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    with filling("~/results") as partial:
        (partial / "a.txt").write_text("whole")
    with replacing("~/results/b.txt") as part:
        part.write_text("whole")
    assert names(tmp_path / "home" / "results") == ["a.txt", "b.txt"]
    assert names(tmp_path) == ["home"]


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "a\udcff"])
def test_a_name_of_nothing_is_no_path(name: str) -> None:
    with pytest.raises(InputError, match=r"^path must "), replacing(name):
        pytest.fail("nothing to write into")


def test_folders_are_made(tmp_path: Path) -> None:
    with replacing(tmp_path / "new" / "deep" / "a.txt") as partial:
        partial.write_text("whole")
    assert (tmp_path / "new" / "deep" / "a.txt").read_text() == "whole"


@pytest.mark.parametrize("writer", [replacing, filling])
def test_a_folder_that_cannot_be_made_is_bad_input(tmp_path: Path, writer: object) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "below"
    with pytest.raises(InputError, match=r"cannot write .*below.*: "), writer(place):  # type: ignore[operator]
        pytest.fail("nothing to write into")


def test_a_folder_in_the_way_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is a folder"), replacing(tmp_path):
        pytest.fail("nothing to write into")


def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No space left on device") as caught:
        _interrupted(tmp_path / "a.txt", OSError(28, os.strerror(28)))
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == []


def _filled(folder: Path, error: BaseException | None) -> None:
    with filling(folder) as partial:
        (partial / "a.txt").write_text("new")
        (partial / "b.txt").write_text("new")
        if error is not None:
            raise error


def test_a_folder_is_filled_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "other.txt").write_text("kept")
    with pytest.raises(RuntimeError):
        _filled(tmp_path, RuntimeError("broken"))
    assert names(tmp_path) == ["a.txt", "other.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"
    _filled(tmp_path, None)
    assert names(tmp_path) == ["a.txt", "b.txt", "other.txt"]
    assert (tmp_path / "a.txt").read_text() == "new"


def test_folders_made_in_vain_are_taken_away(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        _filled(tmp_path / "new" / "deep", RuntimeError("broken"))
    assert names(tmp_path) == []


def test_nothing_moves_if_one_name_is_taken_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(InputError, match=r"b\.txt: it is a folder"):
        _filled(tmp_path, None)
    assert names(tmp_path) == ["b.txt"]


def test_an_empty_name_is_not_the_current_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="path must name a file, got ''"), replacing(""):
        pass
    for name in (None, 5):
        with pytest.raises(InputError, match=f"folder must be the name of a folder, got {name}"):
            filling(name).__enter__()  # type: ignore[arg-type]  # the mistake
        with pytest.raises(InputError, match=f"path must name a file, got {name}"):
            replacing(name).__enter__()  # type: ignore[arg-type]  # the mistake
    with pytest.raises(InputError, match="folder must be the name of a folder"), filling(""):
        pass


def test_a_file_within_a_folder_is_named_as_the_user_knows_it(tmp_path: Path) -> None:
    def fill() -> None:
        with filling(tmp_path / "x") as outer, filling(outer) as inner, replacing(inner / "a.txt"):
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError) as caught:
        fill()
    assert str(caught.value) == f"cannot write {tmp_path / 'x' / 'a.txt'}: No space left on device"


@pytest.mark.parametrize("kind", ["text", "context"])
def test_a_full_disk_is_told_whatever_a_library_makes_of_it(tmp_path: Path, kind: str) -> None:
    def write() -> None:
        if kind == "text":
            raise RuntimeError("No space left on device (os error 28)")
        try:
            raise OSError(28, "No space left on device")
        finally:
            raise AttributeError("the file is closed")

    with pytest.raises(InputError, match="No space left on device"), filling(tmp_path / "x"):
        write()
    assert not list(tmp_path.iterdir())


def test_a_mistake_is_not_taken_for_a_full_disk(tmp_path: Path) -> None:
    with pytest.raises(KeyError), replacing(tmp_path / "a.txt"):
        raise KeyError("a")


def test_a_path_has_no_null_byte() -> None:
    for write in (filling, replacing):
        with pytest.raises(InputError, match=r"must .*name"), write("a\0b"):
            pass


def test_a_file_where_the_folder_should_be_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "link"):
        message = f"cannot write .*{name}: it is not a folder"
        with pytest.raises(InputError, match=message), filling(tmp_path / name):
            pytest.fail("nothing to write into")
    assert names(tmp_path) == ["file", "link"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.html").write_text("old")
    for name, file in (("link.html", "real.html"), ("early.html", "new/later.html")):
        (tmp_path / name).symlink_to(file)
        with replacing(tmp_path / name) as partial:
            partial.write_text("new")
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / file).read_text() == "new"
    (tmp_path / "loop").symlink_to("loop")
    with replacing(tmp_path / "loop") as partial:
        partial.write_text("no loop")
    assert (tmp_path / "loop").read_text() == "no loop"


def test_a_place_that_cannot_be_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert reachable("out", tmp_path / "new" / "a.json") == tmp_path / "new" / "a.json"
    assert names(tmp_path) == ["file"]
    with pytest.raises(InputError, match=r"cannot write .*: it is a folder"):
        reachable("out", tmp_path)
    with pytest.raises(InputError, match=r"cannot write .*a.json: Not a directory"):
        reachable("out", tmp_path / "file" / "a.json")


def test_what_polars_says_of_a_file_that_cannot_grow_is_explained(tmp_path: Path) -> None:
    error = RuntimeError("parquet: File out of specification: Invalid thrift: transport error")
    with pytest.raises(InputError, match=r"cannot write .*: Polars was cut off"):
        _interrupted(tmp_path / "a.parquet", error)
    assert names(tmp_path) == []


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="only Linux has /proc")
def test_a_place_that_takes_no_files_is_refused_before_work() -> None:
    with pytest.raises(InputError, match=r"^cannot write /proc/policy.json: "):
        reachable("out", "/proc/policy.json")


def test_looking_at_a_place_leaves_nothing_there(tmp_path: Path) -> None:
    assert reachable("out", tmp_path / "new" / "policy.json").name == "policy.json"
    assert list(tmp_path.iterdir()) == []
