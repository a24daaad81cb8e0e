"""What is distributed: the source distribution, and the wheel that is built from it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
BUILD = "import sys, setuptools.build_meta as build; build.build_{kind}(sys.argv[1])"


class Sources(NamedTuple):
    """A copy of the repository, and what its source distribution unpacks to."""

    repository: Path
    unpacked: Path


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """Build from a copy: an earlier build leaves a list of files, which would be used again."""
    folder = tmp_path_factory.mktemp("distribution")
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    patterns = shutil.ignore_patterns(".git", *ignored)
    repository = shutil.copytree(ROOT, folder / "repository", ignore=patterns)
    archive = build("sdist", repository, folder / "sdist")
    subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)
    return Sources(repository, folder / archive.name.removesuffix(".tar.gz"))


@pytest.fixture(scope="session")
def wheel(sources: Sources, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, as installers do, from the source distribution."""
    return build("wheel", sources.unpacked, tmp_path_factory.mktemp("wheel"))


def build(kind: str, source: Path, target: Path) -> Path:
    """Build one file with the build backend."""
    command = [sys.executable, "-c", BUILD.format(kind=kind), str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (path,) = target.iterdir()
    return path
