"""What is distributed: the source distribution, and the wheel that is built from it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from distribution.building import Sources, build, copy_repository


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """Build the source distribution, and unpack it."""
    folder = tmp_path_factory.mktemp("distribution")
    repository = copy_repository(folder / "repository")
    archive = build("sdist", repository, folder / "sdist")
    subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)
    return Sources(repository, folder / archive.name.removesuffix(".tar.gz"))


@pytest.fixture(scope="session")
def wheel(sources: Sources, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, as installers do, from the source distribution: from a copy, since a build
    leaves a folder behind.
    """
    folder = tmp_path_factory.mktemp("wheel")
    unpacked = shutil.copytree(sources.unpacked, folder / "unpacked")
    return build("wheel", unpacked, folder / "built")
