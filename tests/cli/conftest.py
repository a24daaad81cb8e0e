"""Commands run as a user runs them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from driftbandit.cli import main


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
        kept = [line for line in err.splitlines() if "compiling for first use" not in line]
        return Answer(ended.value.code, out, "\n".join(kept))

    return run
