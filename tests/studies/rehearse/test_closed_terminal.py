"""A rehearsal whose terminal closes: SIGHUP comes to all its processes at once."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os
import driftbandit as db
from driftbandit.cli.signals import heeded

def hang_up(done, total):
    os.killpg(0, 1)

if __name__ == "__main__":
    world = db.environments.two_swaps(100)
    with heeded():
        db.rehearse(db.UCB1(), world, runs=2, workers=2, progress=hang_up)
"""


@pytest.mark.usefixtures("signals")
def test_a_terminal_that_closes_leaves_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(path)],
        check=False,
        capture_output=True,
        text=True,
        start_new_session=True,
    )
    assert (done.returncode, done.stderr) == (128 + signal.SIGHUP, "")
