"""A clone that was moved or copied: its environment knows the old place, and make says so."""

from __future__ import annotations

import shutil
import subprocess
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]


def made(folder: Path, goal: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--dry-run", goal]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_environment_of_another_place_is_not_used(tmp_path: Path) -> None:
    old, new = tmp_path / "old place", tmp_path / "new"
    old.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, old)
    venv.main(["--without-pip", str(old / ".venv")])
    assert made(old, "reproduce").returncode == 0
    old.rename(new)
    answer = made(new, "reproduce")
    assert answer.returncode == 2
    assert f".venv was made as {old}/.venv, and works nowhere else" in answer.stderr
    assert made(new, "clean").returncode == 0
    shutil.rmtree(new / ".venv")
    assert made(new, "reproduce").returncode == 0
