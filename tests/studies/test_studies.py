"""Studies load on first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

from driftbandit import studies


def test_every_study_is_there_in_a_fresh_process() -> None:
    code = (
        "import sys, driftbandit as db; print(db.studies.arena.LINEUP['UCB-1'] is not None,"
        " db.studies.tune.Range(1, 2).low, 'matplotlib' in sys.modules,"
        " db.studies.paper.reproduce.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "1", "False", "reproduce"]


def test_an_unknown_study_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'bench'"):
        studies.bench  # noqa: B018  # that is the point
