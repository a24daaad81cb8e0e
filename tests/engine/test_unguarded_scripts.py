"""A script without a guard that asks for processes: one error, and nothing from its children."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REHEARSE = """
import driftbandit as db
db.rehearse(db.UCB1(), db.environments.two_swaps(100), runs=2, workers=2)
"""
SIMULATE = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
import driftbandit as db
with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
    db.simulate(db.UCB1(), db.environments.two_swaps(100), runs=8, executor=pool)
"""


@pytest.mark.parametrize("script", [REHEARSE, SIMULATE])
def test_the_children_of_an_unguarded_script_say_nothing(tmp_path: Path, script: str) -> None:
    path = tmp_path / "script.py"
    path.write_text(script)
    command = [sys.executable, str(path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("driftbandit.LostWorkersError: ")
    assert 'a script must guard its start by `if __name__ == "__main__":`' in last
    assert "bootstrapping phase" not in done.stderr
    assert done.stderr.count("script.py") == 1
