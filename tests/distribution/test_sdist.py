"""The source distribution is the whole repository: tests run from it as from a clone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from distribution.building import Sources

QUICK = [
    "tests/core/test_files.py",
    "tests/live/test_clock.py",
    "tests/test_docs.py",
    "tests/test_pins.py",
]
"""Tests that read pages, pins and sources, and compile nothing."""


def names(folder: Path) -> set[str]:
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {str(path) for path in paths if "egg-info" not in str(path)}


def test_everything_is_in_it(sources: Sources) -> None:
    repository = names(sources.repository)
    assert {"Makefile", "constraints.txt", ".ci/run", "docs/index.md"} <= repository
    assert names(sources.unpacked) - {"PKG-INFO", "setup.cfg"} == repository


def test_make_test_knows_what_to_do(sources: Sources) -> None:
    command = ["make", "--dry-run", "test"]
    done = subprocess.run(command, cwd=sources.unpacked, capture_output=True, text=True, check=True)
    assert 'pytest --numprocesses 2 --dist loadfile -m "not slow"' in done.stdout


def test_quick_tests_run_from_it(sources: Sources) -> None:
    environment = {**os.environ, "PYTHONPATH": str(sources.unpacked / "src")}
    where = run(sources.unpacked, environment, "-c", "import driftbandit as d; print(d.__file__)")
    assert Path(where.strip()).is_relative_to(sources.unpacked)
    run(
        sources.unpacked,
        environment,
        "-m",
        "pytest",
        "-m",
        "not slow",
        "-k",
        "not code_runs",
        *QUICK,
    )


def run(folder: Path, environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
