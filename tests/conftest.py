"""Settings for all tests, and commands run as a user runs them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's threads wait in loops for busy cores

import pytest
from hypothesis import HealthCheck, settings

from driftbandit.cli import main
from driftbandit.engine.small import VARIABLE

settings.register_profile(
    "fixed",
    deadline=None,  # the first example compiles
    derandomize=True,  # the same examples on every machine
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("fixed")


AS_SHIPPED = ("cli", "figures", "studies", "test_docs.py", "test_site.py", "theory")
"""Tests here whose small jobs are played by plain Python where no code is kept, as a user's are."""


@pytest.fixture(autouse=True)
def machine_code(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the loops of all other tests, whose jobs are small: they test machine code."""
    part = request.path.relative_to(Path(__file__).parent).parts[0]
    if part not in AS_SHIPPED:
        monkeypatch.setenv(VARIABLE, "0")


@pytest.fixture
def signals() -> Iterator[None]:
    """Heed the signals that a job in the background, or one below nohup, ignores."""
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGHUP: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    }
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


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
