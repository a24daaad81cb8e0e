"""The check of `make test-oldest` finds what differs, and does not pass by doing nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from distribution import versions
from distribution.versions import compare, differences, find_python, lower_bounds, named_pythons


def test_a_byte_that_differs_and_a_file_that_is_missing_are_told() -> None:
    one, other = {"a.csv": b"1,2", "b.csv": b""}, {"a.csv": b"1,3", "c.csv": b""}
    assert differences("new", other, one) == [
        "new: a.csv differs", "new: b.csv differs", "new: c.csv differs",
    ]  # fmt: skip
    assert compare({"one": one, "same": dict(one), "new": other}) == differences("new", other, one)
    assert compare({"one": one, "same": dict(one)}) == []


@pytest.mark.parametrize("results", [{}, {"one": {"a.csv": b""}}, {"one": {}, "two": {}}])
def test_nothing_to_compare_is_a_failure(results: dict[str, dict[str, bytes]]) -> None:
    assert compare(results) == ["nothing was compared"]


def test_all_lower_bounds_are_tried() -> None:
    project = versions.project()
    allowed = [*project["dependencies"], *project["optional-dependencies"]["dask"]]
    assert len(lower_bounds()) == len(allowed)
    for pin, line in zip(lower_bounds(), allowed, strict=True):
        assert line.startswith(pin.replace("==", ">="))


def test_the_oldest_python_allowed_is_the_first() -> None:
    assert versions.project()["requires-python"] == f">={named_pythons()[0]}"
    assert named_pythons() == ["3.11", "3.12", "3.13"]


def test_a_program_of_another_version_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_python("3.11") is None
    program = tmp_path / "python3.11"
    for answer in ("3.10", "3.11"):
        program.write_text(f"#!/bin/sh\necho {answer}\n")
        program.chmod(0o755)
        assert (find_python("3.11") == str(program)) == (answer == "3.11")


def test_a_python_that_is_missing_is_named_and_none_at_all_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(versions, "find_python", lambda version: None)
    monkeypatch.setattr(versions, "play_all", lambda pythons, folder: {})
    with pytest.raises(SystemExit) as ended:
        versions.main()
    assert ended.value.code == "nothing was compared"
    lines = capsys.readouterr().err.splitlines()
    missing = [f"NOT CHECKED: Python {each} is not on this machine" for each in named_pythons()]
    assert lines == missing
