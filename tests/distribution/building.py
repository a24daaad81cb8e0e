"""Building what is distributed, from a copy of the repository."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
BUILD = "import sys, setuptools.build_meta as build; build.build_{kind}(sys.argv[1])"


class Sources(NamedTuple):
    """A copy of the repository, and what its source distribution unpacks to."""

    repository: Path
    unpacked: Path


def copy_repository(target: Path) -> Path:
    """Copy what is not ignored: an earlier build leaves files that would be used again."""
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    patterns = shutil.ignore_patterns(".git", *ignored)
    return shutil.copytree(ROOT, target, ignore=patterns)


def build(kind: str, source: Path, target: Path) -> Path:
    """Build one file, an `sdist` or a `wheel`, with the build backend."""
    command = [sys.executable, "-c", BUILD.format(kind=kind), str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (path,) = target.iterdir()
    return path


def link_dependencies(requirements: Iterable[str], site: Path) -> None:
    """Link what is required, and what that requires, into the folder of another environment.

    pip would unpack the same files once more. It still installs whatever is missing there.
    """
    waiting, linked = list(requirements), set[str]()
    while waiting:
        requirement = Requirement(waiting.pop())
        marker, name = requirement.marker, requirement.name
        if name not in linked and (marker is None or marker.evaluate({"extra": ""})):
            linked.add(name)
            package = distribution(name)
            waiting += package.requires or []
            for top in {file.parts[0] for file in package.files or []} - {"..", "__pycache__"}:
                if not (site / top).exists():
                    (site / top).symlink_to(Path(str(package.locate_file(top))))
