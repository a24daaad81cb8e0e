"""Compiled code is kept between processes, and never stale after an edit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from common import RULE

MAIN = """
import driftbandit as db
from numba.core import event
from rule import Greedy

class Count(event.Listener):
    compilations = 0
    def on_start(self, event): self.compilations += 1
    def on_end(self, event): pass

count = Count()
event.register("numba:compile", count)
world = db.environments.Stationary((0.9, 0.1), law=db.environments.laws.Exact())
plays = db.simulate(db.Policy(explore=Greedy(), label="greedy"), world, horizon=100, runs=1)
print(int(plays["greedy"].plays[0, 0]), count.compilations)
"""


def run(folder: Path) -> tuple[list[int], str]:
    environment = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(folder),
        "NUMBA_CACHE_DIR": str(folder / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "main.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return [int(word) for word in done.stdout.split()], done.stderr


def test_a_rule_in_a_file_is_compiled_once_and_again_after_an_edit(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "constants.py").write_text("SIGN = 1.0")
    (tmp_path / "rule.py").write_text(RULE.format(sign=1.0))
    (plays, compilations), note = run(tmp_path)
    assert plays == 99
    assert compilations > 0
    assert "compiling for first use" in note
    (plays, compilations), note = run(tmp_path)
    assert (plays, compilations) == (99, 0)
    assert note == ""
    (tmp_path / "rule.py").write_text(RULE.format(sign=-1.0))
    (plays, compilations), note = run(tmp_path)
    assert plays == 1
    assert compilations > 0
    (tmp_path / "constants.py").write_text("SIGN = -1.0")
    (plays, compilations), note = run(tmp_path)
    assert plays == 99
    assert compilations > 0


def test_rules_of_a_notebook_are_compiled_but_leave_no_files(tmp_path: Path) -> None:
    (tmp_path / "constants.py").write_text("SIGN = 1.0")
    (tmp_path / "main.py").write_text(RULE.format(sign=1.0) + MAIN.replace("from rule", "# from"))
    for _ in range(2):
        (plays, compilations), _ = run(tmp_path)
        assert plays == 99
        assert compilations > 0
    files = {path.name.split("_")[0] for path in (tmp_path / "cache").rglob("*.nb?")}
    assert files == {"rewards.pay"}  # the law of the rewards is the package's own
