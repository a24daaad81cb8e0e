"""Settings for all tests, and commands run as a user runs them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from driftbandit.cli import main

os.environ.setdefault("DRIFTBANDIT_SMALL_JOB", "0")  # jobs of tests are small: compile all the same

settings.register_profile(
    "fixed",
    deadline=None,  # the first example compiles
    derandomize=True,  # the same examples on every machine
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")


class Answer(NamedTuple):
    """Exit code, stdout and stderr of a command."""

    code: object
    out: str
    err: str


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: Any) -> Any:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Answer:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = capsys.readouterr()
        lines = [line for line in err.splitlines() if "compiling for first use" not in line]
        return Answer(ended.value.code, out, "\n".join(lines))

    return run
