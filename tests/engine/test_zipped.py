"""The package within a zip file, where code has no file that the compiler's cache could look at."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import driftbandit as db

SCRIPT = """
import driftbandit as db
assert ".zip" in db.__file__
result = db.simulate(db.UCB1(), db.environments.two_swaps(100), horizon=100, runs=20)
result.plot("regret.png")
print(repr(float(result["UCB-1"].final_regret.sum())))
"""


def test_a_package_in_a_zip_file_plays_the_same(tmp_path: Path) -> None:
    package = Path(db.__file__).parent
    archive = shutil.make_archive(str(tmp_path / "all"), "zip", package.parent, package.name)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONPATH": archive},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = db.simulate(db.UCB1(), db.environments.two_swaps(100), horizon=100, runs=20)
    assert done.stdout == f"{float(result['UCB-1'].final_regret.sum())!r}\n"
    assert (tmp_path / "regret.png").is_file()
